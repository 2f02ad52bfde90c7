// Putting a module together: header, entry with its parameters, register declarations, body.
// It must not know how a body is written.
#include "emit/ptx.h"

#include "base/words.h"
#include "emit/kernel_code.h"
#include "emit/move_code.h"
#include "emit/template_code.h"
#include "launch/names.h"

namespace fuseboard {
namespace {

/// Lines before the body, counted as they are written.
class Module {
 public:
  void line(std::string_view text) {
    out_.text += text;
    out_.text += '\n';
    out_.lines.push_back(-1);
  }

  /// Whole lines, each closed.
  void lines_of(std::string_view text) {
    while (!text.empty()) line(take_until(text, '\n'));
  }

  void append(const PtxWriter& writer) {
    out_.text += writer.text();
    out_.lines.insert(out_.lines.end(), writer.lines().begin(), writer.lines().end());
  }

  uint32_t line_count() const { return static_cast<uint32_t>(out_.lines.size()); }

  EmittedKernel take() { return std::move(out_); }

 private:
  EmittedKernel out_;
};

std::string file_of(std::string_view name) {
  std::string out = comment_of(name, 200);
  for (char& c : out) {
    if (c == '?') c = '_';
  }
  return out.empty() ? "pasted" : out;
}

void write_parameters(Module& module, const Kernel& kernel) {
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    const std::string type = parameter.role == ParameterRole::scalar
                                 ? std::string(arithmetic_text(arithmetic_of(parameter.dtype)))
                                 : "u64 .ptr .global .align " + std::to_string(kPointerAlignment);
    module.line("    .param ." + type + " " + parameter.name +
                (i + 1 == kernel.parameters.size() ? "" : ","));
  }
}

/// The module's text around a body; its lines before the body.
uint32_t write_module(Module& module, const Kernel& kernel, const EmitOptions& options,
                      const FunctionList& functions, const PtxWriter& body, uint32_t most_registers = 0) {
  module.line("// " + comment_of(kernel.name, 80) + ": grid " + std::to_string(kernel.config.grid[0]) +
              ", block " + std::to_string(kernel.config.block[0]));
  module.line(".version " + std::string(options.target.ptx_version));
  module.line(".target " + std::string(options.target.name));
  module.line(".address_size 64");
  module.line("");
  if (!options.source_lines.empty()) module.line(".file 1 \"" + file_of(options.file_name) + "\"");
  for (const std::string& function : functions) {
    module.lines_of(math_function_text(function, options.target));
  }
  module.line(".visible .entry " + kernel.entry + "(");
  write_parameters(module, kernel);
  module.line(")");
  module.line(".reqntid " + std::to_string(kernel.config.block[0]));
  if (most_registers > 0) module.line(".maxnreg " + std::to_string(most_registers));
  module.line("{");
  module.lines_of(register_declarations(body));
  module.line("");
  const uint32_t lines_before = module.line_count();
  module.append(body);
  module.line("}");
  return lines_before;
}

EmittedKernel emit_move(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options) {
  MoveCode code(graph, kernel, options);
  code.write();
  Module module;
  write_module(module, kernel, options, {}, code.writer());
  EmittedKernel out = module.take();
  out.registers = code.take_registers();
  return out;
}

}  // namespace

EmittedKernel emit(const FusionGraph& graph, const Kernel& kernel, const EmitOptions& options) {
  if (kernel.kind != LaunchKind::kernel || !kernel.emittable) return {};
  if (kernel.move) return emit_move(graph, kernel, options);
  KernelCode code(graph, kernel, options);
  if (!code.write()) return {};
  Module module;
  const uint32_t lines_before =
      write_module(module, kernel, options, code.functions(), code.writer(), code.most_registers());
  EmittedKernel out = module.take();
  out.registers = code.take_registers();
  out.bodies = code.take_bodies();
  out.rows = code.take_rows();
  out.traces = code.take_traces();
  for (Trace& trace : out.traces) trace.line += lines_before;
  return out;
}

}  // namespace fuseboard
