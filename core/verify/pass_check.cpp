// Holding passes: elements first, then each step in order, then the stores.
// It must not know launches, nor how PTX is run.
#include "verify/pass_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "verify/register_value.h"

namespace fuseboard {
namespace {

template <class Do>
void for_lanes(uint32_t lanes, Do act) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) act(static_cast<uint32_t>(__builtin_ctz(left)));
}

}  // namespace

std::unique_ptr<PassCheck> PassCheck::make(const PassCheckSetup& setup, std::string& fault) {
  std::unique_ptr<PassCheck> check(new PassCheck(setup));
  if (!check->prepare(fault)) return nullptr;
  return check;
}

uint32_t PassCheck::parameter_of(ParameterRole role, uint32_t op) const {
  const std::vector<KernelParameter>& parameters = setup_.kernel.parameters;
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const KernelParameter& each) {
    return each.role == role && each.op == op;
  });
  return found == parameters.end() ? kNone : static_cast<uint32_t>(found - parameters.begin());
}

bool PassCheck::prepare(std::string& fault) {
  for (size_t i = 0; i < setup_.kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = setup_.kernel.parameters[i];
    TensorAt tensor;
    tensor.op = parameter.op;
    tensor.dtype = parameter.dtype;
    tensor.bytes = dtype_bytes(parameter.dtype);
    tensor.elements = parameter.elements;
    if (parameter.role != ParameterRole::scalar) {
      tensor.buffer = setup_.buffers[i];
      tensor.address = setup_.memory.address(tensor.buffer);
    }
    tensors_.push_back(tensor);
  }
  size_t most = 0;
  for (const TracedBody& each : setup_.emitted.bodies) {
    Body body;
    if (!prepare_body(each, body, fault)) return false;
    most = std::max(most, body.walk.values.size());
    bodies_.push_back(std::move(body));
  }
  elements_.resize(most);
  for (const Trace& trace : setup_.emitted.traces) {
    if (trace.slot != 0 || trace.body >= bodies_.size()) continue;
    Body& body = bodies_[trace.body];
    if (trace.step >= body.steps.size()) continue;
    if (trace.kind == TraceKind::value) {
      body.steps[trace.step].line = trace.line;
      body.steps[trace.step].arithmetic = trace.arithmetic;
      body.steps[trace.step].is_traced = true;
    } else if (trace.kind == TraceKind::load) {
      body.steps[trace.step].access_line = trace.line;
    } else {
      for (StoreFacts& store : body.stores) {
        if (store.step == trace.step) store.line = trace.line;
      }
    }
  }
  return true;
}

bool PassCheck::prepare_body(const TracedBody& traced, Body& body, std::string& fault) {
  std::optional<BodyWalk> walk = BodyWalk::make(setup_.graph, traced, fault);
  if (!walk) return false;
  body.walk = std::move(*walk);
  for (const TracedBody::Step& each : traced.steps) {
    StepFacts step;
    step.kind = each.kind;
    step.op = each.op;
    step.operands = each.operands;
    step.is_contracted = each.is_contracted;
    if (each.kind == StepKind::load) {
      step.parameter = parameter_of(ParameterRole::input, each.op);
      if (step.parameter == kNone) {
        fault = setup_.graph.name_of(each.op) + " is loaded, but is no parameter";
        return false;
      }
    }
    if (each.kind == StepKind::compute && !each.is_contracted) {
      step.reference = std::make_unique<PointReference>(setup_.graph, each.op, setup_.scalar);
    }
    if (each.kind == StepKind::immediate) {
      const std::optional<Tensor> known = evaluate_op(setup_.graph, each.op, {});
      const DType dtype = setup_.graph.op(each.op).dtype;
      if (known && known->known) step.known = element_from_bytes(dtype, known->bytes.data());
    }
    for (const uint32_t operand : each.operands) {
      step.is_fused = step.is_fused || traced.steps[operand].is_contracted;
    }
    body.steps.push_back(std::move(step));
  }
  for (const uint32_t step : traced.stored) {
    StoreFacts store{step, parameter_of(ParameterRole::output, traced.steps[step].op), 0};
    if (store.parameter == kNone) {
      fault = setup_.graph.name_of(traced.steps[step].op) + " is stored, but is no parameter";
      return false;
    }
    body.stores.push_back(store);
  }
  return true;
}

bool PassCheck::use(const TraceTable& table, std::string& fault) {
  for (uint32_t b = 0; b < bodies_.size(); ++b) {
    for (uint32_t s = 0; s < bodies_[b].steps.size(); ++s) {
      const StepFacts& step = bodies_[b].steps[s];
      const bool is_seen = table.has_value(b, s) && (step.kind != StepKind::load || table.has_load(b, s));
      if (is_seen || step.kind == StepKind::immediate || step.is_contracted) continue;
      fault = "no line shows the value of " + setup_.graph.name_of(step.op);
      return false;
    }
  }
  return true;
}

void PassCheck::pass_ended(const TracedPass& pass) {
  if (mismatch_) return;
  const Body& body = bodies_[pass.body];
  if (pass.partial_lanes != 0) {
    const StoreFacts& store = body.stores[0];
    fail({Mismatch::What::store,
          body.steps[store.step].op,
          0,
          store.line,
          {},
          "",
          "",
          0,
          0,
          "a pass makes some of its stores, but not all"});
    return;
  }
  if (!find_elements(body, pass)) return;
  for (uint32_t step = 0; step < body.steps.size(); ++step) {
    if (body.walk.value_of_step[step] == BodyWalk::kNoValue) continue;
    switch (body.steps[step].kind) {
      case StepKind::load:
        if (!check_load(body, pass, step)) return;
        break;
      case StepKind::immediate:
      case StepKind::compute:
        if (!check_value(body, pass, step)) return;
        break;
    }
  }
  for (uint32_t store = 0; store < body.stores.size(); ++store) {
    if (!check_store(body, pass, store)) return;
  }
}

bool PassCheck::find_elements(const Body& body, const TracedPass& pass) {
  const BodyWalk& walk = body.walk;
  for (uint32_t store = 0; store < walk.stores; ++store) {
    const StoreFacts& facts = body.stores[store];
    const TensorAt& tensor = tensors_[facts.parameter];
    const LaneRow& addresses = pass.rows[2 * body.steps.size() + store];
    uint32_t wrong = 0;
    for_lanes(pass.lanes, [&](uint32_t lane) {
      const uint64_t offset = addresses[lane] - tensor.address;
      elements_[store][lane] = offset / tensor.bytes;
      if (offset % tensor.bytes != 0 || offset / tensor.bytes >= tensor.elements) wrong |= 1U << lane;
    });
    if (wrong == 0) continue;
    const uint64_t address = addresses[static_cast<uint32_t>(__builtin_ctz(wrong))];
    return fail(
        {Mismatch::What::store,
         tensor.op,
         0,
         facts.line,
         {},
         "",
         "",
         0,
         0,
         "a store for " + setup_.graph.name_of(tensor.op) + " goes to " + setup_.memory.describe(address)});
  }
  for (size_t value = walk.stores; value < walk.values.size(); ++value) {
    const ElementMap& map = walk.maps[walk.values[value].map];
    const LaneRow& from = elements_[walk.values[value].from];
    for_lanes(pass.lanes, [&](uint32_t lane) { elements_[value][lane] = map.at(from[lane]); });
  }
  for (const BodyWalk::Agreement& each : walk.agreements) {
    uint32_t wrong = 0;
    for_lanes(pass.lanes, [&](uint32_t lane) {
      if (elements_[each.first][lane] != elements_[each.second][lane]) wrong |= 1U << lane;
    });
    if (wrong == 0) continue;
    const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(wrong));
    const StepFacts& step = body.steps[each.step];
    const uint64_t first = elements_[each.first][lane];
    const uint64_t second = elements_[each.second][lane];
    return fail({Mismatch::What::value,
                 step.op,
                 first,
                 step.line,
                 {},
                 "",
                 "",
                 0,
                 0,
                 "one value stands for " + place(step.op, first) + " and for " + place(step.op, second)});
  }
  return true;
}

bool PassCheck::check_load(const Body& body, const TracedPass& pass, uint32_t step) {
  const StepFacts& facts = body.steps[step];
  const TensorAt& tensor = tensors_[facts.parameter];
  const LaneRow& elements = elements_[body.walk.value_of_step[step]];
  const LaneRow& addresses = pass.rows[body.steps.size() + step];
  bool holds = true;
  for_lanes(pass.lanes, [&](uint32_t lane) {
    if (!holds) return;
    const uint64_t element = elements[lane];
    const uint64_t address = tensor.address + element * tensor.bytes;
    const std::string_view name = "a load of ";
    if (addresses[lane] != address) {
      holds =
          fail({Mismatch::What::load,
                facts.op,
                element,
                facts.access_line,
                {},
                setup_.memory.describe(address),
                setup_.memory.describe(addresses[lane]),
                0,
                0,
                std::string(name) + place(facts.op, element) + " reads " +
                    setup_.memory.describe(addresses[lane]) + ", not " + setup_.memory.describe(address)});
      return;
    }
    const uint64_t bits = setup_.values.bits(facts.op, element, tensor.bytes);
    uint8_t bytes[8];
    std::memcpy(bytes, &bits, sizeof bytes);
    const Element expected = element_from_bytes(tensor.dtype, bytes);
    const Element got = register_value(facts.arithmetic, pass.rows[step][lane]);
    if (is_same_element(tensor.dtype, expected, got)) return;
    holds = fail({Mismatch::What::load,
                  facts.op,
                  element,
                  facts.line,
                  {},
                  text(facts, expected),
                  text(facts, got),
                  0,
                  0,
                  std::string(name) + place(facts.op, element) + " gives " + text(facts, got) +
                      ", where memory holds " + text(facts, expected)});
  });
  values_held_ += static_cast<uint64_t>(__builtin_popcount(pass.lanes));
  return holds;
}

float PassCheck::f32_of(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane) const {
  const DType dtype = setup_.graph.op(body.steps[step].op).dtype;
  const Element value = value_of(body, pass, step, lane);
  const bool is_float = dtype_class(dtype) == DTypeClass::Float;
  return static_cast<float>(is_float ? value.real : converted(dtype, DType::f32, value).real);
}

Element PassCheck::value_of(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane) const {
  const StepFacts& facts = body.steps[step];
  if (facts.is_traced) return register_value(facts.arithmetic, pass.rows[step][lane]);
  if (!facts.is_contracted) return facts.known;
  const double first = f32_of(body, pass, facts.operands[0], lane);
  const double second = f32_of(body, pass, facts.operands[1], lane);
  return {first * second, 0};  // of two f32 values: exact in a double
}

Held PassCheck::hold_fused(const Body& body, const TracedPass& pass, const StepFacts& facts, uint32_t lane,
                           Element got) const {
  const bool is_first = body.steps[facts.operands[0]].is_contracted;
  const bool is_difference = setup_.graph.op(facts.op).kind == OpKind::sub;
  const std::vector<uint32_t>& factors = body.steps[facts.operands[is_first ? 0 : 1]].operands;
  const float first = f32_of(body, pass, factors[0], lane);
  const float second = f32_of(body, pass, factors[1], lane);
  const float addend = f32_of(body, pass, facts.operands[is_first ? 1 : 0], lane);
  const float expected = is_first ? std::fma(first, second, is_difference ? -addend : addend)
                                  : std::fma(is_difference ? -first : first, second, addend);
  Held held;
  held.expected.real = static_cast<double>(expected);
  held.holds = is_same_element(DType::f32, held.expected, got);
  const float next = std::nextafter(std::fabs(expected), std::numeric_limits<float>::infinity());
  if (!held.holds)
    held.ulps = std::fabs(got.real - held.expected.real) / static_cast<double>(next - std::fabs(expected));
  return held;
}

bool PassCheck::check_value(const Body& body, const TracedPass& pass, uint32_t step) {
  const StepFacts& facts = body.steps[step];
  if (!facts.is_traced) return true;
  const LaneRow& elements = elements_[body.walk.value_of_step[step]];
  const bool is_known = facts.kind == StepKind::immediate;
  operands_.resize(facts.operands.size());
  bool holds = true;
  for_lanes(pass.lanes, [&](uint32_t lane) {
    if (!holds) return;
    const Element got = register_value(facts.arithmetic, pass.rows[step][lane]);
    Held verdict;
    if (is_known) {
      verdict = {is_same_element(setup_.graph.op(facts.op).dtype, facts.known, got), 0, 0, facts.known};
    } else {
      for (size_t i = 0; i < operands_.size(); ++i)
        operands_[i] = value_of(body, pass, facts.operands[i], lane);
      verdict = facts.reference->hold(operands_, elements[lane], setup_.fast, got);
    }
    if (verdict.holds) {
      if (verdict.ulps > 0) note_worst(facts, elements[lane], verdict);
      return;
    }
    Mismatch found{Mismatch::What::value,         facts.op,         elements[lane], facts.line,    {},
                   text(facts, verdict.expected), text(facts, got), verdict.ulps,   verdict.bound, ""};
    for (const uint32_t operand : facts.operands) {
      found.operands.emplace_back(body.steps[operand].op,
                                  text(body.steps[operand], value_of(body, pass, operand, lane)));
    }
    found.message = place(facts.op, elements[lane]) + " is " + found.got + ", not " + found.expected;
    holds = fail(std::move(found));
  });
  values_held_ += static_cast<uint64_t>(__builtin_popcount(pass.lanes));
  return holds;
}

bool PassCheck::check_store(const Body& body, const TracedPass& pass, uint32_t store) {
  const StoreFacts& facts = body.stores[store];
  const StepFacts& step = body.steps[facts.step];
  TensorAt& tensor = tensors_[facts.parameter];
  const LaneRow& elements = elements_[store];
  uint64_t first = ~uint64_t{0};
  uint64_t last = 0;
  for_lanes(pass.lanes, [&](uint32_t lane) {
    first = std::min(first, elements[lane]);
    last = std::max(last, elements[lane]);
  });
  if (first > last) return true;
  const bool is_near = last - first < 1024;
  bytes_.resize((is_near ? last - first + 1 : 1) * tensor.bytes);
  if (is_near) setup_.memory.read(tensor.buffer, first * tensor.bytes, bytes_);
  bool holds = true;
  for_lanes(pass.lanes, [&](uint32_t lane) {
    if (!holds) return;
    if (!is_near) setup_.memory.read(tensor.buffer, elements[lane] * tensor.bytes, bytes_);
    const uint8_t* stored = &bytes_[is_near ? (elements[lane] - first) * tensor.bytes : 0];
    const Element value = value_of(body, pass, facts.step, lane);
    uint8_t expected[8] = {};
    element_to_bytes(tensor.dtype, value, expected);
    if (std::memcmp(stored, expected, tensor.bytes) == 0) return;
    const Element got = element_from_bytes(tensor.dtype, stored);
    const Element wanted = element_from_bytes(tensor.dtype, expected);
    if (is_same_element(tensor.dtype, got, wanted)) return;
    const std::string got_text = element_text(tensor.dtype, got);
    const std::string wanted_text = element_text(tensor.dtype, wanted);
    holds = fail({Mismatch::What::store,
                  step.op,
                  elements[lane],
                  facts.line,
                  {},
                  wanted_text,
                  got_text,
                  0,
                  0,
                  place(step.op, elements[lane]) + " is stored as " + got_text + ", not as " + wanted_text});
  });
  const uint64_t count = static_cast<uint64_t>(__builtin_popcount(pass.lanes));
  tensor.stored += count;
  elements_held_ += count;
  return holds;
}

void PassCheck::note_worst(const StepFacts& step, uint64_t element, const Held& verdict) {
  // ulps / bound > worst.ulps / worst.bound, where a bound of 0 that holds has ulps within an absolute part
  if (worst_ && verdict.ulps * worst_->bound <= worst_->ulps * verdict.bound) return;
  worst_ = {step.op, element, verdict.ulps, verdict.bound};
}

bool PassCheck::fail(Mismatch mismatch) {
  mismatch_ = std::move(mismatch);
  return false;
}

std::string PassCheck::text(const StepFacts& step, Element value) const {
  const DType dtype = setup_.graph.op(step.op).dtype;
  const bool stands_as_f32 = dtype == DType::f16 || dtype == DType::bf16;
  return element_text(stands_as_f32 ? DType::f32 : dtype, value);
}

std::string PassCheck::place(uint32_t op, uint64_t element) const {
  return setup_.graph.name_of(op) + coordinates_text(setup_.graph.op(op).output_shape, element);
}

}  // namespace fuseboard
