// The region finder over the shapes that punish a careless one, as ratios to one Kahn pass over the same
// arrays in the same run. It must not know what a node is.
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/regions.h"
#include "analysis/topological_order.h"
#include "bench.h"
#include "kahn.h"

namespace fuseboard {
namespace {

/// A DAG in the making: nodes in topological order, each with its predecessors.
class Growing {
 public:
  uint32_t add(const std::vector<uint32_t>& predecessors) {
    rows_.values.insert(rows_.values.end(), predecessors.begin(), predecessors.end());
    rows_.start.push_back(static_cast<uint32_t>(rows_.values.size()));
    return rows_.size() - 1;
  }
  uint32_t size() const { return rows_.size(); }
  Dag take() { return make_dag(std::move(rows_)); }

 private:
  Rows rows_;
};

/// One node after the other: no region.
Dag deep_chain(uint32_t n) {
  Growing graph;
  graph.add({});
  while (graph.size() < n) graph.add({graph.size() - 1});
  return graph.take();
}

/// Diamonds one behind the other: one region of all.
Dag diamonds(uint32_t n) {
  Growing graph;
  uint32_t last = graph.add({});
  while (graph.size() + 3 <= n) {
    const uint32_t left = graph.add({last});
    const uint32_t right = graph.add({last});
    last = graph.add({left, right});
  }
  return graph.take();
}

/// A diamond in a diamond in a diamond, n / 3 deep: splits first, then joins.
Dag nested(uint32_t n) {
  Growing graph;
  std::vector<uint32_t> sides;
  uint32_t last = graph.add({});
  while (graph.size() < n / 3 * 2) {
    sides.push_back(graph.add({last}));
    last = graph.add({last});
  }
  for (; !sides.empty(); sides.pop_back()) last = graph.add({last, sides.back()});
  return graph.take();
}

/// One node feeds all others, which feed one.
Dag wide(uint32_t n) {
  Growing graph;
  const uint32_t root = graph.add({});
  std::vector<uint32_t> middle;
  while (graph.size() + 1 < n) middle.push_back(graph.add({root}));
  graph.add(middle);
  return graph.take();
}

/// Two rails with rungs: every cone leaks but for the last node.
Dag ladder(uint32_t n) {
  Growing graph;
  uint32_t left = graph.add({});
  uint32_t right = graph.add({left});
  while (graph.size() + 2 <= n) {
    const uint32_t next = graph.add({left, right});
    right = graph.add({right, next});
    left = next;
  }
  return graph.take();
}

struct RegionFamily {
  std::string_view name;
  Dag (*make)(uint32_t n);
  bool unfusible_end;  ///< the last node joins nothing
};

constexpr RegionFamily kFamilies[] = {
    {"chain", deep_chain, false}, {"diamonds", diamonds, false}, {"nested", nested, false},
    {"wide", wide, false},        {"ladder", ladder, false},     {"ladder-end", ladder, true},
    {"nested-end", nested, true},
};

void measure(const RegionFamily& family, uint32_t n) {
  const Dag dag = family.make(n);
  const std::vector<uint32_t> order = topological_order(dag);
  std::vector<uint8_t> fusible(dag.size(), 1);
  if (family.unfusible_end) fusible.back() = 0;
  const std::vector<uint64_t> threads(dag.size(), 1024);
  const int repeats = n > 200'000 ? 3 : 7;
  const double kahn = median_seconds(repeats + 4, [&] { return kahn_pass(dag.predecessors).size(); });
  for (const auto& [what, entry] :
       {std::pair("dominated", Entry::dominated), std::pair("operands", Entry::operands)}) {
    const double find = median_seconds(repeats, [&, entry = entry] {
      return find_regions(dag, order, fusible, threads, entry).regions.size();
    });
    report("regions", family.name, dag.size(), what, find, "Kahn", kahn);
  }
}

}  // namespace

void region_bench(uint32_t most) {
  for (const uint32_t n : {10'000U, 100'000U, 1'000'000U}) {
    if (n > most) break;
    for (const RegionFamily& family : kFamilies) measure(family, n);
  }
}

}  // namespace fuseboard
