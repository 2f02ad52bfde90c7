// A graph of either kind with what all panes look up in it: edges by op, names, ops by their place in the text.
// It must not know what an op does, what is selected, or how it is drawn.
import type { Layout, Options } from './protocol.js';

/** An op of a plan, or a node of a kernel graph. */
export interface GraphOp {
  id: number;
  name: string;
  /** Bytes in the text; length 0 where it stands nowhere. */
  offset: number;
  length: number;
  /** null: in none. */
  group: number | null;
}

export interface GraphEdge {
  producer: number;
  consumer: number;
  /** Whether both ends run as one kernel. */
  together: boolean;
}

/** Where a plan on show comes from. */
export interface Origin {
  layout: Layout;
  /** The engine's id of the text, for questions about its kernels. */
  opened: number;
  /** The text it is a plan of, and its bytes in UTF-8. */
  text: string;
  textBytes: number;
}

export abstract class GraphIndex<Op extends GraphOp, Edge extends GraphEdge, Group extends { members: number[] }> {
  readonly ops: Op[];
  readonly edges: Edge[];
  readonly groups: Group[];
  readonly layout: Layout;
  readonly opened: number;
  readonly text: string;
  readonly textBytes: number;
  /** For each op the edges of which it is the consumer, and the producer. */
  readonly incoming: number[][];
  readonly outgoing: number[][];
  /** Ids of the ops that have a place in the text, by offset. */
  readonly byOffset: number[];
  #byName: Map<string, number> | undefined;
  /** Each edge under both its ends as one number. */
  #byEnds: Map<number, number> | undefined;

  constructor(ops: Op[], edges: Edge[], groups: Group[], origin: Origin) {
    this.ops = ops;
    this.edges = edges;
    this.groups = groups;
    this.layout = origin.layout;
    this.opened = origin.opened;
    this.text = origin.text;
    this.textBytes = origin.textBytes;
    this.incoming = ops.map(() => []);
    this.outgoing = ops.map(() => []);
    edges.forEach(({ producer, consumer }, edge) => {
      this.incoming[consumer]?.push(edge);
      this.outgoing[producer]?.push(edge);
    });
    this.byOffset = ops.filter((op) => op.length > 0).map((op) => op.id);
    this.byOffset.sort((a, b) => this.op(a).offset - this.op(b).offset);
  }

  /** Whether it was planned with these options, as far as they concern it. */
  abstract madeWith(options: Required<Options>): boolean;
  /** Whether both ends could join others, and it is this edge that cannot. */
  abstract isContested(edge: number): boolean;
  /** Kernels with PTX here: how many, which a group has, and whose one is. */
  abstract readonly kernelCount: number;
  abstract kernelOf(group: number): number | null;
  abstract groupOfKernel(kernel: number): number;
  /** The ops of the path that made a merge over this edge impossible, in its order. */
  abstract pathOfEdge(edge: number): readonly number[];
  /** The nodes that kept a group from beginning at an op, in their order. */
  abstract pathOfOp(op: number): readonly number[];
  /** What else shows the same: the node that an op became in a rewritten graph, and the other way. */
  abstract twins(op: number): readonly number[];

  op(id: number): Op {
    const op = this.ops[id];
    if (!op) throw new RangeError(`no op ${id}`);
    return op;
  }

  group(index: number): Group {
    const group = this.groups[index];
    if (!group) throw new RangeError(`no group ${index}`);
    return group;
  }

  edge(index: number): Edge {
    const edge = this.edges[index];
    if (!edge) throw new RangeError(`no edge ${index}`);
    return edge;
  }

  /** The first of that name: in both kinds of graph, and the node rather than what it was rewritten to. */
  opNamed(name: string): number | undefined {
    this.#byName ??= new Map(this.ops.toReversed().map((op) => [op.name, op.id]));
    return this.#byName.get(name);
  }

  /** The edge between two ops, whichever produces. */
  edgeBetween(a: number, b: number): number | undefined {
    return this.#edgeFrom(a, b) ?? this.#edgeFrom(b, a);
  }

  /** The first of those that join the two. */
  #edgeFrom(producer: number, consumer: number): number | undefined {
    const key = (from: number, to: number) => from * this.ops.length + to;
    if (!this.#byEnds) {
      this.#byEnds = new Map();
      for (let at = this.edges.length - 1; at >= 0; at -= 1) {
        const edge = this.edge(at);
        this.#byEnds.set(key(edge.producer, edge.consumer), at);
      }
    }
    return this.#byEnds.get(key(producer, consumer));
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
        const next = this.edge(edge).consumer;
        if (cameBy.has(next)) continue;
        cameBy.set(next, edge);
        queue.push(next);
      }
    }
    if (!cameBy.has(to)) return undefined;
    const path: number[] = [];
    for (let edge = cameBy.get(to) ?? -1; edge >= 0; edge = cameBy.get(this.edge(edge).producer) ?? -1) path.push(edge);
    return path.reverse();
  }
}
