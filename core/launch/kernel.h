// What a plan launches: kernels with entry name, parameters in order, loops, grid and block; or a library
// call. It must not know PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "graph/fusion_graph.h"
#include "launch/kernel_config.h"
#include "launch/move_shape.h"
#include "launch/row_shape.h"

namespace fuseboard {

/// How f32 arithmetic is lowered: `fast` uses .approx and may contract, `precise` rounds each operation.
enum class Math : uint8_t { fast, precise };

// What a kernel may have before it is too large to be written.
constexpr size_t kMostParameters = 4000;
constexpr size_t kMostMembers = 10000;
constexpr size_t kMostSteps = 4 * kMostMembers;  ///< values of one kernel, counted over its loops

enum class ParameterRole : uint8_t {
  input,   ///< pointer to a tensor that the kernel reads
  output,  ///< pointer to a tensor that the kernel writes
  scalar,  ///< a value passed by value: alpha of scale and axpy where the graph gives none
};

/// "input", "output", "scalar".
std::string_view parameter_role_text(ParameterRole role);

/// Every pointer that a kernel is given must be a multiple of this many bytes, as cudaMalloc's are: then a
/// vector access at a multiple of its width is aligned.
constexpr uint32_t kPointerAlignment = 256;

struct KernelParameter {
  ParameterRole role = ParameterRole::input;
  std::string name;       ///< the PTX name of the parameter
  uint32_t op = 0;        ///< whose storage it points to; for a scalar the op that uses it
  std::string attribute;  ///< for a scalar: "alpha"
  DType dtype = DType::f32;
  uint64_t elements = 1;
};

/// One loop of a kernel: all stores with as many elements, walked by one linear index.
struct KernelLoop {
  Shape domain;                  ///< the shape of the first store
  uint64_t elements = 1;         ///< product(domain), at least 1
  std::vector<uint32_t> stores;  ///< op ids materialized here, ascending
  uint32_t slots = 1;            ///< consecutive elements that one pass of a thread computes, a power of two
};

enum class LaunchKind : uint8_t {
  kernel,   ///< PTX of ours
  library,  ///< matmul, reduce, a foreign op: somebody else's kernel
  none,     ///< resident data, an alias (views alone), or an empty domain: nothing runs
};

/// "kernel", "library", "none".
std::string_view launch_kind_text(LaunchKind kind);

/// One group of a plan as it runs.
struct Kernel {
  LaunchKind kind = LaunchKind::none;
  uint32_t group = 0;           ///< index into FusionPlan::groups
  std::string name;             ///< for people: "add_relu", or the library op's kind
  std::string entry;            ///< PTX entry, unique in the plan; "" unless kind is kernel
  std::vector<uint32_t> order;  ///< members, topological; empty where nothing runs or the kernel is too large
  std::vector<KernelParameter> parameters;
  std::vector<KernelLoop> loops;
  std::optional<RowShape> rows;   ///< of a kernel that reduces; then it has no loops
  std::optional<MoveShape> move;  ///< of a Move's kernel; then it has no loops
  uint64_t bytes_reread = 0;      ///< what `rows` reads again because a row is too long to hold
  KernelConfig config;
  std::vector<Diagnostic>
      diagnostics;  ///< why its PTX is not written (not-emitted, kernel-too-large), warnings
  bool emittable = false;
};

}  // namespace fuseboard
