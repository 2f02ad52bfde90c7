// Dumps of CUDA graphs written for tests, as the driver writes them.
// It must not know how they are read.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuda_graph {

inline std::string name(int graph, int node) {
  return "\"graph_" + std::to_string(graph) + "_node_" + std::to_string(node) + "\"";
}

/// A kernel of the terse form.
inline std::string kernel(int graph, int node, const std::string& function = "relu_kernel") {
  return name(graph, node) + "[style=\"bold\" shape=\"octagon\" label=\"" + std::to_string(node) + "\n" +
         function + "\n\"];\n";
}

/// A kernel of the verbose form.
inline std::string launch(int graph, int node, const std::string& function, const std::string& config) {
  return name(graph, node) + "[style=\"bold\" shape=\"record\" label=\"{KERNEL\n| {ID | " +
         std::to_string(node) + " (topoId: 0) | " + function + "\\<\\<\\<" + config +
         "\\>\\>\\>}\n| {cooperative | 0}\n}\"];\n";
}

/// A node that stands for another graph.
inline std::string child(int graph, int node, int of) {
  return name(graph, node) + "[style=\"solid\" shape=\"rectangle\" label=\"" + std::to_string(node) +
         "\ngraph_" + std::to_string(of) + "\n\"];\n";
}

inline std::string conditional(int graph, int node, const std::vector<int>& bodies) {
  std::string text = name(graph, node) + "[style=\"bold\" shape=\"record\" label=\"{\nCONDITIONAL\n| {ID | " +
                     std::to_string(node) + " (topoId: 0)}\n| {Conditional Type| SWITCH}\n";
  for (size_t i = 0; i < bodies.size(); ++i)
    text += "| {" + std::to_string(i) + "|  graph_" + std::to_string(bodies[i]) + "}\n";
  return text + "}\n\"];\n";
}

inline std::string edge(int graph, int from, int to) {
  return name(graph, from) + " -> " + name(graph, to) + " [headlabel=0];\n";
}

inline std::string cluster(int graph, const std::string& inside) {
  return "subgraph cluster_" + std::to_string(graph) + " {\nlabel=\"graph_" + std::to_string(graph) +
         "\" graph[style=\"dashed\"];\n" + inside + "}\n";
}

inline std::string dump(const std::string& clusters) { return "digraph dot {\n" + clusters + "}\n"; }

}  // namespace cuda_graph
