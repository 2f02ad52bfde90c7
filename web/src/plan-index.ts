// A plan with what the panes look up in it: edges by op, names, ops by their place in the text.
// It must not know what is selected or drawn.
import type { Decision, Plan, PlanGroup, PlanKernel, PlanOp } from './plan.js';
import type { Layout } from './protocol.js';

export class PlanIndex {
  readonly plan: Plan;
  readonly layout: Layout;
  /** The engine's id of the text, for questions about its kernels. */
  readonly opened: number;
  /** The text it is a plan of, and its bytes in UTF-8. */
  readonly text: string;
  readonly textBytes: number;
  /** For each op the decisions in which it is the consumer, and the producer. */
  readonly incoming: number[][];
  readonly outgoing: number[][];
  /** Ids of the ops that have a place in the text, by offset. */
  readonly byOffset: number[];
  #byName: Map<string, number> | undefined;

  constructor(plan: Plan, layout: Layout, opened: number, text: string, textBytes: number) {
    this.plan = plan;
    this.layout = layout;
    this.opened = opened;
    this.text = text;
    this.textBytes = textBytes;
    this.incoming = plan.ops.map(() => []);
    this.outgoing = plan.ops.map(() => []);
    plan.decisions.forEach((decision, edge) => {
      this.incoming[decision.consumer]?.push(edge);
      this.outgoing[decision.producer]?.push(edge);
    });
    this.byOffset = plan.ops.filter((op) => op.length > 0).map((op) => op.id);
    this.byOffset.sort((a, b) => this.op(a).offset - this.op(b).offset);
  }

  op(id: number): PlanOp {
    const op = this.plan.ops[id];
    if (!op) throw new RangeError(`no op ${id}`);
    return op;
  }

  group(index: number): PlanGroup {
    const group = this.plan.groups[index];
    if (!group) throw new RangeError(`no group ${index}`);
    return group;
  }

  decision(edge: number): Decision {
    const decision = this.plan.decisions[edge];
    if (!decision) throw new RangeError(`no decision ${edge}`);
    return decision;
  }

  kernel(index: number): PlanKernel {
    const kernel = this.plan.kernels[index];
    if (!kernel) throw new RangeError(`no kernel ${index}`);
    return kernel;
  }

  opNamed(name: string): number | undefined {
    this.#byName ??= new Map(this.plan.ops.map((op) => [op.name, op.id]));
    return this.#byName.get(name);
  }

  /** The decision on the edge between two ops, whichever produces. */
  edgeBetween(a: number, b: number): number | undefined {
    const joins = (edge: number, from: number) => this.decision(edge).producer === from;
    return (
      this.incoming[b]?.find((edge) => joins(edge, a)) ?? this.incoming[a]?.find((edge) => joins(edge, b))
    );
  }

  /** The op whose text holds byte `offset`, the innermost (last begun) first. */
  opAtOffset(offset: number): number | undefined {
    let low = 0;
    let high = this.byOffset.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.op(this.byOffset[middle] ?? 0).offset <= offset) low = middle + 1;
      else high = middle;
    }
    const id = this.byOffset[low - 1];
    if (id === undefined) return undefined;
    const op = this.op(id);
    return offset <= op.offset + op.length ? id : undefined;
  }

  /** The edges of a shortest path from one op to another, or undefined where none leads there. */
  pathBetween(from: number, to: number): number[] | undefined {
    const cameBy = new Map<number, number>([[from, -1]]);
    const queue = [from];
    for (let head = 0; head < queue.length && !cameBy.has(to); head += 1) {
      for (const edge of this.outgoing[queue[head] ?? 0] ?? []) {
        const next = this.decision(edge).consumer;
        if (cameBy.has(next)) continue;
        cameBy.set(next, edge);
        queue.push(next);
      }
    }
    if (!cameBy.has(to)) return undefined;
    const path: number[] = [];
    for (let edge = cameBy.get(to) ?? -1; edge >= 0; edge = cameBy.get(this.decision(edge).producer) ?? -1)
      path.push(edge);
    return path.reverse();
  }
}
