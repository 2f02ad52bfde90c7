// How kernels are written as JSON; the form is told in plan_json.h.
// It must not know plans, layouts or the texts that graphs come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch/kernel.h"
#include "plan/row_domain.h"
#include "report/diagnostics_json.h"
#include "report/json_writer.h"

namespace fuseboard {

/// [{"extent", "reduced"}], outermost first.
void write_domain(JsonWriter& json, const RowDomain& domain);

/// One of plan JSON's "kernels".
void write_kernel(JsonWriter& json, const Kernel& kernel, const LineMap& lines);

/// [{"entry", "file": "" where no PTX is written, "group", "kind", "name", "emitted", "parameters", "grid",
/// "block", "shared_mem_bytes", "diagnostics"}]: all that a launch needs, in the order of launch. The launch
/// is this one exactly: the text's strides between a thread's elements are those of this grid and block.
std::string kernels_json(const std::vector<Kernel>& kernels, const std::vector<uint32_t>& launched,
                         const LineMap& lines);

}  // namespace fuseboard
