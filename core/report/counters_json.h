// Counters and faults as JSON: what every run shows, of a plan's kernel or of a pasted module.
// It must not know what ran.
#pragma once

#include "ptx/counters.h"
#include "ptx/fault.h"
#include "report/json_writer.h"

namespace fuseboard {

/// Appends COUNTERS of report/run_json.h.
void write_counters(JsonWriter& json, const ptx::Counters& counters);

/// Appends FAULT of report/run_json.h.
void write_fault(JsonWriter& json, const ptx::Fault& fault);

}  // namespace fuseboard
