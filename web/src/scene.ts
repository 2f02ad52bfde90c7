// The graph as shapes: which lie in a rectangle, which is under a point, and their outlines as SVG paths.
// It must not know elements or selection; coordinates are the core's.
import type { AnyIndex } from './plan-index.js';
import type { Rect } from './viewport.js';

/** How an edge is drawn: its value stays in a register, goes through memory as it must, or does so for a refused merge. */
export type EdgeLook = 'fused' | 'plain' | 'refused';
export const edgeLooks: EdgeLook[] = ['plain', 'fused', 'refused'];

export type Hit = { op: number } | { edge: number } | { group: number };

export class Scene {
  readonly index: AnyIndex;
  readonly edgeCount: number;
  /** Bounds of each edge: left, top, right, bottom in turn. */
  readonly #bounds: Float32Array;
  readonly #looks: EdgeLook[];
  #lefts: { given: number; rewritten: number } | undefined;

  constructor(index: AnyIndex) {
    this.index = index;
    const { edge_start, edge_points } = index.layout;
    this.edgeCount = Math.max(0, edge_start.length - 1);
    this.#bounds = new Float32Array(this.edgeCount * 4);
    this.#looks = [];
    for (let edge = 0; edge < this.edgeCount; edge += 1) {
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let at = edge_start[edge] ?? 0; at < (edge_start[edge + 1] ?? 0); at += 1) {
        const x = edge_points[2 * at] ?? 0;
        const y = edge_points[2 * at + 1] ?? 0;
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
      this.#bounds.set([left, top, right, bottom], edge * 4);
      this.#looks.push(lookOf(index, edge));
    }
  }

  opRect(op: number): Rect {
    const { x, y, width, height } = this.index.layout;
    const left = x[op] ?? 0;
    const top = y[op] ?? 0;
    return { left, top, right: left + (width[op] ?? 0), bottom: top + (height[op] ?? 0) };
  }

  groupRect(group: number): Rect | undefined {
    const { group_x, group_y, group_width, group_height } = this.index.layout;
    const width = group_width[group] ?? 0;
    if (width === 0) return undefined;
    const left = group_x[group] ?? 0;
    const top = group_y[group] ?? 0;
    return { left, top, right: left + width, bottom: top + (group_height[group] ?? 0) };
  }

  /** The left ends of a graph, its groups included, and of its rewritten form. */
  get lefts(): { given: number; rewritten: number } {
    if (this.#lefts) return this.#lefts;
    const { x } = this.index.layout;
    const first = this.index.of === 'launches' ? this.index.plan.nodes.length : x.length;
    const least = (all: Float32Array) => all.reduce((left, one) => Math.min(left, one), Infinity);
    let given = least(x.subarray(0, first));
    for (let group = 0; group < this.index.groups.length; group += 1)
      given = Math.min(given, this.groupRect(group)?.left ?? given);
    return (this.#lefts = { given, rewritten: least(x.subarray(first)) });
  }

  edgeLook(edge: number): EdgeLook {
    return this.#looks[edge] ?? 'plain';
  }

  opsIn(window: Rect): number[] {
    const { x, y, width, height } = this.index.layout;
    const found: number[] = [];
    for (let op = 0; op < x.length; op += 1) {
      const left = x[op] ?? 0;
      const top = y[op] ?? 0;
      if (left > window.right || top > window.bottom) continue;
      if (left + (width[op] ?? 0) >= window.left && top + (height[op] ?? 0) >= window.top) found.push(op);
    }
    return found;
  }

  groupsIn(window: Rect): number[] {
    const found: number[] = [];
    for (let group = 0; group < this.index.layout.group_x.length; group += 1) {
      const rect = this.groupRect(group);
      if (rect && meets(rect, window)) found.push(group);
    }
    return found;
  }

  edgesIn(window: Rect): number[] {
    const bounds = this.#bounds;
    const found: number[] = [];
    for (let edge = 0; edge < this.edgeCount; edge += 1) {
      const at = edge * 4;
      if ((bounds[at] ?? 0) > window.right || (bounds[at + 1] ?? 0) > window.bottom) continue;
      if ((bounds[at + 2] ?? 0) >= window.left && (bounds[at + 3] ?? 0) >= window.top) found.push(edge);
    }
    return found;
  }

  /** What is at a point: an op, an edge within `reach`, a group's title or inside. */
  hit(px: number, py: number, reach: number): Hit | undefined {
    const around = (by: number): Rect => ({ left: px - by, top: py - by, right: px + by, bottom: py + by });
    const [op] = this.opsIn(around(0));
    if (op !== undefined) return { op };
    let nearest = reach;
    let found: number | undefined;
    for (const edge of this.edgesIn(around(reach))) {
      const distance = this.#distance(edge, px, py);
      if (distance < nearest) {
        nearest = distance;
        found = edge;
      }
    }
    if (found !== undefined) return { edge: found };
    const [group] = this.groupsIn(around(0));
    return group === undefined ? undefined : { group };
  }

  /** The line of an edge; `curved`: slanted pieces leave and arrive vertically. */
  edgePath(edge: number, curved: boolean): string {
    const { edge_start, edge_points } = this.index.layout;
    let path = '';
    let [lastX, lastY] = [0, 0];
    for (let at = edge_start[edge] ?? 0; at < (edge_start[edge + 1] ?? 0); at += 1) {
      const x = round(edge_points[2 * at] ?? 0);
      const y = round(edge_points[2 * at + 1] ?? 0);
      if (path === '') path = `M${x} ${y}`;
      else if (x === lastX || !curved) path += `L${x} ${y}`;
      else path += `C${lastX} ${round((lastY + y) / 2)} ${x} ${round((lastY + y) / 2)} ${x} ${y}`;
      [lastX, lastY] = [x, y];
    }
    return path;
  }

  /** The head of an edge: every line arrives from above. */
  headPath(edge: number): string {
    const { edge_start, edge_points } = this.index.layout;
    const at = (edge_start[edge + 1] ?? 0) - 1;
    const x = round(edge_points[2 * at] ?? 0);
    const y = round(edge_points[2 * at + 1] ?? 0);
    return `M${x - 3.5} ${y - 7}L${x} ${y}L${x + 3.5} ${y - 7}Z`;
  }

  /** The middle of an edge's line. */
  middle(edge: number): [number, number] {
    const { edge_start, edge_points } = this.index.layout;
    const first = edge_start[edge] ?? 0;
    const last = (edge_start[edge + 1] ?? 0) - 1;
    let length = 0;
    const step = (at: number) =>
      Math.hypot(
        (edge_points[2 * at + 2] ?? 0) - (edge_points[2 * at] ?? 0),
        (edge_points[2 * at + 3] ?? 0) - (edge_points[2 * at + 1] ?? 0),
      );
    for (let at = first; at < last; at += 1) length += step(at);
    let left = length / 2;
    for (let at = first; at < last; at += 1) {
      const size = step(at);
      if (size < left || size === 0) {
        left -= size;
        continue;
      }
      const along = (from: number) =>
        (edge_points[2 * at + from] ?? 0) + (((edge_points[2 * at + 2 + from] ?? 0) - (edge_points[2 * at + from] ?? 0)) * left) / size;
      return [along(0), along(1)];
    }
    return [edge_points[2 * first] ?? 0, edge_points[2 * first + 1] ?? 0];
  }

  #distance(edge: number, px: number, py: number): number {
    const { edge_start, edge_points } = this.index.layout;
    let least = Infinity;
    for (let at = edge_start[edge] ?? 0; at + 1 < (edge_start[edge + 1] ?? 0); at += 1) {
      const [x0, y0] = [edge_points[2 * at] ?? 0, edge_points[2 * at + 1] ?? 0];
      const [dx, dy] = [(edge_points[2 * at + 2] ?? 0) - x0, (edge_points[2 * at + 3] ?? 0) - y0];
      const square = dx * dx + dy * dy;
      const along = square === 0 ? 0 : Math.min(1, Math.max(0, ((px - x0) * dx + (py - y0) * dy) / square));
      least = Math.min(least, Math.hypot(x0 + along * dx - px, y0 + along * dy - py));
    }
    return least;
  }
}

export function rectPath({ left, top, right, bottom }: Rect): string {
  return `M${round(left)} ${round(top)}H${round(right)}V${round(bottom)}H${round(left)}Z`;
}

function lookOf(index: AnyIndex, edge: number): EdgeLook {
  if (index.edges[edge]?.together) return 'fused';
  return index.edges[edge] && index.isContested(edge) ? 'refused' : 'plain';
}

function meets(a: Rect, b: Rect): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
