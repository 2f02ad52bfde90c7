// Holding one pass: its elements, a load, a value, a store.
// It must not know launches, nor how PTX is run.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "ptx/rounding.h"
#include "verify/pass_check.h"
#include "verify/register_value.h"

namespace fuseboard {
namespace {

template <class Do>
void for_lanes(uint32_t lanes, Do act) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) act(static_cast<uint32_t>(__builtin_ctz(left)));
}

}  // namespace

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
  return map_elements(body, pass);
}

bool PassCheck::map_elements(const Body& body, const TracedPass& pass) {
  const BodyWalk& walk = body.walk;
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

Element PassCheck::seen_value(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane) {
  const StepFacts& facts = body.steps[step];
  return facts.is_traced ? register_value(facts.arithmetic, pass.rows[step][lane]) : facts.known;
}

float PassCheck::f32_of(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane) const {
  const DType dtype = setup_.graph.op(body.steps[step].op).dtype;
  const Element value = seen_value(body, pass, step, lane);
  const bool is_float = dtype_class(dtype) == DTypeClass::Float;
  return static_cast<float>(is_float ? value.real : converted(dtype, DType::f32, value).real);
}

Element PassCheck::value_of(const Body& body, const TracedPass& pass, uint32_t step, uint32_t lane) const {
  const StepFacts& facts = body.steps[step];
  if (!facts.is_contracted) return seen_value(body, pass, step, lane);
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
  // Not std::fma of floats: where no rounding mode can be set, as in wasm, musl's rounds ties twice.
  const double sign = is_difference && !is_first ? -1 : 1;
  const double added = static_cast<double>(is_difference && is_first ? -addend : addend);
  const float expected =
      static_cast<float>(ptx::fma_to_odd(sign * static_cast<double>(first), second, added));
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
    } else if (facts.is_fused) {
      verdict = hold_fused(body, pass, facts, lane, got);
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
    // A bool of 2 reads as true, but is none: only what a NaN carries may differ.
    const bool is_float = dtype_class(tensor.dtype) == DTypeClass::Float;
    if (is_float && is_same_element(tensor.dtype, got, wanted)) return;
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

void PassCheck::note_worst(const StepFacts& step, uint64_t element, const Held& held) {
  if (worst_ && held.ulps * worst_->bound <= worst_->ulps * held.bound) return;
  worst_ = {step.op, element, held.ulps, held.bound};
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
