// Labels of dumped nodes: what each kind of node says in the verbose form and in the terse one.
// It must not know clusters or edges.
#include "formats/cuda_graph_label.h"

#include "catch.h"

using namespace fuseboard;

namespace {

CudaGraphLabel record(const std::string& text) { return read_cuda_graph_label(text, "record"); }

/// What the fault of a label points at.
std::string fault_at(const std::string& text, const std::string& shape, Code code) {
  const CudaGraphLabel label = read_cuda_graph_label(text, shape);
  REQUIRE(label.fault);
  CHECK(label.fault->code == code);
  CHECK_FALSE(label.fault->message.empty());
  CHECK_FALSE(label.fault->hint.empty());
  REQUIRE(size_t{label.fault->offset} + label.fault->length <= text.size());
  return text.substr(label.fault->offset, label.fault->length);
}

void check_config(const std::optional<KernelConfig>& config, std::array<uint32_t, 3> grid,
                  std::array<uint32_t, 3> block, uint32_t shared) {
  REQUIRE(config);
  CHECK(config->grid == grid);
  CHECK(config->block == block);
  CHECK(config->shared_mem_bytes == shared);
}

}  // namespace

TEST_CASE("a verbose kernel has its name, its launch configuration and a guess") {
  const CudaGraphLabel label = record(
      "{KERNEL\n| {ID | 16 (topoId: 2) | "
      "_ZN2at6native13reduce_kernelILi128ELi4EEEvT1_\\<\\<\\<8,\\{32,4\\},2048\\>"
      "\\>\\>}\n| {{node handle | func handle} | {0x10 | 0x20}}\n| {cooperative | 0}\n| {priority | 0}\n}");
  CHECK_FALSE(label.fault);
  CHECK(label.is_known);
  CHECK(label.node.kind == NodeKind::kernel_launch);
  CHECK(label.node.function_name == "_ZN2at6native13reduce_kernelILi128ELi4EEEvT1_");
  CHECK(label.node.name == "at::native::reduce_kernel<...>");
  CHECK(label.node.fusible);
  CHECK(label.node.fusible_is_guess);
  check_config(label.node.config, {8, 1, 1}, {32, 4, 1}, 2048);
}

TEST_CASE("sizes stand alone or in a list, with escaped braces or bare ones") {
  check_config(record("{KERNEL | {ID | 0 | f\\<\\<\\<\\{16,10,4\\},128,0\\>\\>\\>}}").node.config,
               {16, 10, 4}, {128, 1, 1}, 0);
  check_config(record("{KERNEL | {ID | 0 | f<<<{16,10},{8, 4, 2},64>>>} | {priority | 0}}").node.config,
               {16, 10, 1}, {8, 4, 2}, 64);
  check_config(record("{KERNEL | {ID | 0 | f\\<\\<\\<(3,1,1),(64,1,1),7\\>\\>\\>}}").node.config, {3, 1, 1},
               {64, 1, 1}, 7);
}

TEST_CASE("a kernel without launch configuration has unknown threads, not one") {
  const CudaGraphLabel terse = read_cuda_graph_label("0\n_Z4axpyifPfS_\n", "octagon");
  CHECK_FALSE(terse.fault);
  CHECK(terse.node.function_name == "_Z4axpyifPfS_");
  CHECK(terse.node.name == "axpy");
  CHECK_FALSE(terse.node.config);
  CHECK_FALSE(terse.node.threads());
  const CudaGraphLabel named = record("{KERNEL\n| {ID | 3 | gemm_kernel}\n| {cooperative | 0}\n}");
  CHECK(named.node.function_name == "gemm_kernel");
  CHECK_FALSE(named.node.config);
  CHECK_FALSE(named.node.fusible);
  CHECK(named.node.fusible_is_guess);
}

TEST_CASE("a kernel's lines hold its number, its name and its configuration") {
  const CudaGraphLabel label =
      read_cuda_graph_label("4\nrelu\n\\<\\<\\<(2,1,1),(32,1,1),0\\>\\>\\>", "record");
  CHECK(label.node.function_name == "relu");
  check_config(label.node.config, {2, 1, 1}, {32, 1, 1}, 0);
}

TEST_CASE("an octagon is a kernel whatever it is called") {
  for (const char* name : {"graph_2", "MEMCPY", "graph_reduce", "HOST"}) {
    const CudaGraphLabel label = read_cuda_graph_label("1\n" + std::string(name) + "\n", "octagon");
    CHECK(label.node.kind == NodeKind::kernel_launch);
    CHECK(label.node.function_name == name);
  }
}

TEST_CASE("an operator in a kernel's name is no launch configuration") {
  const CudaGraphLabel label = read_cuda_graph_label("1\napply<&operator<<<int> >\n", "octagon");
  CHECK_FALSE(label.fault);
  CHECK(label.node.function_name == "apply<&operator<<<int> >");
}

TEST_CASE("copies have a direction and bytes") {
  const auto copy = [](const std::string& kind, const std::string& extent) {
    return record(
        "{\nMEMCPY\n| {{ID | node handle} | {8 (topoId: 0) | 0x8}}\n| {kind | " + kind +
        "}\n| {{srcPtr | dstPtr} | {pitch | ptr} | {0 | 0x30}}\n| {{srcPos | {{x | 5}}} | {Extent | {" +
        extent + "}}}\n}");
  };
  const std::string extent = "{Width | 4096} | {Height | 3} | {Depth | 2}";
  const CudaGraphLabel label = copy("DtoD (DEVICE to DEVICE)", extent);
  CHECK(label.node.kind == NodeKind::memcpy);
  CHECK(label.node.direction == CopyDirection::device_to_device);
  CHECK(label.node.bytes == 24576);
  CHECK(copy("HtoD (PAGEABLE to DEVICE)", extent).node.direction == CopyDirection::host_to_device);
  CHECK(copy("DtoH (DEVICE to PINNED)", extent).node.direction == CopyDirection::device_to_host);
  CHECK(copy("HtoH", extent).node.direction == CopyDirection::host_to_host);
  CHECK(copy("DtoA (DEVICE to ARRAY)", extent).node.direction == CopyDirection::unknown);
  CHECK_FALSE(copy("DtoD", "{Width | 4096}").node.bytes);
  const CudaGraphLabel terse = read_cuda_graph_label("2\nMEMCPY\n(DtoH,4096)\n", "trapezium");
  CHECK(terse.node.kind == NodeKind::memcpy);
  CHECK(terse.node.direction == CopyDirection::device_to_host);
  CHECK(terse.node.bytes == 4096);
}

TEST_CASE("fills have bytes: elements times their size, over all rows") {
  const CudaGraphLabel label = record(
      "{\nMEMSET\n| {{ID | node handle | dptr | pitch | value | elementSize | width | height} | {7 (topoId: "
      "1) | "
      "0x71 | 0x7F00 | 512 | 9 | 4 | 640 | 3}}}");
  CHECK(label.node.kind == NodeKind::memset);
  CHECK(label.node.bytes == 4 * 640 * 3);
  const CudaGraphLabel deep = record(
      "{\nMEMSET\n| {{ID | dptr | elementSize | width | height | depth} | {7 | 0x7F00 | 2 | 5 | 3 | 11}}}");
  CHECK(deep.node.bytes == 2 * 5 * 3 * 11);
  CHECK(read_cuda_graph_label("7\nMEMSET\n(0,640)\n", "invtrapezium").node.bytes == 640);
}

TEST_CASE("host functions, events and what only orders are told apart") {
  const std::vector<std::pair<std::string, NodeKind>> kinds = {
      {"HOST", NodeKind::host_callback},        {"EVENT_RECORD", NodeKind::event_record},
      {"EVENT RECORD", NodeKind::event_record}, {"EVENT_WAIT", NodeKind::event_wait},
      {"WAIT_EVENT", NodeKind::event_wait},     {"EMPTY", NodeKind::barrier},
      {"MEM_ALLOC", NodeKind::barrier},         {"MEM_FREE", NodeKind::barrier}};
  for (const auto& [word, kind] : kinds) {
    INFO(word);
    const CudaGraphLabel verbose =
        record("{\n" + word + "\n| {{ID | node handle} | {3 (topoId: 1) | 0x1}}\n}");
    CHECK(verbose.is_known);
    CHECK(verbose.node.kind == kind);
    CHECK(verbose.node.name == word);
    CHECK(read_cuda_graph_label("3\n" + word + "\n", "rectangle").node.kind == kind);
  }
}

TEST_CASE("a conditional names its bodies in order") {
  const CudaGraphLabel label = record(
      "{\nCONDITIONAL\n| {ID | 1 (topoId: 0)}\n| {Conditional Handle|1}\n| {Conditional Type| SWITCH}\n| "
      "{Size | "
      "3}\n| {0|  graph_12}\n| {1|  graph_3}\n| {2|  graph_12}\n}\n");
  CHECK(label.node.kind == NodeKind::conditional);
  CHECK(label.bodies == std::vector<std::string>{"graph_12", "graph_3", "graph_12"});
}

TEST_CASE("a label of no known kind gives what it says, and the graph that a record names") {
  const CudaGraphLabel child = read_cuda_graph_label("1\ngraph_2\n", "rectangle");
  CHECK_FALSE(child.is_known);
  CHECK(child.payload == "graph_2");
  CHECK(child.node.kind == NodeKind::barrier);
  CHECK(record("{GRAPH\n| {ID | 1 (topoId: 0) | graph_7}\n}").payload == "graph_7");
  CHECK(record("{WARP\n| {ID | 1 (topoId: 0)}\n}").payload == "WARP");
}

TEST_CASE("a launch configuration that is none is a fault at its place") {
  for (const char* config : {"0,1,1", "1,0,0", "1,1", "1,1,1,1", "4294967296,1,0", "1,1,-1", "{1,2,3,4},1,0",
                             "{1,2,1,0", "1,1,4294967296", ""}) {
    INFO(config);
    const std::string name = "f<<<" + std::string(config) + ">>>";
    CHECK(fault_at("1\n" + name + "\n", "octagon", Code::bad_attribute) == name);
  }
  CHECK(fault_at("{KERNEL | {ID | 0 | f\\<\\<\\<1,2", "record", Code::bad_attribute) == "f\\<\\<\\<1,2");
  CHECK(fault_at("0\nf<<<{4294967295,4294967295},2,0>>>", "octagon", Code::overflow) ==
        "f<<<{4294967295,4294967295},2,0>>>");
}

TEST_CASE("a label that says too little is a fault") {
  CHECK(fault_at("", "octagon", Code::bad_attribute).empty());
  CHECK(fault_at("12\n", "octagon", Code::bad_attribute) == "12");
  CHECK(fault_at("{KERNEL | {cooperative | 0}}", "record", Code::bad_attribute) == "KERNEL");
  CHECK(fault_at("0\n<<<1,1,0>>>", "octagon", Code::bad_attribute) == "<<<1,1,0>>>");
}

TEST_CASE("bytes that leave 64 bits are a fault at the number") {
  CHECK(fault_at("{\nMEMCPY\n| {kind | DtoD} | {Width | 4294967296} | {Height | 4294967296} | {Depth | 1}}",
                 "record", Code::overflow) == "4294967296");
  CHECK(fault_at("0\nMEMSET\n(0,18446744073709551616)", "invtrapezium", Code::overflow) ==
        "(0,18446744073709551616)");
}
