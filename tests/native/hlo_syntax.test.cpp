// The syntax that HLO text may have (shared/inputs/HAZARDS.md), a hazard a case.
// It must not know what opcodes become.
#include "hlo_checks.h"

using namespace hlo;

TEST_CASE("HLO: layouts, buffers and bounds of every form") {
  for (const char* shape :
       {"f32[2,3]", "f32[2,3]{1,0}", "f32[2,3]{1,0:T(8,128)(2,1)S(1)}", "f32[2,3]{1,0:E(4)}", "f32[ 2, 3 ]",
        "f32 [2,3]", "f32[<=2,3]", "f32[2,<=3]{1,0}", "b(f32[2,3]{1,0})", "f32[2,/*index=1*/3]"}) {
    INFO(shape);
    CHECK(op(graph_of(entry("ROOT x = " + std::string(shape) + " parameter(0)")), "x").output_shape ==
          Shape{2, 3});
  }
  CHECK(op(graph_of(entry("ROOT x = u32[]{:T(128)} parameter(0)")), "x").output_shape.empty());
}

TEST_CASE("HLO: types of every width") {
  for (const auto& [text, bytes] : std::initializer_list<std::pair<const char*, uint32_t>>{{"pred", 1},
                                                                                           {"s4", 1},
                                                                                           {"u4", 1},
                                                                                           {"s16", 2},
                                                                                           {"bf16", 2},
                                                                                           {"f8e4m3fn", 1},
                                                                                           {"f8e8m0fnu", 1},
                                                                                           {"f4e2m1fn", 1},
                                                                                           {"c64", 8},
                                                                                           {"c128", 16},
                                                                                           {"s64", 8},
                                                                                           {"f64", 8}}) {
    const FusionGraph graph =
        graph_of(entry("x = " + std::string(text) + "[4] parameter(0)\nROOT y = " + text + "[4] add(x, x)"));
    INFO(text);
    CHECK(op(graph, "y").dtype_bytes == bytes);
    CHECK(op(graph, "y").kind == OpKind::add);
  }
}

TEST_CASE("HLO: comments, tables and decorations around and between instructions") {
  const FusionGraph graph = graph_of(
      "/* a comment { ( */ // RUN: %s { \"\n# RUN: [[\n"
      "  HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) "
      "},entry_computation_layout={(f32[2]{0}, "
      "/*index=1*/f32[2]{0})->f32[2]{0}}\n\n"
      "FileNames\n1 \"/a/\\\"b\\\".py\"\n2 \"ENTRY {\"\n\nFunctionNames\n1 \"<lambda>\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=1 line=3}\n\nStackFrames\n1 {file_location_id=1 "
      "parent_frame_id=1}\n\n"
      "%region_0.1 {\n  ROOT %r = f32[] parameter(0)\n} // region_0.1\n\n"
      "ENTRY %main.3 (a: f32[2], b: f32[2]) -> f32[2] {\n"
      "  a = f32[2]{0} parameter(0), sharding={devices=[2,1]0,1 last_tile_dim_replicate}\n"
      "  // CHECK: [[X]] {\n  # CHECK-SAME{LITERAL}: {{\n"
      "  %b = f32[2]{0} parameter(1), sharding={replicated}, metadata={op_name=\"jit(f)/add{(\\\"\" "
      "stack_frame_id=3}\n"
      "  %s =\n    f32[2]{0}\n    add(%a,\n        /*index=1*/b),\n    replica_groups=[2,64]<=[128], "
      "dim_labels=0bf_io0->0bf,\n"
      "    backend_config={sizes:[128],\n      \"k\": {\"a\": \"}\"}}, literal=s32[] 1\n"
      "  ROOT %c = f32[2] custom-call(%s), custom_call_target=\"__cudnn$fmha\", "
      "replica_groups=mesh['x'=2,'y'=2] {'x'}\n"
      "  dead = f32[2] negate(c), origin={{\"c\"}}\n}, execution_thread=\"host\"\n");
  CHECK(inputs(graph, "s") == "a b");
  CHECK(outputs(graph) == "c");
  CHECK(std::get<std::string>(*op(graph, "c").attribute("target")) == "__cudnn$fmha");
  CHECK(inputs(graph, "dead") == "c");  // nothing is dropped
}

TEST_CASE("HLO: names have their computation for scope, with or without %") {
  const FusionGraph graph =
      graph_of(entry("%a = f32[2] parameter(0)\nb = f32[2] negate(a)\nROOT c = f32[2] negate(%b)",
                     "f {\n a = f32[9] parameter(0)\n ROOT b = f32[9] abs(a)\n}\n"));
  CHECK(graph.size() == 3);
  CHECK(op(graph, "b").kind == OpKind::neg);
}

TEST_CASE("HLO: a whole computation on one line, ROOT first, uses before definitions") {
  const FusionGraph graph =
      graph_of("ENTRY e { ROOT r = f32[2] add(a, b) b = f32[2] negate(a) a = f32[2] parameter(0) }");
  CHECK(outputs(graph) == "r");
  CHECK(graph.op(0).name == "a");
  CHECK(graph.op(2).name == "r");
}

TEST_CASE("HLO: instructions within operands, computations within attributes, elements by #") {
  const FusionGraph graph = graph_of(
      entry("p = (f32[2], (f32[2])) parameter(0)\na = f32[2] add(negate(p#0), f32[2] abs(f32[2] p#1#0))\n"
            "ROOT c = f32[2] call(a), to_apply=\n  {\n    x = f32[2] parameter(0)\n    ROOT y = f32[2] "
            "sine(x)\n  }"));
  CHECK(inputs(graph, "a") == "negate abs");
  CHECK(inputs(graph, "abs") == "p.1");
  CHECK(inputs(graph, "y") == "a");
  CHECK(outputs(graph) == "y");
}

TEST_CASE("HLO: without ENTRY the last computation is planned") {
  CHECK(outputs(graph_of("f { ROOT a = f32[] parameter(0) }\ng { ROOT b = f32[] parameter(0) }\n")) == "b");
}

TEST_CASE("HLO: of several modules the first is planned, and a note says so") {
  const std::string one = "HloModule a\n// -----\nHloModule b\n";
  for (const std::string& between : {std::string("\n// -----\n\n"), std::string("")}) {
    const std::string text = entry("ROOT x = f32[] parameter(0)") + between + "HloModule second\nENTRY e {";
    CHECK(outputs(graph_of(text)) == "x");
    const Complaint note = complaint(text, Code::unsupported, Severity::note);
    CHECK(note.diagnostic.message.find("first") != std::string::npos);
  }
  // A separator with nothing behind it, and decoration that looks like one, end nothing.
  CHECK(read_hlo(entry("ROOT x = f32[] parameter(0)") + "\n// -----\n").diagnostics.empty());
  CHECK(
      outputs(graph_of(
          "f { ROOT a = f32[] parameter(0) }\n// ------------\nENTRY g { ROOT b = f32[] parameter(0) }\n")) ==
      "b");
}

TEST_CASE("HLO: the format is recognised from the text") {
  for (const char* text :
       {"HloModule m", "  /* c */ HloModule m, x=1", "log line\nHloModule m\n", "ENTRY main {\n}",
        "%f (x: f32[]) -> f32[] {", "region_0.1 {\n  ROOT a = f32[] parameter(0)\n}", "%a = f32[2] add(b, c)",
        "# RUN\nhlo_module {\n  name: \"m\"\n}", "name: \"m\"\ncomputations {"}) {
    INFO(text);
    CHECK(recognise_hlo(text));
  }
  for (const char* text :
       {"", "{\"ops\": []}", "module {\n  func.func @main() {\n}", "digraph g {\n a -> b\n}",
        "graph():\n  %x : [num_users=1]", "def forward(self, x):", ".version 8.1\n.target sm_90",
        "fn (%x: Tensor[(1, 2), float32]) {", "name = 3", "[1, 2]"}) {
    INFO(text);
    CHECK_FALSE(recognise_hlo(text));
  }
}
