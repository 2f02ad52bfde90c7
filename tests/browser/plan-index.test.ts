// What the panes look up in a plan, of sizes that no drawing is needed for.
// It must not know pages: nothing is drawn here.
import { expect, test } from 'vitest';
import type { Origin } from '../../web/src/graph-index.js';
import type { KernelGroup, KernelNode, KernelPlan, RegionDecision, RegionReason } from '../../web/src/kernel-plan.js';
import { KernelPlanIndex } from '../../web/src/kernel-plan-index.js';
import type { Plan, PlanOp } from '../../web/src/plan.js';
import { PlanIndex } from '../../web/src/plan-index.js';
import { Scene } from '../../web/src/scene.js';

const many = 130_000;

function origin(x: number[], groups: number): Origin {
  const zeros = (size: number) => new Float32Array(size);
  return {
    layout: {
      x: Float32Array.from(x),
      y: zeros(x.length),
      width: zeros(x.length).fill(8),
      height: zeros(x.length),
      group_x: zeros(groups).map((_, group) => 40 - (group === groups - 1 ? 7 : 0)),
      group_y: zeros(groups),
      group_width: zeros(groups).fill(20),
      group_height: zeros(groups),
      edge_start: new Uint32Array(1),
      edge_points: zeros(0),
    },
    opened: 0,
    text: '',
    textBytes: 0,
  } as Origin;
}

const node = (id: number, label = `k${id}`) => ({ id, label, kind: 'kernel_launch', inputs: [], outputs: [], group: null, offset: 0, length: 0 });

function planOf(of: Partial<Record<keyof KernelPlan, unknown>>): KernelPlan {
  return { nodes: [], edges: [], groups: [], decisions: [], chains: [], rewritten: null, options: { turned: [] }, ...of } as unknown as KernelPlan;
}

const refused = (root: number, reason: RegionReason, to: number, path?: number[]) =>
  ({ root, sink: null, verdict: 'refused', reason, member: to, from: root, to, ...(path ? { path } : {}), message: '' }) as RegionDecision;

test('more than a hundred thousand roots, each refused on its edge to the same node, take a step each', () => {
  const roots = Array.from({ length: many }, (_, root) => root);
  const index = new KernelPlanIndex(
    planOf({
      nodes: [...roots, many].map((id) => node(id)) as unknown as KernelNode[],
      edges: roots.map((root) => [root, many]),
      decisions: roots.map((root) => refused(root, 'totals-differ', many)),
    }),
    origin([], 0),
  );
  expect(roots.every((edge) => index.decisionsAbout(edge)[0]?.root === edge)).toBe(true);
  expect(roots.every((edge) => index.edgeBetween(many, edge) === edge)).toBe(true);
}, 10_000);

test('an edge is refused by what could have been fused: other totals, other branches, a leak, a way around', () => {
  const edges = [[0, 4], [1, 4], [2, 4], [3, 4], [5, 4], [0, 4]];
  const index = new KernelPlanIndex(
    planOf({
      nodes: [0, 1, 2, 3, 4, 5].map((id) => node(id)),
      edges,
      decisions: [
        refused(0, 'branches-differ', 4),
        refused(1, 'edge-leaks', 4),
        refused(2, 'member-not-fusible', 4),
        refused(3, 'no-fan-out', 4),
        refused(4, 'not-dominated', 4, [0, 5, 4]),
      ],
    }),
    origin([], 0),
  );
  expect(edges.map((_, edge) => index.isContested(edge))).toEqual([true, true, false, false, true, false]);
  expect(index.decisionsAbout(0).map(({ reason }) => reason)).toEqual(['branches-differ']);
  expect(index.decisionsAbout(4).map(({ root }) => root)).toEqual([4]);
  expect(index.decisionsAbout(2)).toEqual([]);
});

test('a name that two have means the first, in both kinds of graph', () => {
  const launches = new KernelPlanIndex(planOf({ nodes: [node(0, 'a'), node(1, 'b'), node(2, 'b')] }), origin([], 0));
  const ops = ['a', 'b', 'b'].map((name, id) => ({ id, name, offset: 0, length: 0 })) as unknown as PlanOp[];
  const graph = new PlanIndex({ ops, decisions: [], groups: [] } as unknown as Plan, origin([], 0));
  expect([launches.opNamed('b'), graph.opNamed('b'), launches.opNamed('c')]).toEqual([1, 1, undefined]);
});

test('headings of a graph of very many groups stand over their left ends', () => {
  const groups = Array.from({ length: many }, () => ({ members: [] })) as unknown as KernelGroup[];
  const rewritten = { nodes: [{ ...node(0), tag: '', members: [0] }, { ...node(1), tag: '', members: [1] }], edges: [] };
  const index = new KernelPlanIndex(planOf({ nodes: [node(0), node(1)], groups, rewritten }), origin([35, 50, 92, 90], many));
  expect(new Scene(index).lefts).toEqual({ given: 33, rewritten: 90 });
});
