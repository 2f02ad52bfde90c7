// Graphviz's DOT language, as far as graphs are drawn with it: clusters, nodes with a label, edges.
// It must not know what any of them stands for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/dot_lexer.h"

namespace fuseboard {

struct DotGraph {
  struct Cluster {
    DotToken name;   ///< behind `subgraph`; the digraph's own for the first
    DotToken label;  ///< of kind `end` where it has none
  };
  struct Node {
    DotToken name;
    DotToken label;
    DotToken shape;  ///< of kind `end` where it has none
    uint32_t cluster = 0;
    uint32_t end = 0;  ///< where its statement ends in the text
  };
  struct Edge {
    DotToken from;
    DotToken to;
  };
  std::vector<Cluster> clusters;  ///< in the order of the text; the first is the digraph itself
  std::vector<Node> nodes;        ///< those given a label, each as often as it is
  std::vector<Edge> edges;
};

/// Whether the text begins, behind blanks and comments, as a digraph does. O(bytes of those).
bool looks_like_digraph(std::string_view text);

/// Reads one digraph. A subgraph whose name begins with "cluster" is a cluster, any other belongs to the one
/// around it; attributes but label and shape, and ports, are passed over. Errors: truncated, syntax (at most
/// 1000, each at the token that is not understood), unsupported (a second digraph, edges to braces, 4 GiB).
/// O(bytes), without recursion.
Result<DotGraph> parse_dot(std::string_view text);

}  // namespace fuseboard
