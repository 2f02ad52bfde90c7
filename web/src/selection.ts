// What is selected, and what of it each pane marks: one selection, seen as ops, groups, edges and kernels.
// It must not know how a pane marks it.
import type { PlanIndex } from './plan-index.js';

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
export function marked(index: PlanIndex | null, selection: Selection | null): Marked {
  if (!index || !selection || !exists(index, selection)) return nothingMarked;
  switch (selection.kind) {
    case 'op':
      return mark(index, [selection.op], []);
    case 'group':
      return mark(index, index.group(selection.group).members, []);
    case 'kernel':
      return mark(index, index.group(index.kernel(selection.kernel).group).members, []);
    case 'edge': {
      const { producer, consumer } = index.decision(selection.edge);
      return mark(index, [producer, consumer], [selection.edge]);
    }
    case 'pair': {
      const edge = index.edgeBetween(selection.from, selection.to);
      return mark(index, [selection.from, selection.to], edge === undefined ? [] : [edge]);
    }
  }
}

function mark(index: PlanIndex, ops: number[], edges: number[]): Marked {
  const groups = new Set(ops.map((op) => index.op(op).group));
  const kernels = [...groups].map((group) => index.group(group).kernel).filter((kernel) => kernel !== null);
  const path = edges.flatMap((edge) => index.decision(edge).path ?? []);
  return { ops: new Set(ops), groups, edges: new Set(edges), kernels: new Set(kernels), path };
}

export function exists(index: PlanIndex, selection: Selection): boolean {
  const { ops, groups, decisions, kernels } = index.plan;
  switch (selection.kind) {
    case 'op':
      return selection.op < ops.length;
    case 'group':
      return selection.group < groups.length;
    case 'edge':
      return selection.edge < decisions.length;
    case 'kernel':
      return selection.kernel < kernels.length;
    case 'pair':
      return selection.from < ops.length && selection.to < ops.length;
  }
}

/** The same thing in a new plan, found by the names of its ops, or by its place where it was renamed; null where it
 * is gone. */
export function carried(selection: Selection | null, old: PlanIndex | null, now: PlanIndex): Selection | null {
  if (!selection || !old || !exists(old, selection)) return null;
  const again = (op: number) => now.opNamed(old.op(op).name) ?? renamed(old, now, op);
  const first = (ops: number[]) => ops.map(again).find((op) => op !== undefined);
  switch (selection.kind) {
    case 'op': {
      const op = again(selection.op);
      return op === undefined ? null : { kind: 'op', op };
    }
    case 'group': {
      const op = first(old.group(selection.group).members);
      return op === undefined ? null : { kind: 'group', group: now.op(op).group };
    }
    case 'kernel': {
      const op = first(old.group(old.kernel(selection.kernel).group).members);
      const kernel = op === undefined ? null : now.group(now.op(op).group).kernel;
      return kernel === null ? null : { kind: 'kernel', kernel };
    }
    case 'edge': {
      const { producer, consumer } = old.decision(selection.edge);
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
function renamed(old: PlanIndex, now: PlanIndex, op: number): number | undefined {
  const there = now.plan.ops[op];
  const same = there !== undefined && now.plan.ops.length === old.plan.ops.length && there.kind === old.op(op).kind;
  return same && old.opNamed(there.name) === undefined ? op : undefined;
}
