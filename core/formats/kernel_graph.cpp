// Telling kernel graph JSON from a dump, and handing the text to its reader.
// It must not know what either looks like inside.
#include "formats/kernel_graph.h"

#include "formats/cuda_graph_dot.h"
#include "formats/kernel_graph_json.h"

namespace fuseboard {

std::string_view kernel_graph_format_title(KernelGraphFormat format) {
  switch (format) {
    case KernelGraphFormat::json:
      return "Kernel graph JSON";
    case KernelGraphFormat::cuda_graph:
      return "CUDA graph dump";
  }
  return "";
}

std::optional<KernelGraphFormat> recognise_kernel_graph(std::string_view text) {
  if (looks_like_kernel_graph_json(text)) return KernelGraphFormat::json;
  if (looks_like_cuda_graph_dot(text)) return KernelGraphFormat::cuda_graph;
  return std::nullopt;
}

Result<ReadKernelGraph> read_kernel_graph(std::string_view text) {
  const std::optional<KernelGraphFormat> format = recognise_kernel_graph(text);
  if (!format) {
    return {std::nullopt,
            {{Severity::error,
              Code::unknown_format,
              "the text is no kernel graph",
              {},
              "paste kernel graph JSON, or the dump of a CUDA graph (cudaGraphDebugDotPrint)"}}};
  }
  switch (*format) {
    case KernelGraphFormat::json:
      return read_kernel_graph_json(text);
    case KernelGraphFormat::cuda_graph:
      return read_cuda_graph_dot(text);
  }
  return {};
}

}  // namespace fuseboard
