// What the benches share: a clock, the line that they print, and the list of them.
// It must not know what is measured.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

namespace fuseboard {

/// Processor time, which a busy machine disturbs less than the time of day; as wasm, where clock() counts
/// whole milliseconds, the latter.
inline double seconds_now() {
#ifdef __EMSCRIPTEN__
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#else
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

/// The median of `repeats` runs of `work` behind one that is not counted (a heap that grows, a compiler that
/// warms up); the work returns a number so that no compiler drops it.
template <class Work>
double median_seconds(int repeats, Work&& work) {
  [[maybe_unused]] static volatile size_t sink = 0;
  std::vector<double> seconds;
  sink = static_cast<size_t>(work());
  for (int i = 0; i < repeats; ++i) {
    const double start = seconds_now();
    sink = static_cast<size_t>(work());
    seconds.push_back(seconds_now() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// One measurement: how many times `unit`'s seconds it took. Tab-separated: bench, family, ops, what, ratio,
/// unit, ms.
inline void report(std::string_view bench, std::string_view family, uint32_t ops, std::string_view what,
                   double seconds, std::string_view unit, double unit_seconds) {
  std::printf("%.*s\t%.*s\t%u\t%.*s\t%.2f\t%.*s\t%.3f\n", static_cast<int>(bench.size()), bench.data(),
              static_cast<int>(family.size()), family.data(), ops, static_cast<int>(what.size()), what.data(),
              seconds / unit_seconds, static_cast<int>(unit.size()), unit.data(), seconds * 1e3);
  std::fflush(stdout);
}

void planner_bench(uint32_t most);  ///< the families at 10,000, 100,000, ... up to `most` ops
void region_bench(uint32_t most);   ///< the region finder, likewise
void layout_bench();
void parse_bench();
void ptx_bench();

}  // namespace fuseboard
