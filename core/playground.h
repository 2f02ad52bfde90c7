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
  std::string policy = "rows";   ///< rows | regions | elementwise
  // of kernel graphs
  std::string entry = "operands";     ///< operands | dominated
  std::vector<std::string> turned{};  ///< functions whose guessed fusible flag is the other way round
};

/// How the plan's kernels are run (verify/verification.h).
struct RunOptions {
  uint64_t seed = 1;
  bool full = false;  ///< every block of every kernel, however long that takes
};

/// Coordinates in px for the page, flat. Op i has x[i], y[i], width[i], height[i]; group g has group_x[g],
/// ... (width 0: no box); edge k (the k-th decision of the plan) is the line through the points edge_start[k]
/// .. edge_start[k + 1] - 1, of which point i is edge_points[2 i], edge_points[2 i + 1].
/// Of a kernel graph the ops are its nodes, then those of the rewritten graph, which stands right of it; the
/// edges likewise. layout/layered_layout.h says what is promised.
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
  /// Plan JSON (report/plan_json.h), of a kernel graph kernel plan JSON (report/kernel_plan_json.h), or
  /// diagnostics_json() where there is no plan.
  std::string plan_json() const;
  /// Graphviz DOT of the graph with its groups; "" where there is no plan.
  std::string dot() const;
  uint32_t kernel_count() const;  ///< 0 of a kernel graph: its kernels are someone else's
  /// {"entry", "ptx", "lines": [op id or -1 for each line of the text], "registers": [[op, "%f3"], ...]}.
  std::string kernel_json(uint32_t kernel) const;
  /// The PTX text alone; "" where the kernel is not emitted.
  std::string kernel_ptx(uint32_t kernel) const;
  /// kernels.json of the command, in the order of launch; report/plan_json.h tells its fields.
  std::string kernels_json() const;
  PlaygroundLayout layout() const;

  /// Begins to execute the plan's kernels over seeded inputs, instead of a run that is there. Nothing where
  /// there is no plan of ops.
  void start_run(const RunOptions& options);
  /// Goes on for about `steps` warp instructions; true when finished, cancelled or never started.
  bool continue_run(uint64_t steps);
  /// Ends the run where it is; what was found so far stays in run_json().
  void cancel_run();
  /// Run JSON (report/run_json.h) of the run so far.
  std::string run_json() const;

 private:
  struct State;
  explicit Playground(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// One launch of a pasted PTX module, as a request in JSON asks for it (report/scratch_json.h). Move-only.
class Scratch {
 public:
  /// Never fails: ask json().
  static Scratch open(std::string_view request_json);
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) noexcept;
  ~Scratch();

  /// Goes on for about `steps` warp instructions; true when it finished, faulted, or could not start.
  bool advance(uint64_t steps);
  std::string json() const;  ///< so far
  /// Puts bytes into the buffer of a parameter, from its beginning; what is too much is left out.
  void write(uint32_t parameter, std::string_view bytes);
  /// The bytes of a parameter's buffer, those never written as 0; "" where it is none.
  std::string read(uint32_t parameter) const;

 private:
  struct State;
  explicit Scratch(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// What a PTX module can launch: report/scratch_json.h.
std::string ptx_entries_json(std::string_view ptx);

/// One line of `plan --jsonl`: {"broadcast", "graph"} in; {"plan": ...} in the golden form, or {"error":
/// "<code>"}.
/// `policy` chooses how graphs of ops are planned; `entry`, where it is not empty, stands before the one that
/// a line of a kernel graph names.
std::string plan_jsonl_line(std::string_view line, std::string_view policy = "elementwise",
                            std::string_view entry = {});

/// The op table as JSON: [{kind, class, arity, attributes, reference, names}].
std::string ops_json();

/// {"version", "plan_json", "targets", "formats": [{name, title}]}.
std::string about_json();

}  // namespace fuseboard
