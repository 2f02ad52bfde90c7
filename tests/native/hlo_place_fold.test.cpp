// The variadic reduces that are argmax and argmin, and those that only look like it.
// It must not know plans.
#include "formats/hlo_place_fold.h"

#include "hlo_checks.h"

using namespace hlo;

TEST_CASE(
    "HLO: a reduce of values with their places is max and argmax, if its computation keeps those pairs") {
  const auto read = [](const std::string& kept, const std::string& init, const std::string& dtype = "f32",
                       const std::string& axis = "1") {
    const std::string types = dtype + "[] parameter(0)\n i = s32[] parameter(1)\n b = " + dtype;
    return graph_of(
        entry("x = " + dtype + "[2,3] parameter(0)\np = s32[2,3] iota(), iota_dimension=" + axis +
                  "\ninit = " + dtype + "[] constant(" + init + ")\nz = s32[] constant(0)\n" + "r = (" +
                  dtype + "[2], s32[2]) reduce(x, p, init, z), dimensions={1}, " +
                  "to_apply=f\nROOT place = s32[2] get-tuple-element(r), index=1",
              "f {\n a = " + types + "[] parameter(2)\n j = s32[] parameter(3)\n" + kept + "}\n"));
  };
  // As jnp.argmax writes it: NaN wins, then the larger, then the earlier.
  const auto jax = [](const std::string& direction) {
    return " more = pred[] compare(a, b), direction=" + direction +
           "\n nan = pred[] compare(a, a), direction=NE\n first = pred[] or(more, nan)\n"
           " same = pred[] compare(a, b), direction=EQ\n before = pred[] compare(i, j), direction=LT\n"
           " tie = pred[] and(same, before)\n first2 = pred[] or(first, tie)\n"
           " v = f32[] select(first, a, b)\n k = s32[] select(first2, i, j)\n"
           " ROOT t = (f32[], s32[]) tuple(v, k)\n";
  };
  const auto reducer = [](const FusionGraph& graph) {
    const uint32_t output = graph.outputs()[0];
    const AttributeValue* named = graph.op(output).attribute("reducer");
    return named == nullptr ? "none" : std::get<std::string>(*named);
  };
  const FusionGraph graph = read(jax("GT"), "-inf");
  CHECK(reducer(graph) == "argmax");
  CHECK(inputs(graph, "r.0") == "x");
  CHECK(inputs(graph, "r.1") == "x");
  CHECK(std::get<std::string>(*op(graph, "r.0").attribute("reducer")) == "max");
  CHECK(op(graph, "r.1").dtype == DType::i32);
  CHECK(op(graph, "r.1").output_shape == Shape{2});
  CHECK_FALSE(has_errors(graph.validate()));
  CHECK(reducer(read(jax("LT"), "inf")) == "argmin");
  const std::string simple =
      " c = pred[] compare(a, b), direction=GE\n v = s8[] select(c, a, b)\n"
      " k = s32[] select(c, i, j)\n ROOT t = (s8[], s32[]) tuple(v, k)\n";
  CHECK(reducer(read(simple, "-128", "s8")) == "argmax");

  CHECK(reducer(read(simple, "-inf")) == "none");       // a NaN would be lost
  CHECK(reducer(read(jax("GE"), "-inf")) == "argmax");  // among equals the earlier is kept all the same
  CHECK(reducer(read(jax("GT"), "0")) == "none");       // begins with a value of its own
  CHECK(reducer(read(jax("GT"), "inf")) == "none");
  CHECK(reducer(read(jax("LT"), "-inf")) == "none");
  CHECK(reducer(read(jax("GT"), "-inf", "f32", "0")) == "none");  // places along another axis
  CHECK(reducer(read(" ROOT t = (f32[], s32[]) tuple(a, i)\n", "-inf")) == "none");
  CHECK(reducer(read(" v = f32[] add(a, b)\n ROOT t = (f32[], s32[]) tuple(v, i)\n", "-inf")) == "none");
}
