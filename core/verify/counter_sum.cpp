// Adding counter after counter.
// It must not know kernels.
#include "verify/counter_sum.h"

namespace fuseboard {

void add_counters(ptx::Counters& sum, const ptx::Counters& more) {
  sum.threads += more.threads;
  sum.warp_instructions += more.warp_instructions;
  sum.thread_instructions += more.thread_instructions;
  for (size_t i = 0; i < sum.by_class.size(); ++i) sum.by_class[i] += more.by_class[i];
  sum.global_load_requests += more.global_load_requests;
  sum.global_load_sectors += more.global_load_sectors;
  sum.global_load_bytes += more.global_load_bytes;
  sum.global_store_requests += more.global_store_requests;
  sum.global_store_sectors += more.global_store_sectors;
  sum.global_store_bytes += more.global_store_bytes;
  sum.vector_accesses += more.vector_accesses;
  sum.shared_requests += more.shared_requests;
  sum.shared_bank_conflicts += more.shared_bank_conflicts;
  sum.branches += more.branches;
  sum.divergent_branches += more.divergent_branches;
  sum.barriers += more.barriers;
}

}  // namespace fuseboard
