// Questions of compare.mjs and truth.mjs: the kernels of a graph as PTX with their launch, its plan, what
// running its kernels shows, and what a launch of any PTX costs.
//   fuseboard_compare emit FILE TARGET MATH
//   fuseboard_compare plan FILE
//   fuseboard_compare run FILE
//   fuseboard_compare count FILE.ptx ENTRY GRID BLOCK BLOCKS PARAMETER...
// BLOCKS blocks of the grid run, spread evenly (0: all). A parameter is DTYPE:ELEMENTS (a buffer of ordinary
// values), out:BYTES (a buffer to be written), null, or u32:VALUE. It must not know whose PTX it counts.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "graph/dtype.h"
#include "graph/evaluate.h"
#include "playground.h"
#include "ptx/machine.h"
#include "ptx/read.h"

namespace {

using namespace fuseboard;

std::string text_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

int tell(const char* path, bool run) {
  Playground playground = Playground::open(text_of(path), {});
  if (!playground.ok()) {
    std::cerr << playground.diagnostics_json() << "\n";
    return 1;
  }
  if (run) {
    playground.start_run({});
    while (!playground.continue_run(uint64_t{1} << 24)) {
    }
  }
  std::cout << (run ? playground.run_json() : playground.plan_json()) << "\n";
  return 0;
}

int emit_kernels(const char* path, const char* target, const char* math) {
  PlaygroundOptions options;
  options.target = target;
  options.math = math;
  const Playground playground = Playground::open(text_of(path), options);
  if (!playground.ok()) {
    std::cerr << playground.diagnostics_json() << "\n";
    return 1;
  }
  std::cout << "{\"kernels\": " << playground.kernels_json() << ", \"ptx\": [";
  for (uint32_t i = 0; i < playground.kernel_count(); ++i) {
    std::cout << (i == 0 ? "" : ", ") << quoted(playground.kernel_ptx(i));
  }
  std::cout << "]}\n";
  return 0;
}

/// Ordinary values in [-2, 2), the same for the same element of any buffer of a dtype.
ptx::Fill ordinary(DType dtype, uint64_t salt) {
  const uint64_t bytes = dtype_bytes(dtype);
  return [=](uint64_t offset, std::span<uint8_t> out) {
    for (uint64_t at = offset / bytes; at * bytes < offset + out.size(); ++at) {
      uint64_t hash = (at + salt * 0x100000001) * 0x9e3779b97f4a7c15;
      hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
      Element element;
      element.real = static_cast<double>(hash >> 40) / (1 << 22) - 2;
      element.bits = hash >> 60;
      uint8_t stored[8];
      element_to_bytes(dtype, element, stored);
      for (uint64_t i = 0; i < bytes; ++i) {
        const uint64_t place = at * bytes + i;
        if (place >= offset && place < offset + out.size()) out[place - offset] = stored[i];
      }
    }
  };
}

/// The bytes of all parameters, each aligned to its size; `buffers` are counted.
std::vector<uint8_t> parameters_of(std::span<char*> words, ptx::Memory& memory, uint32_t& buffers) {
  std::vector<uint8_t> bytes;
  uint64_t salt = 0;
  for (const char* word : words) {
    const std::string text = word;
    const size_t colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    const uint64_t number =
        colon == std::string::npos ? 0 : std::strtoull(text.c_str() + colon + 1, nullptr, 10);
    uint64_t value = 0;
    uint32_t size = 8;
    if (kind == "u32") {
      value = number;
      size = 4;
    } else if (kind == "out") {
      buffers = memory.add(text, number) + 1;
      value = memory.address(buffers - 1);
    } else if (const auto dtype = dtype_from_text(kind)) {
      const uint64_t bytes_in = number * dtype_bytes(*dtype);
      buffers = memory.add_filled(text, bytes_in, ordinary(*dtype, ++salt)) + 1;
      value = memory.address(buffers - 1);
    }
    while (bytes.size() % size != 0) bytes.push_back(0);
    for (uint32_t i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
  }
  return bytes;
}

int count(std::span<char*> words) {
  const std::string text = text_of(words[0]);
  const Result<ptx::Module> module = ptx::read_module(text);
  if (!module.value) {
    std::cerr << words[0] << ": " << module.diagnostics[0].message << " at byte "
              << module.diagnostics[0].place.offset << "\n";
    return 1;
  }
  ptx::Memory memory;
  ptx::Launch launch;
  launch.entry = words[1];
  launch.grid[0] = static_cast<uint32_t>(std::strtoul(words[2], nullptr, 10));
  launch.block[0] = static_cast<uint32_t>(std::strtoul(words[3], nullptr, 10));
  const uint64_t blocks = std::strtoull(words[4], nullptr, 10);
  if (blocks != 0 && blocks < launch.grid[0]) {
    for (uint64_t i = 0; i < blocks; ++i) launch.blocks.push_back(i * launch.grid[0] / blocks);
  }
  uint32_t buffers = 0;
  launch.parameters = parameters_of(words.subspan(5), memory, buffers);
  Result<ptx::Machine> made = ptx::Machine::make(*module.value, memory, launch);
  if (!made.value) {
    std::cerr << words[0] << ": " << made.diagnostics[0].message << "\n";
    return 1;
  }
  ptx::Machine& machine = *made.value;
  while (machine.run(uint64_t{1} << 24) == ptx::RunState::running) {
  }
  if (machine.fault()) {
    std::cerr << words[0] << ": line " << machine.fault()->line << ": " << machine.fault()->message << "\n";
    return 1;
  }
  const ptx::Counters& counters = machine.counters();
  std::printf("{\"threads\": %llu, \"thread_instructions\": %llu, \"warp_instructions\": %llu, ",
              static_cast<unsigned long long>(counters.threads),
              static_cast<unsigned long long>(counters.thread_instructions),
              static_cast<unsigned long long>(counters.warp_instructions));
  std::printf("\"load_requests\": %llu, \"load_sectors\": %llu, \"load_bytes\": %llu, ",
              static_cast<unsigned long long>(counters.global_load_requests),
              static_cast<unsigned long long>(counters.global_load_sectors),
              static_cast<unsigned long long>(counters.global_load_bytes));
  uint64_t read = 0;
  uint64_t written = 0;
  for (uint32_t buffer = 0; buffer < buffers; ++buffer) {
    read += memory.bytes_read(buffer);
    written += memory.bytes_written(buffer);
  }
  std::printf("\"barriers\": %llu, \"distinct_read\": %llu, \"distinct_written\": %llu, ",
              static_cast<unsigned long long>(counters.barriers), static_cast<unsigned long long>(read),
              static_cast<unsigned long long>(written));
  std::printf("\"store_requests\": %llu, \"store_sectors\": %llu, \"store_bytes\": %llu}\n",
              static_cast<unsigned long long>(counters.global_store_requests),
              static_cast<unsigned long long>(counters.global_store_sectors),
              static_cast<unsigned long long>(counters.global_store_bytes));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv + 1, static_cast<size_t>(argc - 1));
  if (words.size() == 4 && std::strcmp(words[0], "emit") == 0)
    return emit_kernels(words[1], words[2], words[3]);
  if (words.size() == 2 && std::strcmp(words[0], "plan") == 0) return tell(words[1], false);
  if (words.size() == 2 && std::strcmp(words[0], "run") == 0) return tell(words[1], true);
  if (words.size() > 5 && std::strcmp(words[0], "count") == 0) return count(words.subspan(1));
  std::cerr << "fuseboard_compare emit FILE TARGET MATH | plan FILE | run FILE | count FILE.ptx ENTRY GRID "
               "BLOCK BLOCKS PARAMETER...\n";
  return 2;
}
