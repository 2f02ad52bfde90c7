// The plan of an op graph, with what the panes look up in it.
// It must not know what is selected or drawn.
import { GraphIndex, type Origin } from './graph-index.js';
import type { KernelPlanIndex } from './kernel-plan-index.js';
import { isContested, type Decision, type Plan, type PlanGroup, type PlanKernel, type PlanOp } from './plan.js';
import type { Options } from './protocol.js';

/** A plan of either kind of graph, told apart by `of`. */
export type AnyIndex = PlanIndex | KernelPlanIndex;

export class PlanIndex extends GraphIndex<PlanOp, Decision, PlanGroup> {
  readonly of = 'ops';
  readonly plan: Plan;

  constructor(plan: Plan, origin: Origin) {
    super(plan.ops, plan.decisions, plan.groups, origin);
    this.plan = plan;
  }

  decision(edge: number): Decision {
    return this.edge(edge);
  }

  kernel(index: number): PlanKernel {
    const kernel = this.plan.kernels[index];
    if (!kernel) throw new RangeError(`no kernel ${index}`);
    return kernel;
  }

  override madeWith({ target, math, fused, policy, broadcast }: Required<Options>): boolean {
    const made = this.plan.options;
    return (
      made.target === target &&
      made.math === math &&
      made.fused === fused &&
      made.policy === policy &&
      made.broadcast === broadcast
    );
  }

  override isContested(edge: number): boolean {
    return isContested(this.decision(edge));
  }

  override get kernelCount(): number {
    return this.plan.kernels.length;
  }

  override kernelOf(group: number): number | null {
    return this.group(group).kernel;
  }

  override groupOfKernel(kernel: number): number {
    return this.kernel(kernel).group;
  }

  override pathOfEdge(edge: number): readonly number[] {
    return this.decision(edge).path ?? [];
  }

  override pathOfOp(): readonly number[] {
    return [];
  }

  override twins(): readonly number[] {
    return [];
  }
}
