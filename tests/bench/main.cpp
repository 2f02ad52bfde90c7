// Runs every bench and prints a line a measurement; bench.mjs makes a table of two runs, native and wasm.
// It must not know what is measured.
#include <cstdlib>

#include "bench.h"

int main(int count, char** arguments) {
  const uint32_t most =
      count > 1 ? static_cast<uint32_t>(std::strtoul(arguments[1], nullptr, 10)) : 1'000'000;
  fuseboard::planner_bench(most);
  fuseboard::region_bench(most);
  fuseboard::layout_bench();
  fuseboard::parse_bench();
  fuseboard::ptx_bench();
}
