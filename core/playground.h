// The facade: a text and options in, a Playground out, which keeps graph, plan, kernels and layout for later
// questions. It must not know JavaScript or pages: strings and flat arrays go out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fuseboard {

/// Options as text, so that they cross any boundary; unknown words are diagnostics, never silently ignored.
struct PlaygroundOptions {
  bool broadcast = true;
  bool fused = true;             ///< false: every op alone
  std::string target = "sm_90";  ///< sm_75 80 86 89 90 100 120
  std::string math = "fast";     ///< fast | precise
};

/// Coordinates in px for the page, flat. Op i has x[i], y[i], width[i], height[i]; group g has group_x[g],
/// ... (width 0: no box); edge k (the k-th decision of the plan) is the line through the points edge_start[k]
/// .. edge_start[k + 1] - 1, of which point i is edge_points[2 i], edge_points[2 i + 1].
/// layout/layered_layout.h says what is promised.
struct PlaygroundLayout {
  float total_width = 0;
  float total_height = 0;
  std::vector<float> x, y, width, height;
  std::vector<float> group_x, group_y, group_width, group_height;
  std::vector<uint32_t> edge_start;
  std::vector<float> edge_points;
};

/// One pasted text. Move-only; every question may be asked at any time, also of a text that could not be
/// read.
class Playground {
 public:
  /// Recognises, reads, validates and plans. O(text) plus planning; never fails: ask ok().
  static Playground open(std::string text, const PlaygroundOptions& options);
  Playground(Playground&&) noexcept;
  Playground& operator=(Playground&&) noexcept;
  ~Playground();

  bool ok() const;  ///< a plan exists
  /// {"diagnostics": [{severity, code, message, hint, offset, length, line, column, path}]}: bytes; line and
  /// column from 1.
  std::string diagnostics_json() const;
  /// Plan JSON (report/plan_json.h), or diagnostics_json() where there is no plan.
  std::string plan_json() const;
  /// Graphviz DOT of the graph with its groups; "" where there is no plan.
  std::string dot() const;
  uint32_t kernel_count() const;
  /// {"entry", "ptx", "lines": [op id or -1 for each line of the text], "registers": [[op, "%f3"], ...]}.
  std::string kernel_json(uint32_t kernel) const;
  /// The PTX text alone; "" where the kernel is not emitted.
  std::string kernel_ptx(uint32_t kernel) const;
  /// kernels.json of the command, in the order of launch; report/plan_json.h tells its fields.
  std::string kernels_json() const;
  PlaygroundLayout layout() const;

 private:
  struct State;
  explicit Playground(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// One line of `plan --jsonl`: {"broadcast", "graph"} in; {"plan": ...} in the golden form, or {"error":
/// "<code>"}.
std::string plan_jsonl_line(std::string_view line);

/// The op table as JSON: [{kind, class, arity, attributes, reference, names}].
std::string ops_json();

/// {"version", "plan_json", "targets", "formats": [{name, title}]}.
std::string about_json();

}  // namespace fuseboard
