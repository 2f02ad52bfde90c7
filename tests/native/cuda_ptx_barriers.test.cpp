// Every barrier in what nvcc compiled is there for a reason: without it the interpreter tells of a fault.
// It must not know how races are found.
#include <functional>
#include <sstream>

#include "cuda_kernels.h"

using device::Device;
using device::integers;
using device::Pointer;
using device::reals;
using device::Shape;

namespace {

struct Synchronized {
  std::string file, entry;
  size_t barriers;  ///< lines that wait, or arrive
  std::function<std::string(Device&, const std::string&)> fault;
};

bool synchronizes(const std::string& line) {
  for (const char* word : {"bar.sync", "bar.arrive", "barrier.sync", "cp.async.wait_group", "bar.warp.sync"})
    if (line.find(word) != std::string::npos) return true;
  return false;
}

Shape blocks(uint32_t grid, uint32_t block) { return {{grid, 1, 1}, {block, 1, 1}}; }

std::vector<Synchronized> kernels() {
  const std::vector<float> x = reals(4096, -1, 1, 1);
  const std::vector<int> words = integers(4096, -1000, 1000, 2);
  const auto floats = [x](size_t outputs, const Shape& shape, auto... numbers) {
    return [=](Device& device, const std::string& entry) {
      return device.fault(entry, shape, device.buffer("x", x), device.empty<float>("y", outputs), numbers...);
    };
  };
  const auto scan = [words](Device& device, const std::string& entry) {
    return device.fault(entry, blocks(1, 256), device.buffer("x", words), device.empty<int>("y", 256), 256);
  };
  std::vector<Synchronized> all;
  all.push_back({"block_sum.sm_90", "block_sum", 1, floats(4, blocks(4, 256), 1000)});
  all.push_back({"transpose.sm_90", "transpose_padded", 1, floats(4096, {{2, 2, 1}, {32, 8, 1}}, 64, 64)});
  all.push_back({"softmax.sm_90", "softmax", 5, floats(700, blocks(1, 256), 700)});
  all.push_back({"prefix_sum.sm_90", "scan_shared", 2, scan});
  all.push_back({"prefix_sum.sm_90", "scan_shuffle", 1, scan});
  all.push_back({"matmul.sm_90", "matmul", 2, [x](Device& device, const std::string& entry) {
                   const Pointer a = device.buffer("a", x), c = device.empty<float>("c", 1024);
                   return device.fault(entry, {{2, 2, 1}, {16, 16, 1}}, a, a, c, 32, 32, 48);
                 }});
  all.push_back({"histogram.sm_90", "histogram", 2, [words](Device& device, const std::string& entry) {
                   const Pointer in = device.buffer("x", words),
                                 bins = device.buffer("bins", std::vector<int>(256));
                   return device.fault(entry, blocks(2, 192), in, bins, 3000);
                 }});
  all.push_back({"dynamic_shared.sm_90", "reverse", 1, [words](Device& device, const std::string& entry) {
                   const Pointer in = device.buffer("x", words);
                   const Pointer out = device.empty<int>("y", 192), means = device.empty<double>("m", 192);
                   return device.fault(entry, {{2, 1, 1}, {96, 1, 1}, 96 * 12}, in, out, means);
                 }});
  all.push_back({"named_barriers.sm_90", "hand_over", 14, [words](Device& device, const std::string& entry) {
                   const Pointer in = device.buffer("x", words), out = device.empty<int>("y", 4096);
                   return device.fault(entry, blocks(1, 64), in, out, 23);
                 }});
  all.push_back({"async_copy.sm_90", "sum_tiles", 15, floats(128, blocks(1, 128), 15)});
  return all;
}

}  // namespace

TEST_CASE("nvcc: a kernel that lacks one of its barriers ends in a fault") {
  for (const Synchronized& each : kernels()) {
    INFO(each.file << " " << each.entry);
    const std::string text = device::file_text(std::filesystem::path(FUSEBOARD_SOURCE_DIR) /
                                               "tests/data/cuda" / (each.file + ".ptx"));
    {
      Device whole(text);
      REQUIRE(each.fault(whole, each.entry) == "none");
    }
    size_t barriers = 0;
    for (size_t at = text.find(".entry " + each.entry + "("); at < text.find("\n}", at);
         at = text.find('\n', at) + 1) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      if (!synchronizes(line)) continue;
      ++barriers;
      INFO("without " << line << ", the " << barriers << "th");
      Device device(text.substr(0, at) + text.substr(at + line.size()));
      CHECK(each.fault(device, each.entry) != "none");
    }
    CHECK(barriers == each.barriers);
  }
}
