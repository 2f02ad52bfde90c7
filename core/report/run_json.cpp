// A verification's report, kernel by kernel.
// It must not know pages, nor how a kernel runs.
#include "report/run_json.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "report/counters_json.h"
#include "report/json_writer.h"

namespace fuseboard {
namespace {

std::string_view kind_text(RunKind kind) {
  switch (kind) {
    case RunKind::full:
      return "full";
    case RunKind::sampled:
      return "sampled";
    case RunKind::library:
      return "library";
    case RunKind::fresh:
      return "fresh";
    case RunKind::none:
      return "none";
  }
  return "";
}

std::string_view verdict_text(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::pending:
      return "pending";
    case RunVerdict::verified:
      return "verified";
    case RunVerdict::held:
      return "held";
    case RunVerdict::failed:
      return "failed";
    case RunVerdict::faulted:
      return "faulted";
    case RunVerdict::skipped:
      return "skipped";
    case RunVerdict::cancelled:
      return "cancelled";
  }
  return "";
}

std::string_view what_text(Mismatch::What what) {
  switch (what) {
    case Mismatch::What::value:
      return "value";
    case Mismatch::What::load:
      return "load";
    case Mismatch::What::store:
      return "store";
    case Mismatch::What::unwritten:
      return "unwritten";
    case Mismatch::What::differs_from_unfused:
      return "differs-from-unfused";
  }
  return "";
}

class RunWriter {
 public:
  explicit RunWriter(const FusionGraph& graph) : graph_(graph) {}

  JsonWriter& json() { return json_; }

  void kernel(const KernelRun& run, const Kernel& kernel) {
    json_.new_line().begin_object().field("kernel", run.kernel).field("entry", kernel.entry);
    json_.field("name", kernel.name).field("kind", kind_text(run.kind));
    json_.field("verdict", verdict_text(run.verdict)).field("note", run.note);
    json_.field("blocks_run", run.blocks_run).field("blocks", run.blocks);
    json_.field("elements_held", run.elements_held).field("values_held", run.values_held);
    json_.field("output_elements", run.output_elements);
    worst(run);
    mismatch(run);
    json_.key("fault");
    if (run.fault) {
      write_fault(json_, *run.fault);
    } else {
      json_.null();
    }
    bytes("read", run.read);
    bytes("written", run.written);
    shrunk(run);
    counters(run);
    json_.end_object();
  }

 private:
  /// The coordinates of an element of an op.
  void element(uint32_t op, uint64_t offset) {
    const Shape& shape = graph_.op(op).output_shape;
    Shape at(shape.size());
    for (size_t d = shape.size(); d-- > 0;) {
      at[d] = shape[d] == 0 ? 0 : offset % shape[d];
      offset = shape[d] == 0 ? 0 : offset / shape[d];
    }
    json_.field("op", op).field("element", std::span<const uint64_t>(at));
  }

  void worst(const KernelRun& run) {
    json_.key("worst");
    if (!run.worst) {
      json_.null();
      return;
    }
    json_.begin_object();
    element(run.worst->op, run.worst->element);
    json_.field("ulps", run.worst->ulps).field("bound", run.worst->bound).end_object();
  }

  void mismatch(const KernelRun& run) {
    json_.key("mismatch");
    if (!run.mismatch) {
      json_.null();
      return;
    }
    const Mismatch& found = *run.mismatch;
    json_.begin_object().field("what", what_text(found.what));
    element(found.op, found.element);
    json_.field("line", found.line).key("operands").begin_array();
    for (const auto& [op, value] : found.operands) {
      json_.begin_object().field("op", op).field("value", value).end_object();
    }
    json_.end_array().field("expected", found.expected).field("got", found.got).field("ulps", found.ulps);
    json_.field("bound", found.bound).field("message", found.message).end_object();
  }

  void bytes(std::string_view name, const PromisedBytes& promise) {
    json_.key(name).begin_object().field("promised", promise.promised).field("measured", promise.measured);
    json_.field("must_be_equal", promise.must_be_equal);
    json_.field("equal", promise.promised == promise.measured).field("why_not", promise.why_not).end_object();
  }

  void shrunk(const KernelRun& run) {
    json_.key("shrunk");
    if (!run.shrunk) {
      json_.null();
      return;
    }
    json_.begin_object().field("verdict", verdict_text(run.shrunk->verdict));
    json_.field("shapes", run.shrunk->shapes).field("why_not", run.shrunk->why_not).end_object();
  }

  void ratio(std::string_view name, uint64_t numerator, uint64_t denominator) {
    json_.key(name);
    if (denominator == 0) {
      json_.null();
    } else {
      json_.value(static_cast<double>(numerator) / static_cast<double>(denominator));
    }
  }

  void counters(const KernelRun& run) {
    json_.key("counters");
    const ptx::Counters& counted = run.counters;
    if (counted.threads == 0) {
      json_.null();
    } else {
      write_counters(json_, counted);
    }
    ratio("instructions_per_element", counted.thread_instructions, run.output_elements);
    ratio("sectors_per_load_request", counted.global_load_sectors, counted.global_load_requests);
    ratio("sectors_per_store_request", counted.global_store_sectors, counted.global_store_requests);
  }

  const FusionGraph& graph_;
  JsonWriter json_;
};

}  // namespace

std::string no_run_json() {
  JsonWriter json;
  json.begin_object().field("version", kRunJsonVersion).field("state", "none").end_object();
  return json.take();
}

std::string run_json(const FusionGraph& graph, const std::vector<Kernel>& kernels,
                     const std::vector<uint32_t>& launched, const VerifyOptions& options,
                     const VerifyReport& report) {
  RunWriter writer(graph);
  JsonWriter& json = writer.json();
  const std::string_view state = report.cancelled ? "cancelled" : report.finished ? "finished" : "running";
  const auto done = std::count_if(report.kernels.begin(), report.kernels.end(), [](const KernelRun& each) {
    return each.verdict != RunVerdict::pending && each.verdict != RunVerdict::cancelled;
  });
  json.begin_object().field("version", kRunJsonVersion).field("state", state).field("seed", options.seed);
  json.field("full", options.full).field("kernels_done", done).field("kernels_total", launched.size());
  json.field("progress", report.progress).field("verified", report.verified());
  json.field("passed", report.passed()).key("kernels").begin_array();
  for (size_t i = 0; i < launched.size(); ++i) writer.kernel(report.kernels[i], kernels[launched[i]]);
  json.end_array().key("fused_equals_unfused").begin_object().field("compared", report.unfused.compared);
  json.field("equal", report.unfused.compared && report.unfused.equal)
      .field("why_not", report.unfused.why_not);
  json.field("tensors", report.unfused.tensors)
      .field("left_out", report.unfused.left_out)
      .end_object()
      .end_object();
  return json.take();
}

}  // namespace fuseboard
