// Writing a kernel's parameters, how it walks, and its launch.
// It must not know plans, layouts or the texts that graphs come from.
#include "report/kernel_json.h"

#include "launch/row_launch.h"

namespace fuseboard {
namespace {

using Ids = std::span<const uint32_t>;

void write_parameters(JsonWriter& json, const Kernel& kernel) {
  json.key("parameters").begin_array();
  for (const KernelParameter& each : kernel.parameters) {
    json.begin_object();
    json.field("name", each.name).field("role", parameter_role_text(each.role)).field("op", each.op);
    if (!each.attribute.empty()) json.field("attribute", each.attribute);
    json.field("dtype", dtype_text(each.dtype)).field("elements", each.elements);
    if (each.role != ParameterRole::scalar) json.field("alignment", kPointerAlignment);
    json.end_object();
  }
  json.end_array();
}

void write_config(JsonWriter& json, const KernelConfig& config) {
  json.field("grid", std::span<const uint32_t>(config.grid))
      .field("block", std::span<const uint32_t>(config.block));
  json.field("shared_mem_bytes", config.shared_mem_bytes);
}

/// How a Move's kernel walks, or null.
void write_move(JsonWriter& json, const std::optional<MoveShape>& move) {
  json.key("move");
  if (!move) {
    json.null();
    return;
  }
  json.begin_object().field("walk", move_walk_text(move->walk)).field("wide", move->wide);
  json.key("tile");
  if (move->tile) {
    json.begin_object().field("side", kTileWords * move->tile->pack).field("pack", move->tile->pack);
    json.field("column", move->tile->column).field("shared_bytes", move->shared_bytes).end_object();
  } else {
    json.null();
  }
  json.key("parts").begin_array();
  for (const MovePart& part : move->parts) {
    json.begin_object().field("operand", part.operand).key("extents").begin_array();
    for (const MoveDim& dim : part.dims) json.value(dim.extent);
    json.end_array().field("slots", part.slots).field("blocks", part.blocks).end_object();
  }
  json.end_array().end_object();
}

/// How a kernel that reduces shares its rows, or null.
void write_rows(JsonWriter& json, const std::optional<RowShape>& rows) {
  json.key("rows");
  if (!rows) {
    json.null();
    return;
  }
  json.begin_object().key("domain");
  write_domain(json, rows->domain);
  json.field("stores", Ids(rows->stores)).field("walk", row_walk_text(rows->walk));
  json.field("along_rows", rows->along_rows).field("slots", rows->slots).field("threads", rows->threads);
  json.field("rows_in_block", rows->rows_in_block).field("passes", rows->passes).end_object();
}

void write_loops(JsonWriter& json, const std::vector<KernelLoop>& loops) {
  json.key("loops").begin_array();
  for (const KernelLoop& loop : loops) {
    json.begin_object().field("domain", std::span<const uint64_t>(loop.domain));
    json.field("stores", Ids(loop.stores)).field("slots", loop.slots).end_object();
  }
  json.end_array();
}

}  // namespace

void write_domain(JsonWriter& json, const RowDomain& domain) {
  json.begin_array();
  for (const RowDomain::Part& part : domain.parts) {
    json.begin_object().field("extent", part.extent).field("reduced", part.is_reduced).end_object();
  }
  json.end_array();
}

void write_kernel(JsonWriter& json, const Kernel& kernel, const LineMap& lines) {
  json.begin_object();
  json.field("group", kernel.group).field("kind", launch_kind_text(kernel.kind)).field("name", kernel.name);
  json.field("entry", kernel.entry).field("emitted", kernel.emittable);
  write_parameters(json, kernel);
  write_loops(json, kernel.loops);
  write_move(json, kernel.move);
  write_rows(json, kernel.rows);
  json.field("bytes_reread", kernel.bytes_reread);
  write_config(json, kernel.config);
  json.key("diagnostics");
  write_diagnostics(json, kernel.diagnostics, lines);
  json.end_object();
}

std::string kernels_json(const std::vector<Kernel>& kernels, const std::vector<uint32_t>& launched,
                         const LineMap& lines) {
  JsonWriter json;
  json.begin_array();
  for (const uint32_t index : launched) {
    const Kernel& kernel = kernels[index];
    json.new_line().begin_object();
    json.field("entry", kernel.entry).field("file", kernel.emittable ? kernel.entry + ".ptx" : "");
    json.field("group", kernel.group).field("kind", launch_kind_text(kernel.kind)).field("name", kernel.name);
    json.field("emitted", kernel.emittable);
    write_parameters(json, kernel);
    write_config(json, kernel.config);
    json.key("diagnostics");
    write_diagnostics(json, kernel.diagnostics, lines);
    json.end_object();
  }
  json.new_line().end_array();
  return json.take() + "\n";
}

}  // namespace fuseboard
