// Kernel graphs through the package and the command: kernel plan JSON, the drawing's arrays, entry and turned guesses.
// It must not know how regions are found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '#core';
import { expect, test } from 'vitest';
import { fuseboard, root } from './command';

const example = (name: string) => readFileSync(join(root, 'web/examples/launches', name), 'utf8');
const core = await load();

test('a kernel graph opens, plans and is drawn with its rewritten form', () => {
  const board = core.open(example('softmax.json'));
  expect(board.ok()).toBe(true);
  const plan = JSON.parse(board.plan_json());
  expect(plan.options).toEqual({ entry: 'operands', fused: true, turned: [] });
  expect(plan.groups).toEqual([{ root: 3, sink: 7, members: [3, 4, 5, 6, 7], pattern: 'Softmax' }]);
  expect(plan.rewritten.nodes).toHaveLength(5);
  const layout = board.layout();
  expect(layout.x).toHaveLength(9 + 5);
  expect(layout.edge_start).toHaveLength(10 + 4 + 1);
  expect(layout.group_width).toHaveLength(1);
  expect(board.kernel_count()).toBe(0);
  board.delete();
});

test('turned guesses and the entry make another plan', () => {
  const saved = (options: Parameters<typeof core.open>[1], name = 'captured.dot') => {
    const board = core.open(example(name), options);
    const plan = JSON.parse(board.plan_json());
    board.delete();
    return plan.launches_saved;
  };
  const subtract = '_Z13subtract_rowsPKfS0_Pfi';
  expect(saved({})).toBe(2);
  expect(saved({ turned: [subtract] })).toBe(4);
  expect(saved({ turned: ['no such function'] })).toBe(2);
  expect(saved({ entry: 'dominated' }, 'softmax.json')).toBe(3);
});

test('the command plans a single kernel graph, from the entry that it is given', () => {
  const { status, stdout, stderr } = fuseboard(['plan', '-'], example('softmax.json'));
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ format: 'kernel-graph-json', launches_saved: 4 });
  const dominated = fuseboard(['plan', '-', '--entry', 'dominated'], example('softmax.json'));
  expect(JSON.parse(dominated.stdout)).toMatchObject({ options: { entry: 'dominated' }, launches_saved: 3 });
  expect(fuseboard(['plan', '-', '--entry', 'anyone'], example('softmax.json')).status).toBe(2);
  const turned = fuseboard(['plan', '-', '--turned', '_Z13subtract_rowsPKfS0_Pfi'], example('captured.dot'));
  expect(JSON.parse(turned.stdout)).toMatchObject({ format: 'cuda-graph', launches_saved: 4 });
  expect(fuseboard(['plan', '-', '--jsonl', '--turned', 'exp'], '').status).toBe(2);
  expect(fuseboard(['dot', '-'], example('softmax.json')).stdout).toContain('Softmax: 5 launches as one');
});

test('the command says that a kernel graph has no PTX', () => {
  for (const command of ['ptx', 'run']) {
    const { status, stdout, stderr } = fuseboard([command, '-'], example('leak.json'));
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('is a kernel graph');
  }
});

test('a kernel graph that cannot be read ends with 1 and its place', () => {
  const { status, stderr } = fuseboard(['plan', '-'], '{"nodes": [{"kind": "barrier"}], "edges": [[0, 7]]}');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^<stdin>:1:\d+: error\[unknown-node\]/);
});
