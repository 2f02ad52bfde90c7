// Counters by their names, a fault with its place.
// It must not know what ran.
#include "report/counters_json.h"

#include <array>
#include <span>
#include <string>

namespace fuseboard {
namespace {

std::string hexadecimal(uint64_t number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  do {
    digits.insert(digits.begin(), kDigits[number % 16]);
    number /= 16;
  } while (number != 0);
  return "0x" + digits;
}

}  // namespace

void write_counters(JsonWriter& json, const ptx::Counters& counters) {
  json.begin_object().field("threads", counters.threads);
  json.field("warp_instructions", counters.warp_instructions);
  json.field("thread_instructions", counters.thread_instructions);
  json.key("by_class").begin_object();
  for (uint32_t i = 0; i < ptx::kInstructionClasses; ++i) {
    json.field(ptx::instruction_class_text(static_cast<ptx::InstructionClass>(i)), counters.by_class[i]);
  }
  json.end_object();
  json.field("global_load_requests", counters.global_load_requests);
  json.field("global_load_sectors", counters.global_load_sectors);
  json.field("global_load_bytes", counters.global_load_bytes);
  json.field("global_store_requests", counters.global_store_requests);
  json.field("global_store_sectors", counters.global_store_sectors);
  json.field("global_store_bytes", counters.global_store_bytes);
  json.field("vector_accesses", counters.vector_accesses);
  json.field("shared_requests", counters.shared_requests);
  json.field("shared_bank_conflicts", counters.shared_bank_conflicts);
  json.field("branches", counters.branches);
  json.field("divergent_branches", counters.divergent_branches);
  json.field("barriers", counters.barriers).end_object();
}

void write_fault(JsonWriter& json, const ptx::Fault& fault) {
  json.begin_object().field("kind", ptx::fault_kind_text(fault.kind)).field("message", fault.message);
  json.field("line", fault.line);
  json.field("block", std::span<const uint32_t>(fault.block));
  json.field("thread", std::span<const uint32_t>(fault.thread)).key("address");
  if (fault.has_address) {
    json.value(hexadecimal(fault.address));
  } else {
    json.null();
  }
  json.end_object();
}

}  // namespace fuseboard
