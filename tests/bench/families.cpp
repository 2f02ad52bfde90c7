// One function a family; all shapes are [64], so that only the topology matters.
// It must not know how they are planned or timed.
#include "families.h"

#include <random>
#include <utility>

namespace fuseboard {
namespace {

uint32_t point(FusionGraph& graph, std::vector<uint32_t> inputs) {
  return graph.add_op(inputs.size() == 1 ? OpKind::relu : OpKind::add, std::move(inputs), {64}, 4);
}

uint32_t barrier(FusionGraph& graph, std::vector<uint32_t> inputs) {
  return graph.add_op(OpKind::matmul, std::move(inputs), {64}, 4);
}

uint32_t source(FusionGraph& graph) { return graph.add_op(OpKind::input, {}, {64}, 4); }

FusionGraph chain(uint32_t n) {
  FusionGraph graph;
  uint32_t last = source(graph);
  while (graph.size() < n) last = point(graph, {last});
  return graph;
}

/// Every op reads two ops among the `reach` before it; 15 % are barriers.
FusionGraph random_within(uint32_t n, uint32_t reach) {
  FusionGraph graph;
  std::mt19937 random(1);
  source(graph);
  while (graph.size() < n) {
    const uint32_t span = std::min(graph.size(), reach);
    const auto pick = [&] { return graph.size() - 1 - static_cast<uint32_t>(random() % span); };
    std::vector<uint32_t> inputs{pick(), pick()};
    if (random() % 100 < 15) {
      barrier(graph, std::move(inputs));
    } else {
      point(graph, std::move(inputs));
    }
  }
  return graph;
}

FusionGraph random(uint32_t n) { return random_within(n, 8); }
FusionGraph uniform(uint32_t n) { return random_within(n, UINT32_MAX); }

/// Pre-norm blocks: norm, q k v, scores, softmax, values, projection, residual, norm, two-layer gelu MLP,
/// residual.
FusionGraph transformer(uint32_t n) {
  FusionGraph graph;
  uint32_t x = source(graph);
  const auto reduce = [&](uint32_t of) { return graph.add_op(OpKind::reduce, {of}, {64}, 4); };
  const auto norm = [&](uint32_t of) {
    const uint32_t centred = point(graph, {of, reduce(of)});
    const uint32_t variance = reduce(point(graph, {centred, centred}));
    return point(graph, {point(graph, {centred, point(graph, {variance})}), of});
  };
  while (graph.size() < n) {
    const uint32_t normed = norm(x);
    const uint32_t q = point(graph, {barrier(graph, {normed})});
    const uint32_t k = point(graph, {barrier(graph, {normed})});
    const uint32_t v = point(graph, {barrier(graph, {normed})});
    const uint32_t scores = point(graph, {barrier(graph, {q, k})});
    const uint32_t e = point(graph, {point(graph, {scores, reduce(scores)})});
    const uint32_t weights = point(graph, {e, reduce(e)});
    x = point(graph, {point(graph, {barrier(graph, {barrier(graph, {weights, v})})}), x});
    uint32_t hidden = point(graph, {barrier(graph, {norm(x)})});
    for (int i = 0; i < 6; ++i) hidden = point(graph, {hidden, hidden});
    x = point(graph, {point(graph, {barrier(graph, {hidden})}), x});
  }
  return graph;
}

/// A chain whose every link also feeds a barrier.
FusionGraph leaf(uint32_t n) {
  FusionGraph graph;
  uint32_t last = source(graph);
  while (graph.size() < n) {
    last = point(graph, {last});
    barrier(graph, {last});
  }
  return graph;
}

/// A chain fed by a barrier chain.
FusionGraph parallel(uint32_t n) {
  FusionGraph graph;
  uint32_t wall = source(graph);
  uint32_t last = point(graph, {wall});
  while (graph.size() < n) {
    wall = barrier(graph, {wall});
    last = point(graph, {last, wall});
  }
  return graph;
}

/// x -> y is refused because of the barrier between them; two merges follow.
FusionGraph sandwich(uint32_t n) {
  FusionGraph graph;
  uint32_t x = point(graph, {source(graph)});
  while (graph.size() < n) {
    const uint32_t y = point(graph, {x, barrier(graph, {x})});
    x = point(graph, {point(graph, {y})});
  }
  return graph;
}

/// One op feeds 1,000, which all feed one.
FusionGraph fan(uint32_t n) {
  FusionGraph graph;
  uint32_t hub = point(graph, {source(graph)});
  while (graph.size() < n) {
    std::vector<uint32_t> spokes;
    for (int i = 0; i < 1000; ++i) spokes.push_back(point(graph, {hub}));
    hub = graph.add_op(OpKind::add, std::move(spokes), {64}, 4);
  }
  return graph;
}

/// n/4 pairs P -> C; every P also feeds one barrier chain, every C is also fed by another; all merges are
/// legal.
FusionGraph shared(uint32_t n) {
  FusionGraph graph;
  uint32_t fed = source(graph);
  uint32_t feeding = source(graph);
  while (graph.size() < n) {
    const uint32_t p = point(graph, {source(graph)});
    fed = barrier(graph, {fed, p});
    feeding = barrier(graph, {feeding});
    point(graph, {p, feeding});
  }
  return graph;
}

/// A barrier chain of n/2, an op parallel to every link's start, a consumer of both far down; every merge is
/// refused.
FusionGraph skips(uint32_t n) {
  FusionGraph graph;
  const uint32_t links = n / 2;
  const uint32_t jump = links / 4 + 1;
  std::vector<uint32_t> chain{source(graph)};
  std::vector<uint32_t> beside;
  for (uint32_t i = 0; i < links; ++i) {
    if (i % 2 == 0) beside.push_back(point(graph, {chain.back()}));
    chain.push_back(barrier(graph, {chain.back(), beside.back()}));
  }
  for (uint32_t i = 0; i < beside.size() && graph.size() < n; ++i) {
    point(graph, {beside[i], chain[std::min<size_t>(2 * i + jump, chain.size() - 1)]});
  }
  return graph;
}

/// Layers of 32 ops, each reading 3 of the layer before; a layer of 8 barriers after every 16.
FusionGraph net(uint32_t n) {
  FusionGraph graph;
  std::mt19937 random(2);
  std::vector<uint32_t> before;
  for (int i = 0; i < 32; ++i) before.push_back(source(graph));
  for (uint32_t layer = 1; graph.size() < n; ++layer) {
    const bool wall = layer % 17 == 0;
    std::vector<uint32_t> now;
    for (int i = 0; i < (wall ? 8 : 32); ++i) {
      std::vector<uint32_t> inputs;
      for (int k = 0; k < 3; ++k) inputs.push_back(before[random() % before.size()]);
      now.push_back(wall ? barrier(graph, std::move(inputs)) : point(graph, std::move(inputs)));
    }
    before = std::move(now);
  }
  return graph;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"chain", chain},   {"random", random},     {"uniform", uniform},   {"transformer", transformer},
      {"leaf", leaf},     {"parallel", parallel}, {"sandwich", sandwich}, {"fan", fan},
      {"shared", shared}, {"skips", skips},       {"net", net},
  };
  return all;
}

}  // namespace fuseboard
