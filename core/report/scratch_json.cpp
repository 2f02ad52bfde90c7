// A launch's state and its buffers' first values; a module's entries.
// It must not know pages, nor how a kernel runs.
#include "report/scratch_json.h"

#include <algorithm>
#include <span>
#include <vector>

#include "graph/evaluate.h"
#include "ptx/read.h"
#include "report/counters_json.h"
#include "report/diagnostics_json.h"
#include "report/json_writer.h"

namespace fuseboard {
namespace {

constexpr uint64_t kMostValues = 4096;

std::string_view state_text(ScratchState state) {
  switch (state) {
    case ScratchState::running:
      return "running";
    case ScratchState::finished:
      return "finished";
    case ScratchState::faulted:
      return "faulted";
    case ScratchState::failed:
      return "failed";
  }
  return "";
}

void write_buffer(JsonWriter& json, const ScratchLaunch& launch, size_t parameter) {
  const ScratchParameter& each = launch.request().parameters[parameter];
  const uint64_t size = std::max(dtype_bytes(each.dtype), 1U);
  json.new_line().begin_object().field("parameter", parameter).field("name", launch.name(parameter));
  json.field("dtype", dtype_text(each.dtype)).field("count", each.count).key("values").begin_array();
  const uint64_t shown = std::min(each.count, kMostValues);
  const std::vector<uint8_t> bytes = launch.read(parameter, 0, shown * size);
  for (uint64_t i = 0; (i + 1) * size <= bytes.size(); ++i) {
    const bool is_known = launch.holds_values(parameter, i * size, size);
    json.value(is_known ? element_text(each.dtype, element_from_bytes(each.dtype, &bytes[i * size])) : "-");
  }
  json.end_array().field("bytes_read", launch.bytes_read(parameter));
  json.field("bytes_written", launch.bytes_written(parameter)).end_object();
}

}  // namespace

std::string scratch_json(const ScratchLaunch& launch) {
  JsonWriter json;
  json.begin_object().field("state", state_text(launch.state())).key("diagnostics");
  write_diagnostics(json, launch.diagnostics(), LineMap(launch.request().ptx));
  json.key("fault");
  if (launch.fault()) {
    write_fault(json, *launch.fault());
  } else {
    json.null();
  }
  json.key("counters");
  if (launch.steps() > 0) {
    write_counters(json, launch.counters());
  } else {
    json.null();
  }
  json.field("blocks_finished", launch.blocks_finished()).field("blocks", launch.blocks());
  json.field("steps", launch.steps()).key("buffers").begin_array();
  for (size_t i = 0; i < launch.request().parameters.size(); ++i) {
    if (launch.request().parameters[i].is_buffer) write_buffer(json, launch, i);
  }
  json.end_array().end_object();
  return json.take();
}

std::string entries_json(std::string_view ptx) {
  const Result<ptx::Module> module = ptx::read_module(ptx);
  JsonWriter json;
  json.begin_object().key("diagnostics");
  write_diagnostics(json, module.diagnostics, LineMap(ptx));
  json.key("entries").begin_array();
  for (size_t i = 0; module && i < module.value->functions.size(); ++i) {
    const ptx::Function& function = module.value->functions[i];
    if (!function.is_entry) continue;
    json.begin_object().field("name", function.name).key("parameters").begin_array();
    for (const uint32_t parameter : function.parameters) {
      const ptx::Variable& variable = module.value->variables[parameter];
      json.begin_object().field("name", variable.name).field("type", ptx::type_text(variable.type));
      json.field("bytes", variable.bytes).end_object();
    }
    json.end_array().key("block");
    if (function.required_block[0] != 0) {
      json.value(std::span<const uint32_t>(function.required_block));
    } else {
      json.null();
    }
    json.field("shared_bytes", function.shared_bytes).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace fuseboard
