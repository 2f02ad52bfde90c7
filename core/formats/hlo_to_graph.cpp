// Builds the FusionGraph of an HLO module's ENTRY: calls and maps inlined, tuples resolved to their elements.
// It must not know the grammar: it sees what the parser found.
#include "formats/hlo_to_graph.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "formats/hlo_attributes.h"
#include "formats/hlo_map.h"
#include "formats/hlo_names.h"
#include "formats/hlo_op.h"
#include "formats/hlo_order.h"
#include "formats/hlo_place_fold.h"
#include "formats/hlo_rules.h"
#include "formats/hlo_type_of.h"

namespace fuseboard {
namespace {

class Builder {
 public:
  Builder(const HloLexer& lexer, const HloModule& module, HloProblems& problems, HloGraph& out)
      : lexer_(lexer),
        module_(module),
        problems_(problems),
        out_(out),
        rules_(lexer, module, problems),
        order_(lexer, module, problems),
        type_of_(lexer, module, problems, types_),
        values_(out, types_) {}

  void run() {
    active_.assign(module_.computations.size(), false);
    reached_.assign(module_.computations.size(), false);
    const HloComputation& entry = module_.computations[module_.entry];
    for (uint32_t i = 0; i < entry.count; ++i) {
      const HloSpan name = module_.instructions[entry.first + i].name;
      if (name.length > 0) out_.reserve(lexer_.view(name));
    }
    slots_.push_back(kHloNone);
    push(Frame{module_.entry});
    while (!frames_.empty() && !out_.budget.exhausted) step();
    if (out_.budget.exhausted) return too_large(entry);
    std::vector<uint32_t> outputs;
    if (slots_[0] != kHloNone) {
      const HloSpan root =
          entry.root == kHloNone ? entry.name : module_.instructions[entry.first + entry.root].whole;
      values_.flatten(slots_[0], false, root, outputs);
    }
    if (out_.budget.exhausted) return too_large(entry);
    for (const uint32_t op : outputs) {
      if (op != kNoOp) out_.graph.add_output(op);
    }
    rules_.check_inputs(out_);
    report_hlo_names(lexer_, module_, reached_, problems_);
  }

 private:
  /// A computation being walked. Its instructions' values stand at slots_[base ...].
  struct Frame {
    uint32_t computation = 0;
    uint32_t next = 0;
    uint32_t base = 0;
    uint32_t result_slot = 0;              ///< who called waits for the value here
    uint32_t argument = 0, arguments = 0;  ///< values bound to the parameters, in arguments_
    uint32_t map = kHloNone;               ///< in map_shapes_: the shape that scalars spread to
    const HloInstruction* caller = nullptr;
  };

  std::string_view name_of(const HloInstruction& instruction) const {
    return lexer_.view(instruction.name.length > 0 ? instruction.name : instruction.opcode);
  }
  std::string text_of(const HloInstruction& instruction) const {
    return std::string(name_of(instruction).substr(0, 80));
  }
  std::string_view scope() const {
    const HloInstruction* caller = frames_.back().caller;
    return caller == nullptr ? std::string_view() : name_of(*caller);
  }
  bool own(const HloInstruction& instruction) const {
    return frames_.back().caller == nullptr && instruction.name.length > 0;
  }

  void too_large(const HloComputation& entry) {
    problems_.error(Code::unsupported, entry.name, lexer_.view(entry.name),
                    "The calls, maps and tuples of " + std::string(lexer_.view(entry.name).substr(0, 80)) +
                        " unfold to more than Fuseboard plans",
                    "Plan the called computations on their own.");
  }

  void push(Frame frame) {
    const HloComputation& computation = module_.computations[frame.computation];
    frame.base = static_cast<uint32_t>(slots_.size());
    slots_.resize(slots_.size() + computation.count, kHloNone);
    active_[frame.computation] = true;
    reached_[frame.computation] = true;
    rules_.check_parameters(frame.computation);
    frames_.push_back(frame);
    if (computation.root == kHloNone) {
      problems_.error(Code::syntax, computation.name, lexer_.view(computation.name),
                      "Computation " + std::string(lexer_.view(computation.name)) + " has no instructions",
                      "Its result is the instruction marked ROOT.");
    }
  }

  void pop() {
    const Frame frame = frames_.back();
    const HloComputation& computation = module_.computations[frame.computation];
    uint32_t value = computation.root == kHloNone ? values_.unknown() : slots_[frame.base + computation.root];
    if (frame.map != kHloNone && frame.map != outer_map()) {
      const bool named = frames_.size() == 2 && frame.caller->name.length > 0;
      value = spread_hlo_value(value, map_shapes_.back(), frame.caller->whole, name_of(*frame.caller), named,
                               values_, out_);
      map_shapes_.pop_back();
    }
    slots_.resize(frame.base);
    arguments_.resize(frame.argument);
    active_[frame.computation] = false;
    frames_.pop_back();
    slots_[frame.result_slot] = value;
  }

  uint32_t outer_map() const { return frames_.size() < 2 ? kHloNone : frames_[frames_.size() - 2].map; }

  void step() {
    Frame& frame = frames_.back();
    const HloComputation& computation = module_.computations[frame.computation];
    if (frame.next >= computation.count) return pop();
    const uint32_t local = order_.at(frame.computation, frame.next++);
    const HloInstruction& instruction = module_.instructions[computation.first + local];
    HloBudget& budget = out_.budget;
    budget.spend(budget.steps, 1);
    budget.spend(budget.reads, instruction.operand_count);
    if (!budget.spend(budget.bytes, instruction.text_length)) return;
    const uint32_t slot = frame.base + local;
    const std::string_view opcode = lexer_.view(instruction.opcode);
    operands(instruction);
    if (opcode == "call" || opcode == "map") {
      const uint32_t callee = type_of_.computation(instruction, "to_apply");
      if (callee == kHloNone && opcode == "call") {
        rules_.check_target(instruction);
        slots_[slot] = values_.unknown();
        return;
      }
      if (callee != kHloNone &&
          (opcode == "call" || is_hlo_mappable(lexer_, module_, type_of_, callee, out_.budget)))
        return enter(instruction, callee, slot);
    }
    slots_[slot] = value_of(instruction, opcode);
  }

  /// The values of an instruction's operands, into `operands_`; undefined names are complained about.
  void operands(const HloInstruction& instruction) {
    operands_.clear();
    operand_spans_.clear();
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const HloOperand& operand = module_.operands[instruction.first_operand + i];
      if (operand.instruction == kHloNone) {
        report_hlo_dangling(lexer_, module_, Severity::error, frames_.back().computation, instruction,
                            operand, problems_);
      }
      const uint32_t slot =
          operand.instruction == kHloNone ? kHloNone : slots_[frames_.back().base + operand.instruction];
      uint32_t value = slot == kHloNone ? values_.unknown() : slot;
      if (operand.path.length > 0) value = elements_at(instruction, operand, value);
      operands_.push_back(value);
      operand_spans_.push_back(operand.name);
    }
  }

  /// `tuple#1#0`: an element of an element of the operand.
  uint32_t elements_at(const HloInstruction& instruction, const HloOperand& operand, uint32_t value) {
    std::string name(lexer_.view(operand.name));
    uint32_t next = 0;
    for (uint32_t at = operand.path.offset; at < operand.path.offset + operand.path.length; at = next) {
      next = lexer_.word_end(at + 1);
      const std::string_view digits = lexer_.view({at + 1, next - at - 1});
      int64_t index = -1;
      std::from_chars(digits.data(), digits.data() + digits.size(), index);
      name += "." + std::string(digits);
      if (!out_.budget.spend(out_.budget.bytes, name.size())) break;
      const HloSpan place{at, next - at};
      if (!has_element(instruction, operand.name, value, index, place)) return values_.unknown();
      value = values_.element(value, static_cast<uint32_t>(index), operand.name, name, scope(), false);
    }
    return value;
  }

  /// Whether `value` is a tuple with an element `index`; complains if it is known not to be.
  bool has_element(const HloInstruction& instruction, HloSpan operand, uint32_t value, int64_t index,
                   HloSpan place) {
    if (values_[value].kind == HloValue::Kind::Unknown) return false;
    const std::string tuple(lexer_.view(operand).substr(0, 80));
    if (!values_.is_tuple(value)) {
      problems_.error(Code::shape_mismatch, operand, name_of(instruction),
                      text_of(instruction) + " takes an element of " + tuple + ", which is no tuple",
                      "Read the value itself.");
      return false;
    }
    if (index >= 0 && static_cast<uint64_t>(index) < values_.element_count(value)) return true;
    problems_.error(Code::bad_attribute, place, name_of(instruction),
                    text_of(instruction) + " takes element " + std::to_string(index) + " of " + tuple +
                        ", which has " + std::to_string(values_.element_count(value)),
                    "Elements are counted from 0.");
    return false;
  }

  void enter(const HloInstruction& instruction, uint32_t callee, uint32_t slot) {
    if (active_[callee]) {
      problems_.error(Code::cycle, instruction.whole, name_of(instruction),
                      text_of(instruction) + " calls " +
                          std::string(lexer_.view(module_.computations[callee].name).substr(0, 80)) +
                          ", which is what it is part of",
                      "A computation cannot call itself.");
      slots_[slot] = values_.unknown();
      return;
    }
    rules_.check_call(instruction, callee, operands_.size());
    Frame frame;
    frame.computation = callee;
    frame.result_slot = slot;
    frame.argument = static_cast<uint32_t>(arguments_.size());
    frame.arguments = static_cast<uint32_t>(operands_.size());
    frame.caller = &instruction;
    frame.map = frames_.back().map;
    arguments_.insert(arguments_.end(), operands_.begin(), operands_.end());
    if (lexer_.view(instruction.opcode) == "map" && frame.map == kHloNone) {
      Shape shape;
      if (instruction.shape.length > 0) {
        const std::optional<HloArray> array =
            read_array(lexer_, instruction.shape, name_of(instruction), problems_);
        if (array) shape = array->shape;
      } else if (!operands_.empty() && values_[operands_[0]].kind == HloValue::Kind::Op) {
        shape = out_.graph.op(values_[operands_[0]].a).output_shape;
      }
      frame.map = static_cast<uint32_t>(map_shapes_.size());
      map_shapes_.push_back(std::move(shape));
    }
    push(frame);
  }

  uint32_t value_of(const HloInstruction& instruction, std::string_view opcode) {
    if (opcode.empty()) return values_.unknown();  // complained about when it was parsed
    if (opcode == "parameter") return parameter(instruction);
    if (opcode == "tuple") return values_.tuple(operands_);
    if (opcode == "get-tuple-element") return element(instruction);
    if (opcode == "constant" && type_of_.is_tuple(instruction.shape))
      return leaves(instruction, OpKind::constant);
    return op_of(instruction, opcode);
  }

  uint32_t parameter(const HloInstruction& instruction) {
    const Frame& frame = frames_.back();
    const std::optional<uint32_t> number = read_parameter_number(lexer_, instruction, problems_);
    if (!number) return values_.unknown();
    if (frame.caller != nullptr) {  // a call of too few operands was complained about
      return *number < frame.arguments ? arguments_[frame.argument + *number] : values_.unknown();
    }
    if (type_of_.is_tuple(instruction.shape)) return leaves(instruction, OpKind::input);
    return op_of(instruction, "parameter");
  }

  uint32_t element(const HloInstruction& instruction) {
    if (operands_.size() != 1) {
      problems_.error(
          Code::wrong_arity, instruction.whole, name_of(instruction),
          text_of(instruction) + " reads " + std::to_string(operands_.size()) + " operands, not one tuple",
          "Write `get-tuple-element(tuple), index=0`.");
      return values_.unknown();
    }
    const std::optional<int64_t> index = read_int(lexer_, module_, instruction, "index", problems_);
    if (!index) return values_.unknown();
    const HloSpan place = module_.attribute(instruction, "index")->value;
    if (!has_element(instruction, operand_spans_[0], operands_[0], *index, place)) return values_.unknown();
    return values_.element(operands_[0], static_cast<uint32_t>(*index), instruction.whole,
                           name_of(instruction), scope(), own(instruction));
  }

  /// A tuple of resident data: an op for each array in it, named `p.0`, `p.1`, ...
  uint32_t leaves(const HloInstruction& instruction, OpKind kind) {
    const std::optional<uint32_t> root = type_of_.tree(instruction, instruction.shape);
    if (!root) return values_.unknown();
    return values_.leaves(type_of_.first_node(*root), *root, kind, instruction.whole, name_of(instruction),
                          scope());
  }

  /// The ops that an instruction reads, into op.inputs. A tuple is read by opaque ops only: all that is in
  /// it.
  bool read_inputs(const HloInstruction& instruction, FusionOp& op) {
    input_spans_.clear();
    const bool opaque = op_info(op.kind).op_class == OpClass::Opaque;
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (!opaque && values_.is_tuple(operands_[i])) {
        problems_.error(Code::shape_mismatch, operand_spans_[i], name_of(instruction),
                        text_of(instruction) + " reads the tuple " +
                            std::string(lexer_.view(operand_spans_[i]).substr(0, 80)) +
                            "; it works on arrays",
                        "Take its element with get-tuple-element.");
        return false;
      }
      values_.flatten(operands_[i], opaque, operand_spans_[i], op.inputs);
      if (out_.budget.exhausted) return false;
      input_spans_.resize(op.inputs.size(), operand_spans_[i]);
    }
    return true;
  }

  uint32_t op_of(const HloInstruction& instruction, std::string_view opcode) {
    const HloSpan shape = type_of_.shape(instruction);
    if (!out_.budget.spend(out_.budget.bytes, shape.length)) return values_.unknown();
    const bool as_operand = shape.length == 0 && !operands_.empty() && HloTypeOf::yields_operand(opcode) &&
                            values_.is_tuple(operands_[0]);
    const bool tuple = as_operand || type_of_.is_tuple(shape);
    FusionOp op;
    op.kind = hlo_kind(lexer_, module_, instruction, problems_);
    // A row that yields one array stands for no op of several results, nor for a fold of several arrays.
    const bool several = tuple || (op.kind == OpKind::reduce && operands_.size() != 2);
    if (several && op_info(op.kind).op_class != OpClass::Opaque) op.kind = OpKind::foreign;
    if (!read_inputs(instruction, op)) return values_.unknown();
    read_attributes(lexer_, module_, instruction, op, problems_);
    if (tuple) {
      if (opcode == "reduce" && !input_spans_.empty()) {
        const HloFold fold{instruction, input_spans_[0], scope()};
        if (const auto pair = hlo_place_fold(lexer_, module_, fold, op, values_, out_)) return *pair;
      }
      if (op.kind == OpKind::foreign) op.foreign_kind = std::string(opcode);
      return tuple_op(std::move(op), instruction, shape);
    }
    const std::optional<HloArray> array = type_of_.array(instruction, out_.graph, op);
    if (!array) return values_.unknown();
    HloTypeOf::give(*array, op);
    const bool spread = frames_.back().map != kHloNone;
    if (spread)
      spread_hlo_op(out_.graph, op);
    else
      rules_.check_operands(instruction, out_, op, input_spans_);
    read_total_order(lexer_, module_, instruction, out_.graph, op);
    if (op.kind == OpKind::constant && op.output_shape.empty()) {
      const auto value = read_scalar(lexer_, instruction, op.dtype, array->foreign_dtype, problems_);
      if (value) op.attributes.push_back({"value", *value});
    }
    if (op.kind == OpKind::reduce) {
      read_reducer(lexer_, module_, type_of_.computation(instruction, "to_apply"), out_.graph, op);
      input_spans_.resize(op.inputs.size());
    }
    if (std::optional<FusionOp> bits = split_bitcast(opcode, out_, array->layout, op)) {
      const std::string name = std::string(name_of(instruction)) + ".bits";
      op.inputs[0] = out_.add(std::move(*bits), instruction.whole, name, scope(), false, input_spans_);
    }
    if (op.kind == OpKind::foreign) op.foreign_kind = std::string(opcode);
    const uint32_t id = out_.add(std::move(op), instruction.whole, name_of(instruction), scope(),
                                 own(instruction), input_spans_);
    if (!spread) out_.set_layout(id, array->layout);
    return values_.op(id);
  }

  uint32_t tuple_op(FusionOp op, const HloInstruction& instruction, HloSpan shape) {
    auto first = static_cast<uint32_t>(types_.nodes.size());
    const auto root =
        shape.length == 0 ? std::optional(values_.type_of(operands_[0])) : type_of_.tree(instruction, shape);
    if (root && shape.length > 0) first = type_of_.first_node(*root);
    if (!root || out_.budget.exhausted) return values_.unknown();
    op.dtype = DType::foreign;
    op.dtype_bytes = 1;
    op.foreign_dtype = "tuple";
    op.output_shape = {type_of_.bytes(first, *root, instruction)};
    const uint32_t id = out_.add(std::move(op), instruction.whole, name_of(instruction), scope(),
                                 own(instruction), input_spans_);
    return values_.results(id, *root);
  }

  const HloLexer& lexer_;
  const HloModule& module_;
  HloProblems& problems_;
  HloGraph& out_;
  HloTypes types_;
  HloRules rules_;
  HloOrder order_;
  HloTypeOf type_of_;
  HloValues values_;
  std::vector<Frame> frames_;
  std::vector<uint32_t> slots_;      ///< value ids; [0] is ENTRY's result
  std::vector<uint32_t> arguments_;  ///< of all frames
  std::vector<Shape> map_shapes_;
  std::vector<bool> active_;        ///< computations on the stack of frames
  std::vector<bool> reached_;       ///< computations that were walked
  std::vector<uint32_t> operands_;  ///< values of the instruction at hand
  std::vector<HloSpan> operand_spans_;
  std::vector<HloSpan> input_spans_;
};

}  // namespace

void build_hlo_graph(const HloLexer& lexer, const HloModule& module, HloProblems& problems, HloGraph& out) {
  Builder(lexer, module, problems, out).run();
}

}  // namespace fuseboard
