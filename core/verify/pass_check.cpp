// Preparing to hold passes; then elements first, each step in order, the stores last.
// It must not know launches, nor how PTX is run.
#include "verify/pass_check.h"

#include <algorithm>
#include <utility>

#include "verify/register_value.h"
#include "verify/seeded_values.h"

namespace fuseboard {

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

void PassCheck::prepare_tensors() {
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
}

bool PassCheck::prepare(std::string& fault) {
  prepare_tensors();
  size_t most = 0;
  for (const TracedBody& each : setup_.emitted.bodies) {
    std::optional<BodyWalk> walk = BodyWalk::make(setup_.graph, each, fault);
    if (!walk) return false;
    Body body;
    body.walk = std::move(*walk);
    if (!prepare_steps(each, body, fault)) return false;
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

bool PassCheck::prepare_steps(const TracedBody& traced, Body& body, std::string& fault) {
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
      step.reference =
          std::make_unique<PointReference>(setup_.graph, each.op, scalar_of(setup_.scalar, each.op));
    }
    if (each.kind == StepKind::immediate) {
      const std::optional<Tensor> known = evaluate_op(setup_.graph, each.op, {});
      const DType dtype = setup_.graph.op(each.op).dtype;
      if (!known || !known->known) {
        fault = setup_.graph.name_of(each.op) + " stands as an immediate, but its value is not known";
        return false;
      }
      step.known = element_from_bytes(dtype, known->bytes.data());
    }
    if (each.is_contracted && (!setup_.fast || each.operands.size() != 2)) {
      fault = setup_.graph.name_of(each.op) + " stands inside an fma, which only a product in math: fast may";
      return false;
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
      case StepKind::fold:
        break;  // not in a loop
    }
  }
  for (uint32_t store = 0; store < body.stores.size(); ++store) {
    if (!check_store(body, pass, store)) return;
  }
}

}  // namespace fuseboard
