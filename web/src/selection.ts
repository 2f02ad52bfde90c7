// What is selected, and what of it each pane marks: one selection, seen as ops, groups, edges and kernels.
// It must not know how a pane marks it.
import type { AnyIndex } from './plan-index.js';

export type Selection =
  | { kind: 'op'; op: number }
  | { kind: 'group'; group: number }
  | { kind: 'edge'; edge: number }
  | { kind: 'kernel'; kernel: number }
  /** Two ops, asked about: the edge between them where there is one. */
  | { kind: 'pair'; from: number; to: number };

export interface Marked {
  ops: ReadonlySet<number>;
  groups: ReadonlySet<number>;
  edges: ReadonlySet<number>;
  kernels: ReadonlySet<number>;
  /** Ops of the path that made a merge impossible, in its order. */
  path: readonly number[];
}

export const nothingMarked: Marked = {
  ops: new Set(),
  groups: new Set(),
  edges: new Set(),
  kernels: new Set(),
  path: [],
};

/** Everything that belongs to the selection. A group of one op and that op, and a kernel and its group, mark the same. */
export function marked(index: AnyIndex | null, selection: Selection | null): Marked {
  if (!index || !selection || !exists(index, selection)) return nothingMarked;
  switch (selection.kind) {
    case 'op':
      return mark(index, [selection.op], []);
    case 'group':
      return mark(index, index.group(selection.group).members, []);
    case 'kernel':
      return mark(index, index.group(index.groupOfKernel(selection.kernel)).members, []);
    case 'edge': {
      const { producer, consumer } = index.edge(selection.edge);
      return mark(index, [producer, consumer], [selection.edge]);
    }
    case 'pair': {
      const edge = index.edgeBetween(selection.from, selection.to);
      return mark(index, [selection.from, selection.to], edge === undefined ? [] : [edge]);
    }
  }
}

function mark(index: AnyIndex, ops: number[], edges: number[]): Marked {
  const all = new Set([...ops, ...ops.flatMap((op) => index.twins(op))]);
  const groups = new Set([...all].map((op) => index.op(op).group).filter((group) => group !== null));
  const kernels = [...groups].map((group) => index.kernelOf(group)).filter((kernel) => kernel !== null);
  const [only] = ops;
  const path =
    ops.length === 1 && only !== undefined ? index.pathOfOp(only) : edges.flatMap((edge) => index.pathOfEdge(edge));
  return { ops: all, groups, edges: new Set(edges), kernels: new Set(kernels), path };
}

export function exists(index: AnyIndex, selection: Selection): boolean {
  const { ops, groups, edges, kernelCount } = index;
  switch (selection.kind) {
    case 'op':
      return selection.op < ops.length;
    case 'group':
      return selection.group < groups.length;
    case 'edge':
      return selection.edge < edges.length;
    case 'kernel':
      return selection.kernel < kernelCount;
    case 'pair':
      return selection.from < ops.length && selection.to < ops.length;
  }
}

/** The same thing in a new plan, found by the names of its ops, or by its place where it was renamed; null where it
 * is gone. */
export function carried(selection: Selection | null, old: AnyIndex | null, now: AnyIndex): Selection | null {
  if (!selection || !old || !exists(old, selection)) return null;
  const again = (op: number) => {
    const { name } = old.op(op);
    return now.ops[op]?.name === name ? op : (now.opNamed(name) ?? renamed(old, now, op));
  };
  const first = (ops: number[]) => ops.map(again).find((op) => op !== undefined);
  switch (selection.kind) {
    case 'op': {
      const op = again(selection.op);
      return op === undefined ? null : { kind: 'op', op };
    }
    case 'group': {
      const op = first(old.group(selection.group).members);
      const group = op === undefined ? null : now.op(op).group;
      return group === null ? null : { kind: 'group', group };
    }
    case 'kernel': {
      const op = first(old.group(old.groupOfKernel(selection.kernel)).members);
      const group = op === undefined ? null : now.op(op).group;
      const kernel = group === null ? null : now.kernelOf(group);
      return kernel === null ? null : { kind: 'kernel', kernel };
    }
    case 'edge': {
      const { producer, consumer } = old.edge(selection.edge);
      const [from, to] = [again(producer), again(consumer)];
      const edge = from === undefined || to === undefined ? undefined : now.edgeBetween(from, to);
      return edge === undefined ? null : { kind: 'edge', edge };
    }
    case 'pair': {
      const [from, to] = [again(selection.from), again(selection.to)];
      return from === undefined || to === undefined ? null : { kind: 'pair', from, to };
    }
  }
}

/** The op that stands where `op` stood, of its kind and under a name that is new. */
function renamed(old: AnyIndex, now: AnyIndex, op: number): number | undefined {
  const there = now.ops[op];
  const same = there !== undefined && now.ops.length === old.ops.length && there.kind === old.op(op).kind;
  return same && old.opNamed(there.name) === undefined ? op : undefined;
}
