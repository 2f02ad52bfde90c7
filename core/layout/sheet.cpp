// Filling a sheet and running its steps in order.
// Must not know how any step works.
#include "layout/sheet.h"

namespace fuseboard::layout {

void Sheet::clear() {
  for (auto* v : {&width, &height, &value_offset, &link_offset, &points}) v->clear();
  for (auto* v :
       {&top_ports, &bottom_ports, &value_box, &value_port, &link_value, &link_box, &link_port, &point_end}) {
    v->clear();
  }
  pin.clear();
  operand.clear();
}

uint32_t Sheet::add_box(float box_width, float box_height, Pin box_pin, bool is_operand) {
  width.push_back(box_width);
  height.push_back(box_height);
  pin.push_back(box_pin);
  operand.push_back(is_operand);
  top_ports.push_back(1);
  bottom_ports.push_back(1);
  return static_cast<uint32_t>(pin.size() - 1);
}

uint32_t Sheet::add_value(uint32_t box, uint32_t port, float offset) {
  value_box.push_back(box);
  value_port.push_back(port);
  value_offset.push_back(offset);
  return static_cast<uint32_t>(value_box.size() - 1);
}

uint32_t Sheet::add_link(uint32_t value, uint32_t box, uint32_t port, float offset) {
  link_value.push_back(value);
  link_box.push_back(box);
  link_port.push_back(port);
  link_offset.push_back(offset);
  return static_cast<uint32_t>(link_box.size() - 1);
}

bool draw_sheet(Sheet& s) {
  if (!rank_boxes(s)) return false;
  lay_lanes(s);
  order_slots(s);
  place_slots(s);
  route_links(s);
  return true;
}

}  // namespace fuseboard::layout
