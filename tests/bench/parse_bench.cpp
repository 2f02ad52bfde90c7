// How fast the readers are, beside one pass of nlohmann's checker over the same JSON, and one look at every
// byte of HLO. It must not know how they read.
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "bench.h"
#include "formats/format.h"

namespace fuseboard {
namespace {

std::string json_chain(uint32_t ops) {
  std::string text = R"({"ops":[{"name":"x","kind":"input","output_shape":[1024,512],"dtype":"f32"})";
  for (uint32_t i = 1; i < ops; ++i) {
    text += ",\n{\"name\":\"y" + std::to_string(i) + R"(","kind":"add","inputs":[)" + std::to_string(i - 1) +
            R"(,"x"],"output_shape":[1024,512],"dtype":"f32"})";
  }
  return text + "]}";
}

std::string hlo_chain(uint32_t ops) {
  std::string text = "HloModule chain\n\nENTRY main {\n  x0 = f32[1024,512]{1,0} parameter(0)\n";
  for (uint32_t i = 1; i < ops; ++i) {
    text += "  x" + std::to_string(i) + " = f32[1024,512]{1,0} add(x" + std::to_string(i - 1) +
            R"(, x0), metadata={op_type="add" op_name="jit(main)/add" source_file="model.py" source_line=)" +
            std::to_string(i) + "}\n";
  }
  return text + "  ROOT r = f32[1024,512]{1,0} tanh(x" + std::to_string(ops - 1) + ")\n}\n";
}

}  // namespace

void parse_bench() {
  for (const uint32_t ops : {1'000U, 10'000U, 100'000U}) {
    const int repeats = ops > 50'000 ? 3 : 7;
    const std::string json = json_chain(ops);
    const double check = median_seconds(repeats, [&] { return nlohmann::json::accept(json); });
    report("parse", "graph-json", ops, "read",
           median_seconds(repeats, [&] { return read_graph(json).value->graph.size(); }), "nlohmann check",
           check);
    const std::string hlo = hlo_chain(ops);
    const double look = median_seconds(repeats, [&] {
      size_t sum = 0;
      for (const char c : hlo) sum = sum * 31 + static_cast<unsigned char>(c);
      return sum;
    });
    report("parse", "hlo", ops, "read",
           median_seconds(repeats, [&] { return read_graph(hlo).value->graph.size(); }), "byte look", look);
  }
}

}  // namespace fuseboard
