// What a region is called: the classified shape of its reductions (spec 2, ReductionPattern).
// It must not know how a region is found.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fuseboard {

enum class ReductionPattern : uint8_t { LayerNorm, Softmax, Generic };

/// "LayerNorm", "Softmax", "Generic".
std::string_view reduction_pattern_text(ReductionPattern pattern);

/// By the members' function names, in lower case. Softmax where one holds "softmax", or "exp" stands together
/// with "div", "sum" or "norm"; else LayerNorm where one holds "layernorm", or "mean" or "avg" together with
/// "var", "std", "rms" or "norm"; else Generic. O(characters).
ReductionPattern reduction_pattern(std::span<const std::string> function_names);

}  // namespace fuseboard
