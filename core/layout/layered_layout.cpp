// Draws each boxed group on a sheet of its own, the boxes on an outer sheet, and joins the two.
// Must not know how a sheet is drawn.
#include "layout/layered_layout.h"

#include <algorithm>
#include <cassert>

#include "layout/sheet.h"

namespace fuseboard {
namespace {

using layout::kFreeOffset;
using layout::kNone;
using layout::Pin;
using layout::Sheet;

constexpr float kPadding = 12;  // between a box's rim and its members
constexpr float kPortWidth = layout::kLaneWidth;
constexpr float kInnerGap = 24;  // between the layers of a group
constexpr float kOuterGap = 34;  // between the layers of groups

class Composer {
 public:
  explicit Composer(const LayoutInput& in) : in_(in), nodes_(static_cast<uint32_t>(in.width.size())) {}

  Layout run() {
    Layout out;
    out_ = &out;
    out.x.assign(nodes_, 0);
    out.y.assign(nodes_, 0);
    index_edges();
    use_boxes_ = !in_.group.empty();
    if (!draw_all() && use_boxes_) {
      use_boxes_ = false;
      draw_all();
    }
    place_nodes();
    write_edges();
    return out;
  }

 private:
  const LayoutInput& in_;
  const uint32_t nodes_;
  Layout* out_ = nullptr;
  bool use_boxes_ = true;

  std::vector<uint32_t> out_start_, out_edge_;  // per node: its edges, by reader
  std::vector<uint32_t> in_start_, in_edge_;    // per node: its edges, by producer

  // Boxes of the outer sheet, numbered by their first member.
  std::vector<uint32_t> box_of_;     // per node
  std::vector<uint32_t> box_group_;  // per box: the group drawn, or kNone for a node that stands alone
  std::vector<uint32_t> member_start_, member_;  // per box, ids ascending
  std::vector<float> box_width_, box_height_;
  std::vector<uint32_t> box_top_ports_, box_bottom_ports_;

  // Within the boxes. Lines count from the box's left upper corner.
  std::vector<float> inner_points_;
  std::vector<uint32_t> inner_end_;    // per inner link, in points
  std::vector<uint32_t> edge_inner_;   // per edge: the inner link that ends at its reader, or kNone
  std::vector<uint32_t> edge_port_;    // per edge: the port where it enters its reader's box, or kNone
  std::vector<float> port_x_;          // per port
  std::vector<uint32_t> port_index_;   // per port: its place along the rim
  std::vector<uint32_t> port_link_;    // per port: the outer link that ends there
  std::vector<float> leave_x_;         // per node: where its value leaves its box
  std::vector<uint32_t> leave_index_;  // and its place along the rim
  std::vector<uint32_t> leave_inner_;  // and the inner link that goes there, or kNone
  std::vector<uint32_t> edge_outer_;   // per edge: the outer link, or kNone within a box

  Sheet inner_, outer_;
  std::vector<uint32_t> local_;      // per node: its box on the inner sheet
  std::vector<uint32_t> seen_port_;  // per node: its port on the inner sheet being made
  struct Port {
    bool operand;
    uint32_t reader, producer;  // its first reader
  };
  std::vector<Port> ports_here_;                         // of the inner sheet
  std::vector<std::pair<uint32_t, uint32_t>> entering_;  // (port, edge)
  std::vector<uint32_t> leaving_;                        // members whose value leaves

  static void sort_by(std::span<const uint32_t> key, uint32_t keys, const std::vector<uint32_t>& items,
                      std::vector<uint32_t>& start, std::vector<uint32_t>& sorted) {
    start.assign(keys + 1, 0);
    for (const uint32_t k : key) ++start[k + 1];
    for (uint32_t k = 0; k < keys; ++k) start[k + 1] += start[k];
    std::vector<uint32_t> next(start.begin(), start.end() - 1);
    sorted.resize(items.size());
    for (const uint32_t i : items) sorted[next[key[i]]++] = i;
  }

  void index_edges() {
    const uint32_t edges = static_cast<uint32_t>(in_.edge_from.size());
    std::vector<uint32_t> all(edges), by_reader;
    for (uint32_t e = 0; e < edges; ++e) {
      assert(in_.edge_from[e] < nodes_ && in_.edge_to[e] < nodes_);
      all[e] = e;
    }
    sort_by(in_.edge_to, nodes_, all, in_start_, by_reader);
    sort_by(in_.edge_from, nodes_, by_reader, out_start_, out_edge_);
    sort_by(in_.edge_to, nodes_, out_edge_, in_start_, in_edge_);
  }

  bool draw_all() {
    number_boxes();
    const uint32_t edges = static_cast<uint32_t>(in_.edge_from.size());
    edge_inner_.assign(edges, kNone);
    edge_port_.assign(edges, kNone);
    edge_outer_.assign(edges, kNone);
    leave_x_.assign(nodes_, 0);
    leave_index_.assign(nodes_, 0);
    leave_inner_.assign(nodes_, kNone);
    local_.assign(nodes_, kNone);
    seen_port_.assign(nodes_, kNone);
    for (auto* v : {&port_index_, &port_link_, &inner_end_}) v->clear();
    port_x_.clear();
    inner_points_.clear();
    for (uint32_t b = 0; b < box_group_.size(); ++b) {
      if (box_group_[b] == kNone) {
        stand_alone(b);
      } else if (!draw_group(b)) {
        return false;
      }
    }
    return draw_outer();
  }

  void number_boxes() {
    box_of_.resize(nodes_);
    box_group_.clear();
    std::vector<uint32_t> box_of_group(use_boxes_ ? in_.boxed.size() : 0, kNone);
    for (uint32_t v = 0; v < nodes_; ++v) {
      const uint32_t g = use_boxes_ ? in_.group[v] : kNone;
      const bool boxed = g < in_.boxed.size() && in_.boxed[g] != 0;
      if (boxed && box_of_group[g] != kNone) {
        box_of_[v] = box_of_group[g];
        continue;
      }
      box_of_[v] = static_cast<uint32_t>(box_group_.size());
      if (boxed) box_of_group[g] = box_of_[v];
      box_group_.push_back(boxed ? g : kNone);
    }
    const uint32_t boxes = static_cast<uint32_t>(box_group_.size());
    std::vector<uint32_t> all(nodes_);
    for (uint32_t v = 0; v < nodes_; ++v) all[v] = v;
    sort_by(box_of_, boxes, all, member_start_, member_);
    box_width_.assign(boxes, 0);
    box_height_.assign(boxes, 0);
    box_top_ports_.assign(boxes, 1);
    box_bottom_ports_.assign(boxes, 1);
  }

  void stand_alone(uint32_t box) {
    const uint32_t v = member_[member_start_[box]];
    box_width_[box] = in_.width[v];
    box_height_[box] = in_.height[v];
    leave_x_[v] = in_.width[v] / 2;
    out_->x[v] = out_->y[v] = 0;
  }

  // Nothing enters it and one op reads it: a weight, a constant.
  bool is_operand(uint32_t v) const {
    return in_start_[v] == in_start_[v + 1] && out_start_[v + 1] - out_start_[v] == 1;
  }

  std::span<const uint32_t> members(uint32_t box) const {
    return std::span(member_).subspan(member_start_[box], member_start_[box + 1] - member_start_[box]);
  }

  // Each producer outside that the group reads becomes a port on the upper rim. Their first order decides
  // where lines run when nothing else does: values that pass over ops on the left, as they do on any sheet,
  // mere operands on the right.
  void add_top_ports(uint32_t box) {
    ports_here_.clear();
    entering_.clear();
    for (const uint32_t v : members(box)) {
      for (uint32_t i = in_start_[v]; i < in_start_[v + 1]; ++i) {
        const uint32_t producer = in_.edge_from[in_edge_[i]];
        if (box_of_[producer] == box || seen_port_[producer] != kNone) continue;
        seen_port_[producer] = 0;
        ports_here_.push_back({is_operand(producer), v, producer});
      }
    }
    std::sort(ports_here_.begin(), ports_here_.end(), [](const Port& a, const Port& b) {
      if (a.operand != b.operand) return b.operand;
      if (a.reader != b.reader) return a.operand ? a.reader < b.reader : a.reader > b.reader;
      return a.producer < b.producer;
    });
    for (const Port& port : ports_here_) {
      seen_port_[port.producer] = inner_.add_box(kPortWidth, kTitleStrip, Pin::Top, port.operand);
    }
    for (const uint32_t v : members(box)) {
      for (uint32_t i = in_start_[v]; i < in_start_[v + 1]; ++i) {
        const uint32_t e = in_edge_[i], producer = in_.edge_from[e];
        if (box_of_[producer] != box) entering_.emplace_back(seen_port_[producer], e);
      }
    }
    for (const Port& port : ports_here_) seen_port_[port.producer] = kNone;
    std::stable_sort(entering_.begin(), entering_.end(), [](auto& a, auto& b) { return a.first < b.first; });
  }

  bool draw_group(uint32_t box) {
    inner_.clear();
    inner_.layer_gap = kInnerGap;
    add_top_ports(box);
    leaving_.clear();
    for (const uint32_t v : members(box))
      local_[v] = inner_.add_box(in_.width[v], in_.height[v], Pin::None, is_operand(v));
    const uint32_t first_link = static_cast<uint32_t>(inner_end_.size());
    const uint32_t first_port = static_cast<uint32_t>(port_x_.size());
    uint32_t value = kNone;
    for (const auto& [port, e] : entering_) {
      if (value == kNone || inner_.value_box[value] != port)
        value = inner_.add_value(port, 0, kPortWidth / 2);
      edge_port_[e] = first_port + port;
      edge_inner_[e] = first_link + inner_.add_link(value, local_[in_.edge_to[e]], 0, kFreeOffset);
    }
    for (const uint32_t v : members(box)) {
      if (out_start_[v] == out_start_[v + 1]) continue;
      value = inner_.add_value(local_[v], 0, in_.width[v] / 2);
      bool leaves = false;
      for (uint32_t i = out_start_[v]; i < out_start_[v + 1]; ++i) {
        const uint32_t e = out_edge_[i], reader = in_.edge_to[e];
        if (box_of_[reader] != box) {
          leaves = true;
        } else {
          edge_inner_[e] = first_link + inner_.add_link(value, local_[reader], 0, kFreeOffset);
        }
      }
      if (!leaves) continue;
      const uint32_t port = inner_.add_box(kPortWidth, 0, Pin::Bottom, false);
      leaving_.push_back(v);
      leave_inner_[v] = first_link + inner_.add_link(value, port, 0, kPortWidth / 2);
    }
    if (!draw_sheet(inner_)) return false;
    take_inner(box);
    return true;
  }

  // Copies the drawn inner sheet: sizes, members, ports and lines.
  void take_inner(uint32_t box) {
    const uint32_t tops = static_cast<uint32_t>(ports_here_.size());
    const uint32_t bottoms = static_cast<uint32_t>(leaving_.size());
    const uint32_t g = box_group_[box];
    const float title = in_.title_width.empty() ? 0 : in_.title_width[g];
    const float content = inner_.total_width;
    const float width = std::max(content, title) + 2 * kPadding;
    const float dx = (width - content) / 2;
    const float dy = tops > 0 ? 0 : kTitleStrip + kPadding / 2;
    box_width_[box] = width;
    box_height_[box] = dy + inner_.total_height + (bottoms > 0 ? 0 : kPadding);
    for (const uint32_t v : members(box)) {
      out_->x[v] = inner_.x[local_[v]] + dx;
      out_->y[v] = inner_.y[local_[v]] + dy;
    }
    for (uint32_t p = 0; p < tops; ++p) {
      port_x_.push_back(inner_.x[p] + kPortWidth / 2 + dx);
      port_index_.push_back(inner_.position[p]);
      port_link_.push_back(kNone);
    }
    box_top_ports_[box] = std::max(1U, tops);
    box_bottom_ports_[box] = std::max(1U, bottoms);
    const uint32_t last_layer = inner_.layers - 1;
    uint32_t index = 0;
    for (uint32_t i = inner_.layer_start[last_layer]; bottoms > 0 && i < inner_.layer_start[last_layer + 1];
         ++i) {
      const uint32_t v = leaving_[inner_.order[i] - (inner_.boxes - bottoms)];
      leave_x_[v] = inner_.x[inner_.order[i]] + kPortWidth / 2 + dx;
      leave_index_[v] = index++;
    }
    const uint32_t points = static_cast<uint32_t>(inner_points_.size() / 2);
    for (size_t i = 0; i < inner_.points.size(); i += 2) {
      inner_points_.push_back(inner_.points[i] + dx);
      inner_points_.push_back(inner_.points[i + 1] + dy);
    }
    for (const uint32_t end : inner_.point_end) inner_end_.push_back(points + end);
  }

  bool draw_outer() {
    outer_.clear();
    outer_.layer_gap = kOuterGap;
    const uint32_t boxes = static_cast<uint32_t>(box_group_.size());
    for (uint32_t b = 0; b < boxes; ++b) {
      outer_.add_box(box_width_[b], box_height_[b], Pin::None,
                     box_group_[b] == kNone && is_operand(member_[member_start_[b]]));
      outer_.top_ports[b] = box_top_ports_[b];
      outer_.bottom_ports[b] = box_bottom_ports_[b];
    }
    for (uint32_t b = 0; b < boxes; ++b) {
      for (const uint32_t u : members(b)) add_outer_links(u);
    }
    return draw_sheet(outer_);
  }

  // One link for each port, one for each reader that stands alone.
  void add_outer_links(uint32_t u) {
    uint32_t value = kNone;
    for (uint32_t i = out_start_[u]; i < out_start_[u + 1]; ++i) {
      const uint32_t e = out_edge_[i], reader_box = box_of_[in_.edge_to[e]], port = edge_port_[e];
      if (reader_box == box_of_[u] && box_group_[reader_box] != kNone) continue;
      if (value == kNone) value = outer_.add_value(box_of_[u], leave_index_[u], leave_x_[u]);
      if (port == kNone) {
        edge_outer_[e] = outer_.add_link(value, reader_box, 0, kFreeOffset);
        continue;
      }
      if (port_link_[port] == kNone) {
        port_link_[port] = outer_.add_link(value, reader_box, port_index_[port], port_x_[port]);
      }
      edge_outer_[e] = port_link_[port];
    }
  }

  void place_nodes() {
    Layout& out = *out_;
    if (outer_.point_end.size() !=
        outer_.link_box.size()) {  // the graph itself is cyclic: the caller broke its promise
      assert(false);
      return;
    }
    out.width = outer_.total_width;
    out.height = outer_.total_height;
    for (auto* v : {&out.group_x, &out.group_y, &out.group_width, &out.group_height})
      v->assign(in_.boxed.size(), 0);
    for (uint32_t b = 0; b < box_group_.size(); ++b) {
      for (const uint32_t v : members(b)) {
        out.x[v] += outer_.x[b];
        out.y[v] += outer_.y[b];
      }
      const uint32_t g = box_group_[b];
      if (g == kNone) continue;
      out.group_x[g] = outer_.x[b];
      out.group_y[g] = outer_.y[b];
      out.group_width[g] = box_width_[b];
      out.group_height[g] = box_height_[b];
    }
  }

  // Appends a point unless it repeats the last or continues its vertical.
  void point(size_t first, float x, float y) {
    auto& p = out_->edge_points;
    const size_t n = p.size();
    if (n - first >= 2 && p[n - 2] == x && p[n - 1] == y) return;
    if (n - first >= 4 && p[n - 2] == x && p[n - 4] == x) {
      p[n - 1] = y;
      return;
    }
    p.push_back(x);
    p.push_back(y);
  }

  // Many edges may share a long piece (a value that leaves a deep box for 10,000 readers). Past a budget,
  // long pieces are cut short to their ends, so that the output stays linear.
  void append(size_t first, const std::vector<float>& points, const std::vector<uint32_t>& end, uint32_t link,
              float dx, float dy) {
    if (link == kNone) return;
    const size_t begin = link == 0 ? 0 : end[link - 1];
    const size_t budget = 32 * in_.edge_from.size() + 100000;
    const bool whole = end[link] - begin <= 8 || out_->edge_points.size() < budget;
    for (size_t i = begin; i < end[link]; ++i) {
      if (!whole && i >= begin + 2 && i + 2 < end[link]) continue;
      point(first, points[2 * i] + dx, points[2 * i + 1] + dy);
    }
  }

  void write_edges() {
    const uint32_t edges = static_cast<uint32_t>(in_.edge_from.size());
    out_->edge_start.assign(edges + 1, 0);
    const bool drawn = outer_.point_end.size() == outer_.link_box.size();
    for (uint32_t e = 0; drawn && e < edges; ++e) {
      const size_t first = out_->edge_points.size();
      const uint32_t u = in_.edge_from[e], from = box_of_[u], to = box_of_[in_.edge_to[e]];
      if (edge_outer_[e] != kNone) {
        append(first, inner_points_, inner_end_, leave_inner_[u], outer_.x[from], outer_.y[from]);
        append(first, outer_.points, outer_.point_end, edge_outer_[e], 0, 0);
      }
      append(first, inner_points_, inner_end_, edge_inner_[e], outer_.x[to], outer_.y[to]);
      out_->edge_start[e + 1] = static_cast<uint32_t>(out_->edge_points.size() / 2);
    }
  }
};

}  // namespace

Layout layered_layout(const LayoutInput& input) { return Composer(input).run(); }

}  // namespace fuseboard
