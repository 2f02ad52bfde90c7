// What HLO text becomes: kinds, attributes, constants, tuples, calls and maps, a rule a case.
// It must not know the files of shared/inputs; hlo_inputs.test.cpp reads those.
#include <cmath>

#include "hlo_checks.h"

using namespace hlo;

TEST_CASE("HLO: a module of elementwise ops becomes ops of the table's kinds") {
  const FusionGraph graph = graph_of(
      "HloModule jit_f, entry_computation_layout={(f32[8]{0})->pred[8]{0}}\n\n"
      "ENTRY %main.4 (x: f32[8]) -> pred[8] {\n"
      "  %x = f32[8]{0} parameter(0), metadata={op_name=\"x, (y) {z}\"}\n"
      "  %one = f32[] constant(1)\n"
      "  %b = f32[8]{0} broadcast(f32[] %one), dimensions={}\n"
      "  %add.1 = f32[8]{0} add(f32[8]{0} %x, f32[8]{0} %b)\n"
      "  ROOT %lt = pred[8]{0} compare(%add.1, %x), direction=LT\n}\n");
  CHECK(op(graph, "x").kind == OpKind::input);
  CHECK(std::get<double>(*op(graph, "one").attribute("value")) == 1.0);
  CHECK(op(graph, "b").kind == OpKind::broadcast);
  CHECK(ints(graph, "b", "axes").empty());
  CHECK(op(graph, "add.1").kind == OpKind::add);
  CHECK(inputs(graph, "add.1") == "x b");
  CHECK(op(graph, "lt").kind == OpKind::lt);
  CHECK(op(graph, "lt").dtype == DType::boolean);
  CHECK(outputs(graph) == "lt");
}

TEST_CASE("HLO: every opcode that the table names gets its row's kind") {
  for (const auto& [opcode, kind] : std::initializer_list<std::pair<const char*, OpKind>>{
           {"negate(x)", OpKind::neg},
           {"exponential-minus-one(x)", OpKind::expm1},
           {"log-plus-one(x)", OpKind::log1p},
           {"logistic(x)", OpKind::sigmoid},
           {"erf(x)", OpKind::erf},
           {"tan(x)", OpKind::tan},
           {"cbrt(x)", OpKind::cbrt},
           {"round-nearest-afz(x)", OpKind::round},
           {"round-nearest-even(x)", OpKind::round_even},
           {"atan2(x, x)", OpKind::atan2},
           {"remainder(x, x)", OpKind::rem},
           {"clamp(x, x, x)", OpKind::clamp},
           {"copy(x)", OpKind::copy},
           {"convert(x)", OpKind::cast},
           {"reduce-precision(x), exponent_bits=8, mantissa_bits=7", OpKind::reduce_precision},
           {"dot(x, x), lhs_contracting_dims={}, rhs_contracting_dims={}", OpKind::matmul},
           {"convolution(x, x), dim_labels=b_i->b", OpKind::conv},
           {"sort(x), dimensions={0}, to_apply=s", OpKind::sort},
           {"custom-call(x), custom_call_target=\"f\"", OpKind::call},
           {"acos(x)", OpKind::acos},
           {"atanh(x)", OpKind::atanh},
           {"cosh(x)", OpKind::cosh},
           {"stochastic-convert(x, x)", OpKind::foreign},
           {"dynamic-slice(x, x)", OpKind::foreign}}) {
    const FusionGraph graph =
        graph_of(entry(std::string("x = f32[4] parameter(0)\nROOT r = f32[4] ") + opcode));
    INFO(opcode);
    CHECK(op(graph, "r").kind == kind);
  }
  const FusionGraph bits = graph_of(
      entry("x = s32[4] parameter(0)\na = s32[4] popcnt(x)\nb = s32[4] count-leading-zeros(a)\nc = s32[4] "
            "xor(a, b)\n"
            "d = s32[4] shift-right-logical(c, x)\ne = f32[4] bitcast-convert(d)\nf = pred[4] is-finite(e)\n"
            "g = pred[4] not(f)\nROOT s = s32[4] select(g, c, d)"));
  CHECK(op(bits, "b").kind == OpKind::clz);
  CHECK(op(bits, "e").kind == OpKind::bitcast_convert);
  CHECK(op(bits, "s").kind == OpKind::select);
  CHECK(op(bits, "d").dtype == DType::i32);
}

TEST_CASE("HLO: views and moves get their attributes") {
  const FusionGraph graph = graph_of(
      entry("x = f32[2,3] parameter(0)\nz = f32[] constant(0)\n"
            "b = f32[2,5,3] broadcast(x), dimensions={0, 2}\nr = f32[6]{0} reshape(x)\n"
            "c = f32[3,2]{0,1:T(8,128)} bitcast(x)\nt = f32[3,2] transpose(x), dimensions={1,0}\n"
            "v = f32[2,3] reverse(x), dimensions={1}\nk = f32[2,6] concatenate(x, x), dimensions={1}\n"
            "s = f32[1,2] slice(x), slice={[1:2], [0:3:2]}\n"
            "p = f32[4,4] pad(x, z), padding=1_1x-1_0_1\ni = s32[2,3] iota(), iota_dimension=1"));
  CHECK(ints(graph, "b", "axes") == std::vector<int64_t>{0, 2});
  CHECK(op(graph, "c").kind == OpKind::reshape);
  CHECK(ints(graph, "t", "perm") == std::vector<int64_t>{1, 0});
  CHECK(ints(graph, "v", "axes") == std::vector<int64_t>{1});
  CHECK(std::get<int64_t>(*op(graph, "k").attribute("axis")) == 1);
  CHECK(ints(graph, "s", "starts") == std::vector<int64_t>{1, 0});
  CHECK(ints(graph, "s", "limits") == std::vector<int64_t>{2, 3});
  CHECK(ints(graph, "s", "strides") == std::vector<int64_t>{1, 2});
  CHECK(ints(graph, "p", "low") == std::vector<int64_t>{1, -1});
  CHECK(ints(graph, "p", "high") == std::vector<int64_t>{1, 0});
  CHECK(ints(graph, "p", "interior") == std::vector<int64_t>{0, 1});
  CHECK(std::get<int64_t>(*op(graph, "i").attribute("axis")) == 1);
  CHECK(read_hlo(entry("x = f32[2] parameter(0)\nROOT y = f32[2] negate(x)")).diagnostics.empty());
}

TEST_CASE("HLO: a bitcast is a view, or a conversion of each element where the type changes") {
  const FusionGraph graph =
      graph_of(entry("x = f32[2,3] parameter(0)\na = s32[2,3] bitcast(x)\nb = s32[6] bitcast(x)\n"
                     "c = u8[2,3,4] bitcast(x)\nd = u8[2,3,4] bitcast-convert(x)"));
  CHECK(op(graph, "a").kind == OpKind::bitcast_convert);
  CHECK(op(graph, "b").kind == OpKind::reshape);
  CHECK(inputs(graph, "b") == "b.bits");
  CHECK(op(graph, "b.bits").kind == OpKind::bitcast_convert);
  CHECK(op(graph, "c").kind == OpKind::reshape);
  CHECK(op(graph, "d").kind == OpKind::foreign);  // one element becomes four
}

TEST_CASE(
    "HLO: a bitcast between layouts is a view that is marked relayout; a reshape is logical and is not") {
  const auto relayout = [](const std::string& from, const std::string& to) {
    const FusionGraph graph =
        graph_of(entry("p = " + from + " parameter(0)\nROOT b = " + to + " bitcast(p)"));
    CHECK(op(graph, "b").op_class() == OpClass::View);
    CHECK(op(graph, "b").kind == OpKind::reshape);
    const AttributeValue* found = op(graph, "b").attribute("relayout");
    return found != nullptr && std::get<bool>(*found);
  };
  CHECK_FALSE(relayout("f32[8,4]", "f32[4,8]"));
  CHECK_FALSE(relayout("f32[8,4]{1,0}", "f32[32]"));
  CHECK_FALSE(relayout("f32[8,4]{1,0:T(8,128)}", "f32[4,8]{1,0:T(8,128)(2,1)S(1)}"));
  CHECK_FALSE(relayout("f32[8,4]{0,1}", "f32[8,4]{0,1:T(8)}"));  // the same on both sides
  CHECK_FALSE(relayout("f32[8,1]{0,1}", "f32[8]{0}"));           // a dimension of size 1 has no order
  CHECK_FALSE(relayout("f32[8,1,4]{0,1,2}", "f32[8,4]{ 0 , 1 }"));
  CHECK(relayout("f32[8,4]{1,0}", "f32[4,8]{0,1}"));  // physically nothing, logically a transpose
  CHECK(relayout("f32[8,4]{0,1}", "f32[4,8]"));
  CHECK(relayout("f32[8,4]{0,1}", "f32[4,8]{0,1}"));
  CHECK(relayout("f32[2,3,4]{2,0,1}", "f32[2,3,4]{2,1,0}"));
  CHECK(relayout("f32[8]", "bf16[16]"));  // splits elements
  const FusionGraph graph =
      graph_of(entry("t = (f32[8,4]{0,1}, s32[]) custom-call(), custom_call_target=\"f\"\n"
                     "p = f32[8,4]{0,1} get-tuple-element(t), index=0\nr = f32[32] reshape(p)\n"
                     "a = s32[8,4]{0,1} bitcast(p)\nROOT b = s32[8,4] bitcast(p)"));
  CHECK(op(graph, "r").attribute("relayout") == nullptr);
  CHECK(op(graph, "a").kind == OpKind::bitcast_convert);
  CHECK(op(graph, "b").kind == OpKind::reshape);  // another order is no conversion in place
  CHECK(op(graph, "b").attribute("relayout") != nullptr);
  CHECK(op(graph, "b.bits").kind == OpKind::bitcast_convert);
  CHECK(op(graph, "b.bits").attributes.empty());
}

TEST_CASE("HLO: parameters that are not row-major, and operands of different layouts, are noted once") {
  const std::string two = "p = f32[8,4]{0,1} parameter(0)\nq = f32[8,4]{0,1} parameter(1)\n";
  const Result<ReadGraph> read = read_hlo(entry(two + "ROOT r = f32[8,4]{0,1} add(p, q)"));
  REQUIRE(read.diagnostics.size() == 1);
  CHECK(read.diagnostics[0].severity == Severity::note);
  CHECK(read.diagnostics[0].code == Code::unsupported);
  CHECK(read.diagnostics[0].place.path == "p");
  CHECK(complaint(entry("p = (s32[], f32[8,4]{0,1}) parameter(0)"), Code::unsupported, Severity::note)
            .diagnostic.place.path == "p.1");
  const std::string mixed =
      "x = f32[8,4]{1,0} parameter(0)\ny = f32[8,4]{0,1} transpose(t), dimensions={1,0}\n"
      "t = f32[4,8]{1,0} parameter(1)\nROOT s = f32[8,4]{1,0} add(x, y)";
  CHECK(complaint(entry(mixed), Code::unsupported, Severity::note).at == "y");
  CHECK(read_hlo(entry("p = f32[8,4]{1,0:T(8,128)} parameter(0)\nq = f32[1,4]{0,1} parameter(1)\n"
                       "ROOT r = f32[8,4] negate(p)"))
            .diagnostics.empty());
}

TEST_CASE("HLO: a compare by total order is marked where it differs from the plain one") {
  const auto is_marked = [](const std::string& dtype, const std::string& type) {
    const FusionGraph graph = graph_of(
        entry("x = " + dtype + "[4] parameter(0)\nROOT c = pred[4] " + "compare(x, x), direction=LT" + type));
    CHECK(op(graph, "c").kind == OpKind::lt);
    return op(graph, "c").attribute("total_order") != nullptr;
  };
  for (const char* dtype : {"f32", "bf16", "f16", "f64", "f8e4m3fn"}) {
    INFO(dtype);
    CHECK(is_marked(dtype, ", type=TOTALORDER"));
    CHECK_FALSE(is_marked(dtype, ", type=FLOAT"));
    CHECK_FALSE(is_marked(dtype, ""));
  }
  for (const char* dtype : {"s32", "u8", "s4", "pred"}) CHECK_FALSE(is_marked(dtype, ", type=TOTALORDER"));
}

TEST_CASE("HLO: strings are read as C writes them") {
  const auto target = [](const std::string& text) {
    const FusionGraph graph = graph_of(entry("ROOT r = f32[] custom-call(), custom_call_target=" + text));
    return std::get<std::string>(*op(graph, "r").attribute("target"));
  };
  CHECK(target(R"("x\"\\y")") == R"(x"\y)");
  CHECK(target(R"("\n\t\'\101\x42.\q")") == "\n\t'AB.q");
  CHECK(target(R"("")").empty());
}

TEST_CASE("HLO: a reduce takes its reducer from the computation and drops an identity") {
  const std::string sum = "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n";
  const std::string all =
      "all { a = pred[] parameter(0) b = pred[] parameter(1) ROOT r = pred[] and(b, a) }\n";
  const std::string odd =
      "odd { a = f32[] parameter(0) b = f32[] parameter(1) m = f32[] multiply(b, b) ROOT r = f32[] add(a, m) "
      "}\n";
  const FusionGraph graph = graph_of(entry(
      "x = f32[2,3] parameter(0)\nq = pred[2] parameter(1)\nz = f32[] constant(-0)\none = f32[] constant(1)\n"
      "t = pred[] constant(true)\n"
      "a = f32[2] reduce(x, z), dimensions={1}, to_apply=sum\nb = f32[2] reduce(x, one), dimensions={1}, "
      "to_apply=sum\n"
      "c = f32[2] reduce(x, z), dimensions={1}, to_apply=odd\nd = pred[] reduce(q, t), dimensions={0}, "
      "to_apply=all\n"
      "e = (f32[2], f32[2]) reduce(x, x, z, z), dimensions={1}, to_apply=two",
      sum + all + odd));
  CHECK(std::get<std::string>(*op(graph, "a").attribute("reducer")) == "sum");
  CHECK(inputs(graph, "a") == "x");
  CHECK(ints(graph, "a", "axes") == std::vector<int64_t>{1});
  CHECK(inputs(graph, "b") == "x one");
  CHECK(op(graph, "c").attribute("reducer") == nullptr);
  CHECK(inputs(graph, "c") == "x z");
  CHECK(std::get<std::string>(*op(graph, "d").attribute("reducer")) == "all");
  CHECK(inputs(graph, "d") == "q");
  CHECK(op(graph, "e").kind_text() == "reduce");
  CHECK(op(graph, "e").op_class() == OpClass::Opaque);
}

TEST_CASE("HLO: a reduce keeps an initial value that is no identity of its reducer") {
  const auto keeps = [](const std::string& dtype, const std::string& opcode, const std::string& init) {
    const FusionGraph graph =
        graph_of(entry("x = " + dtype + "[2,3] parameter(0)\ni = " + dtype + "[] constant(" + init +
                           ")\nROOT r = " + dtype + "[2] reduce(x, i), dimensions={1}, to_apply=f",
                       "f { a = " + dtype + "[] parameter(0) b = " + dtype +
                           "[] parameter(1) ROOT r = " + dtype + "[] " + opcode + "(a, b) }\n"));
    INFO(dtype << " " << opcode << " " << init);
    CHECK(op(graph, "r").attribute("reducer") != nullptr);
    return op(graph, "r").inputs.size() == 2;
  };
  for (const char* dtype : {"f32", "bf16", "f8e4m3fn"}) {
    CHECK(keeps(dtype, "add", "7"));
    CHECK(keeps(dtype, "multiply", "0"));
    CHECK(keeps(dtype, "maximum", "-448"));
    CHECK(keeps(dtype, "minimum", "-inf"));
    CHECK_FALSE(keeps(dtype, "add", "0"));
    CHECK_FALSE(keeps(dtype, "multiply", "1"));
    CHECK_FALSE(keeps(dtype, "maximum", "-inf"));
    CHECK_FALSE(keeps(dtype, "minimum", "inf"));
  }
  CHECK(keeps("s32", "add", "7"));
  CHECK(keeps("s32", "maximum", "-2147483647"));
  CHECK_FALSE(keeps("s32", "maximum", "-2147483648"));
  CHECK_FALSE(keeps("s4", "minimum", "7"));
  CHECK(keeps("u8", "minimum", "254"));
  CHECK_FALSE(keeps("u8", "minimum", "255"));
  CHECK_FALSE(keeps("u64", "maximum", "0"));
  CHECK(keeps("pred", "and", "false"));
  CHECK_FALSE(keeps("pred", "and", "true"));
  CHECK(keeps("pred", "or", "true"));
  CHECK_FALSE(keeps("pred", "or", "false"));
}

TEST_CASE("HLO: scalar constants have values of their type, others are resident data") {
  const FusionGraph graph =
      graph_of(entry("a = f32[] constant(-inf)\nb = bf16[]{:T(256)} constant(nan)\nc = s8[] constant(-128)\n"
                     "d = u64[] constant(18446744073709551615)\ne = pred[] constant(true)\nf = f32[2,2] "
                     "constant({ {1,2}, {3,4} })\n"
                     "g = f32[9] constant({...})\nh = c64[] constant((1, -2))\ni = f8e4m3fn[] "
                     "constant(448.)\nj = f64[] constant(1e-3)"));
  CHECK(std::get<double>(*op(graph, "a").attribute("value")) == -INFINITY);
  CHECK(std::isnan(std::get<double>(*op(graph, "b").attribute("value"))));
  CHECK(std::get<int64_t>(*op(graph, "c").attribute("value")) == -128);
  CHECK(std::get<uint64_t>(*op(graph, "d").attribute("value")) == UINT64_MAX);
  CHECK(std::get<bool>(*op(graph, "e").attribute("value")));
  for (const char* name : {"f", "g", "h"}) {
    CHECK(op(graph, name).kind == OpKind::constant);
    CHECK(op(graph, name).attribute("value") == nullptr);
  }
  CHECK(op(graph, "h").dtype_bytes == 8);
  CHECK(std::get<double>(*op(graph, "i").attribute("value")) == 448.0);
  CHECK(std::get<double>(*op(graph, "j").attribute("value")) == 1e-3);
}

TEST_CASE("HLO: tuples are no ops; their elements are the outputs") {
  const FusionGraph graph = graph_of(
      entry("p = (f32[2], (s32[], token[])) parameter(0)\na = f32[2] get-tuple-element(p), index=0\n"
            "n = (s32[], token[]) get-tuple-element(p), index=1\nb = s32[] get-tuple-element(n), index=0\n"
            "c = f32[2] negate(a)\nROOT t = (f32[2], (s32[], token[])) tuple(c, n)"));
  CHECK(graph.size() == 4);
  CHECK(outputs(graph) == "c p.1 p.2");
  CHECK(inputs(graph, "c") == "p.0");
  CHECK(op(graph, "p.2").foreign_dtype == "token");
  CHECK(op(graph, "p.2").output_shape == Shape{0});
  CHECK(graph_of(entry("ROOT t = () tuple()")).size() == 0);
}

TEST_CASE("HLO: an op of several results is opaque, with a result view for each one read") {
  const FusionGraph graph = graph_of(entry(
      "x = f32[4] parameter(0)\nt = (f32[4], (s32[], pred[4])) tuple(x, i)\n"
      "i = (s32[], pred[4]) custom-call(x), custom_call_target=\"f\"\n"
      "w = (f32[4], (s32[], pred[4])) while(t), condition=c, body=b\ng = f32[4] get-tuple-element(w), "
      "index=0\n"
      "s = (s32[], pred[4]) get-tuple-element(w), index=1\nh = pred[4] get-tuple-element(s), index=1\n"
      "again = pred[4] get-tuple-element(s), index=1\nROOT n = pred[4] not(h)\no = (f32[4]) opt-barrier(w)"));
  CHECK(inputs(graph, "w") == "x i");  // all of i's results: the op itself
  CHECK(op(graph, "w").foreign_dtype == "tuple");
  CHECK(op(graph, "w").output_shape == Shape{16 + 4 + 4});
  CHECK(op(graph, "h").kind == OpKind::result);
  CHECK(std::get<int64_t>(*op(graph, "h").attribute("index")) == 2);
  CHECK(op(graph, "h").dtype == DType::boolean);
  CHECK(inputs(graph, "n") == "h");
  CHECK(inputs(graph, "o") == "w");
  CHECK(graph.size() == 7);  // `again` reads what h reads
}

TEST_CASE("HLO: calls are inlined, names stay unique, places point into the computation") {
  const std::string text = entry(
      "p = f32[8] parameter(0)\nc.1 = f32[8] call(p), to_apply=%twice\nc.2 = f32[8] call(c.1), "
      "to_apply=twice\n"
      "ROOT add = f32[8] add(c.1, c.2)",
      "%twice (x: f32[8]) -> f32[8] {\n  x = f32[8] parameter(0)\n  ROOT %add = f32[8] add(x, x)\n}\n");
  const Result<ReadGraph> read = read_hlo(text);
  REQUIRE(read);
  const FusionGraph& graph = read.value->graph;
  CHECK(graph.size() == 4);
  CHECK(inputs(graph, "add") == "c.1/add c.2/add");
  CHECK(inputs(graph, "c.2/add") == "c.1/add c.1/add");
  const OpPlaces::Span span = read.value->places[1];
  CHECK(text.substr(span.offset, span.length) == "%add = f32[8] add(x, x)");
}

TEST_CASE("HLO: a map is its computation over the map's shape") {
  const FusionGraph graph =
      graph_of(entry("p = f32[8] parameter(0)\nROOT m = f32[8] map(p), dimensions={0}, to_apply=f\n"
                     "k = f32[8] map(p), dimensions={0}, to_apply=five",
                     "g { y = f32[] parameter(0) ROOT e = f32[] exponential(y) }\n"
                     "f { x = f32[] parameter(0) two = f32[] constant(2) s = f32[] multiply(x, two) ROOT c = "
                     "f32[] call(s), to_apply=g }\n"
                     "five { x = f32[] parameter(0) ROOT five = f32[] constant(5) }\n"));
  CHECK(op(graph, "two").output_shape.empty());
  CHECK(op(graph, "s").output_shape == Shape{8});
  CHECK(op(graph, "e").output_shape == Shape{8});
  CHECK(outputs(graph) == "e");
  CHECK(op(graph, "k").kind == OpKind::broadcast);
  CHECK(inputs(graph, "k") == "five");
}

TEST_CASE("HLO: shapes that are left out follow from the operands") {
  const FusionGraph graph = graph_of(entry(
      "p = f32[2,3] parameter(0)\nn = negate(p)\nl = compare(n, p), direction=EQ\nt = tuple(n, l)\n"
      "w = while(t), condition=c, body=b\nd = dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
      "k = after-all()\ng = get-tuple-element(w), index=1\nROOT r = tuple(w, d, k)"));
  CHECK(op(graph, "l").output_shape == Shape{2, 3});
  CHECK(op(graph, "l").dtype == DType::boolean);
  CHECK(op(graph, "d").output_shape == Shape{2, 2});
  CHECK(op(graph, "w").output_shape == Shape{24 + 6});
  CHECK(op(graph, "g").dtype == DType::boolean);
  CHECK(outputs(graph) == "w.0 g d k");
}
