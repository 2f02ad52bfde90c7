// The plan of a kernel graph, with what the panes look up in it: its nodes, then those of the rewritten graph.
// It must not know what is selected or drawn.
import { GraphIndex, type GraphEdge, type GraphOp, type Origin } from './graph-index.js';
import { isContested, type ChainDecision, type KernelGroup, type KernelNode, type KernelPlan, type RegionDecision, type RewrittenNode } from './kernel-plan.js';
import type { Options } from './protocol.js';

/** A node of either graph, under an id that counts through both. */
export type LaunchOp = GraphOp &
  (({ is: 'node' } & Omit<KernelNode, keyof GraphOp>) | ({ is: 'rewritten' } & Omit<RewrittenNode, keyof GraphOp>));

/** Launches of one function whose fusible flag is a guess. */
export interface Guess {
  function_name: string;
  nodes: number[];
  fusible: boolean;
  turned: boolean;
}

export class KernelPlanIndex extends GraphIndex<LaunchOp, GraphEdge, KernelGroup> {
  readonly of = 'launches';
  readonly plan: KernelPlan;
  readonly #decisionOf: Map<number, number>;
  /** Each edge that is in the way, with the decisions that name it. */
  readonly #contested = new Map<number, RegionDecision[]>();
  /** The new id of each node that is drawn in the rewritten graph too. */
  readonly #rewrittenTo = new Map<number, number>();
  #guesses: Guess[] | undefined;
  #chains: Map<number, ChainDecision> | undefined;

  constructor(plan: KernelPlan, origin: Origin) {
    const { nodes, rewritten } = plan;
    super([...nodes.map(asOp), ...(rewritten?.nodes ?? []).map((node) => asRewritten(node, nodes.length))], edgesOf(plan), plan.groups, origin);
    this.plan = plan;
    this.#decisionOf = new Map(plan.decisions.map(({ root }, decision) => [root, decision]));
    for (const { id, members } of rewritten?.nodes ?? [])
      for (const member of members) this.#rewrittenTo.set(member, nodes.length + id);
    for (const decision of plan.decisions) {
      const edge = this.#edgeInTheWay(decision);
      if (edge === undefined) continue;
      const about = this.#contested.get(edge);
      if (about) about.push(decision);
      else this.#contested.set(edge, [decision]);
    }
  }

  /** The decision of the root, where a region was tried. */
  decisionOf(root: number): RegionDecision | undefined {
    const decision = this.decisionIdOf(root);
    return decision === undefined ? undefined : this.plan.decisions[decision];
  }

  decisionIdOf(root: number): number | undefined {
    return this.#decisionOf.get(root);
  }

  /** Where the chain that a launch begins stops; undefined inside a region or a chain. */
  chainFrom(first: number): ChainDecision | undefined {
    this.#chains ??= new Map(this.plan.chains.map((chain) => [chain.first, chain]));
    return this.#chains.get(first);
  }

  /** The decisions that name an edge as what is in the way. */
  decisionsAbout(edge: number): readonly RegionDecision[] {
    return this.#contested.get(edge) ?? [];
  }

  /** Functions whose flag is a guess, in the order of their first launches. */
  get guesses(): Guess[] {
    if (this.#guesses) return this.#guesses;
    const turned = new Set(this.plan.options.turned);
    const found = new Map<string, Guess>();
    for (const { id, function_name, fusible, fusible_is_guess } of this.plan.nodes) {
      if (!fusible_is_guess || function_name === undefined) continue;
      const guess = found.get(function_name);
      if (guess) guess.nodes.push(id);
      else found.set(function_name, { function_name, nodes: [id], fusible: fusible === true, turned: turned.has(function_name) });
    }
    return (this.#guesses = [...found.values()]);
  }

  /** That of a node's function, where its flag is a guess. */
  guessOf(op: number): Guess | undefined {
    const { function_name, fusible_is_guess } = this.op(op);
    return fusible_is_guess ? this.guesses.find((guess) => guess.function_name === function_name) : undefined;
  }

  #edgeInTheWay(decision: RegionDecision): number | undefined {
    const { reason, from, to, path } = decision;
    if (!isContested(decision)) return undefined;
    if (reason === 'not-dominated') {
      const [a, b] = path?.slice(-2) ?? [];
      return a === undefined || b === undefined ? undefined : this.edgeBetween(a, b);
    }
    return from === null || to === null ? undefined : this.edgeBetween(from, to);
  }

  override madeWith({ entry, fused, turned }: Required<Options>): boolean {
    const made = this.plan.options;
    return made.entry === entry && made.fused === fused && made.turned.join('\0') === turned.join('\0');
  }

  override isContested(edge: number): boolean {
    return this.#contested.has(edge);
  }

  override readonly kernelCount = 0;

  override kernelOf(): number | null {
    return null;
  }

  override groupOfKernel(kernel: number): number {
    throw new RangeError(`no kernel ${kernel}`);
  }

  override pathOfEdge(): readonly number[] {
    return [];
  }

  override pathOfOp(op: number): readonly number[] {
    const decision = this.decisionOf(op);
    if (!decision || decision.verdict === 'fused') return [];
    if (decision.path && decision.path.length > 0) return decision.path;
    const ends = [decision.from, decision.to].filter((node) => node !== null);
    return ends.length > 0 ? ends : [decision.member].filter((node) => node !== null);
  }

  override twins(op: number): readonly number[] {
    const one = this.op(op);
    if (one.is === 'rewritten') return one.members;
    const twin = this.#rewrittenTo.get(op);
    return twin === undefined ? [] : [twin];
  }
}

function asOp(node: KernelNode): LaunchOp {
  return { ...node, is: 'node', name: node.label };
}

function asRewritten(node: RewrittenNode, first: number): LaunchOp {
  return { ...node, is: 'rewritten', id: first + node.id, name: node.label, group: null, offset: 0, length: 0 };
}

function edgesOf({ nodes, edges, rewritten }: KernelPlan): GraphEdge[] {
  const group = (node: number) => nodes[node]?.group ?? null;
  const first = nodes.length;
  return [
    ...edges.map(([producer, consumer]) => ({
      producer,
      consumer,
      together: group(producer) !== null && group(producer) === group(consumer),
    })),
    ...(rewritten?.edges ?? []).map(([from, to]) => ({ producer: first + from, consumer: first + to, together: false })),
  ];
}
