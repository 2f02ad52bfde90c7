// The keys of <fuse-graph>: follow edges from op to op, zoom, pan, fit.
// It must not know how the graph is drawn.
import type { AnyIndex } from '../plan-index.js';
import type { FuseGraph } from './fuse-graph.js';

const PAN = 60;
const panBy: Record<string, [number, number]> = {
  ArrowUp: [0, PAN],
  ArrowDown: [0, -PAN],
  ArrowLeft: [PAN, 0],
  ArrowRight: [-PAN, 0],
};

export function actOnKey(event: KeyboardEvent, graph: FuseGraph): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (act(event, graph)) event.preventDefault();
}

function act(event: KeyboardEvent, graph: FuseGraph): boolean {
  const { index, selection, marked } = graph.store.state;
  const pan = panBy[event.key];
  if (pan && event.shiftKey) {
    graph.panBy(...pan);
    return true;
  }
  if (pan && index) {
    const [from] = marked.ops;
    const to = from === undefined ? 0 : next(index, from, event.key);
    if (to !== undefined && index.ops.length > 0) graph.goTo(to);
    return true;
  }
  switch (event.key) {
    case '+':
    case '=':
      graph.zoom(1.25);
      return true;
    case '-':
      graph.zoom(0.8);
      return true;
    case '0':
    case 'f':
      graph.fit();
      return true;
    case 'Enter':
      if (index && selection?.kind === 'op') graph.enter(selection.op);
      return true;
    case 'Escape':
      graph.store.select(null, 'graph');
      return true;
    default:
      return false;
  }
}

/** Up: the first producer. Down: the first consumer. Left, right: the neighbour in the same row. */
function next(index: AnyIndex, op: number, key: string): number | undefined {
  const { x, y } = index.layout;
  const first = (edges: number[] | undefined) => (edges?.[0] === undefined ? undefined : index.edge(edges[0]));
  if (key === 'ArrowUp') return first(index.incoming[op])?.producer;
  if (key === 'ArrowDown') return first(index.outgoing[op])?.consumer;
  const side = key === 'ArrowLeft' ? -1 : 1;
  let best: number | undefined;
  let distance = Infinity;
  for (let other = 0; other < x.length; other += 1) {
    const dx = ((x[other] ?? 0) - (x[op] ?? 0)) * side;
    const dy = Math.abs((y[other] ?? 0) - (y[op] ?? 0));
    if (other === op || dx <= 0 || dy > 60) continue;
    if (dx + 4 * dy < distance) {
      distance = dx + 4 * dy;
      best = other;
    }
  }
  return best;
}
