// A graph with reductions, built op by op, and the schedule of the kernel that holds its members.
// It must not know PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "graph_builder.h"
#include "launch/row_schedule.h"

namespace fuseboard_test {

struct FoldGraph {
  GraphBuilder b;
  fuseboard::RowShape shape;
  std::vector<uint32_t> members;
  std::string fault;

  uint32_t input(const std::string& name, fuseboard::Shape of,
                 fuseboard::DType dtype = fuseboard::DType::f32) {
    return b.add(name, fuseboard::OpKind::input, {}, std::move(of), dtype);
  }
  uint32_t member(const std::string& name, fuseboard::OpKind kind, std::vector<uint32_t> inputs,
                  fuseboard::Shape of, std::vector<fuseboard::Attribute> attributes = {},
                  fuseboard::DType dtype = fuseboard::DType::f32) {
    members.push_back(b.add(name, kind, std::move(inputs), std::move(of), dtype, std::move(attributes)));
    return members.back();
  }
  uint32_t reduce(const std::string& name, std::vector<uint32_t> inputs, std::vector<int64_t> axes,
                  fuseboard::Shape of) {
    return member(name, fuseboard::OpKind::reduce, std::move(inputs), std::move(of),
                  {{"reducer", std::string("sum")}, {"axes", std::move(axes)}});
  }
  uint32_t broadcast(uint32_t of, fuseboard::Shape to, std::vector<int64_t> axes) {
    return member("", fuseboard::OpKind::broadcast, {of}, std::move(to), {{"axes", std::move(axes)}});
  }

  std::optional<fuseboard::RowSchedule> schedule(uint32_t reduce, std::vector<uint32_t> stores,
                                                 size_t most = 100) {
    const std::optional<fuseboard::RowDomain> domain = fuseboard::row_domain_of(b.graph, reduce);
    REQUIRE(domain.has_value());
    shape.domain = *domain;
    shape.stores = std::move(stores);
    fault.clear();
    return fuseboard::schedule_rows(b.graph, members, shape, most, fault);
  }
};

}  // namespace fuseboard_test
