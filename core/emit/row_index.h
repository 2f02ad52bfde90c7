// Which row and columns a thread has, whether they are there, and how the offsets of a kernel's maps move
// along a row. It must not know ops.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emit/index_code.h"
#include "emit/ptx_writer.h"
#include "launch/index_walk.h"
#include "launch/row_shape.h"
#include "launch/row_walks.h"

namespace fuseboard {

/// An address that a load or store may add an immediate to.
struct RowAddress {
  std::string reg;
  uint64_t offset = 0;  ///< bytes
};

class RowIndex {
 public:
  RowIndex(PtxWriter& writer, const RowShape& shape, const IndexMaps& maps, uint32_t row_map);

  void begin();  ///< this thread's row and first column

  /// Offsets that follow are of values that are by row: of the row's first column, since a thread's own may
  /// lie past the last, where the next row's elements would be.
  void stand_at_row(bool stands) { at_row_ = stands && !shape_.has_whole_columns(); }

  const MapWalk& walk(uint32_t map) const { return walks_[map]; }
  bool is_wide() const { return wide_; }
  const std::string& thread() const { return thread_; }

  /// From here on, lines stand in a loop over the passes and which only threads
  /// enter that have the row and the column.
  void enter_loop();
  void begin_pass();  ///< the loop's label stands before
  void advance();
  std::string has_more();  ///< a predicate: whether there is a column, behind `advance`
  void leave_loop();

  /// The address of a map's element at a pass and slot, behind a pointer to elements of `bytes` bytes.
  RowAddress address(uint32_t map, const std::string& pointer, uint32_t bytes, uint32_t pass, uint32_t slot);
  std::string offset(uint32_t map, uint32_t pass, uint32_t slot);
  std::string column_at(uint32_t pass, uint32_t slot);

  /// Predicates, empty where always true: whether the row of a slot is there, the column, and both.
  std::string has_row(uint32_t slot);
  std::string has_column(uint32_t pass, uint32_t slot);
  std::string has_element(uint32_t pass, uint32_t slot);
  std::string is_first_lane();
  std::string both(const std::string& a, const std::string& b);

  /// Registers that walk in the loop are made before it.
  void prepare(uint32_t map, const std::string& pointer, uint32_t bytes);

 private:
  using Place = std::pair<uint32_t, uint32_t>;  ///< pass, slot

  uint64_t step() const {
    return shape_.along_rows ? shape_.threads : uint64_t{shape_.threads} * shape_.slots;
  }
  bool walks_on(uint32_t map) const;
  IndexCode& code(uint32_t pass, uint32_t slot);
  std::string address_at(uint32_t map, const std::string& pointer, uint32_t bytes, uint32_t pass,
                         uint32_t slot);
  std::string element(const std::string& row, const std::string& column);
  std::string digit(bool of_columns, size_t kind_part, const std::string& number);
  std::string moved(const std::string& reg, uint64_t ahead);
  std::string less(const std::string& reg, uint64_t end);
  std::string widened(const std::string& reg);
  void split_thread();
  std::string fresh() { return writer_.fresh(wide_ ? RegisterClass::b64 : RegisterClass::b32); }

  PtxWriter& writer_;
  const RowShape& shape_;
  const IndexMaps& maps_;
  const uint32_t row_map_;
  const std::vector<MapWalk> walks_;
  const bool wide_;
  bool in_loop_ = false;
  bool at_row_ = false;
  std::string thread_, lane_, row_, first_column_, column_;
  std::map<Place, IndexCode> codes_;
  std::map<Place, std::string> row_tests_, column_tests_, both_tests_;
  std::map<std::pair<uint32_t, std::string>, std::string> addresses_;  ///< by map and pointer
  std::map<std::pair<std::string, uint32_t>, std::string> distances_;  ///< in bytes, by offset and bytes
  std::vector<std::pair<std::string, uint64_t>> walking_;              ///< addresses with bytes a pass
  std::string first_lane_;
};

}  // namespace fuseboard
