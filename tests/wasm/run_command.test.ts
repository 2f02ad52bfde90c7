// The command `run`: a line a kernel, a verdict, run JSON, exit status.
// It must not know how kernels are held against a graph.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fuseboard, root } from './command';

const graph = `{"ops": [{"name": "x", "kind": "input", "output_shape": [1024, 32], "dtype": "f32"},
 {"name": "b", "kind": "input", "output_shape": [32], "dtype": "f32"},
 {"name": "y", "kind": "add", "inputs": ["x", "b"]},
 {"name": "z", "kind": "relu", "inputs": ["y"]}]}`;
const library = `{"ops": [{"name": "x", "kind": "input", "output_shape": [64, 32], "dtype": "f32"},
 {"name": "w", "kind": "input", "output_shape": [32, 16], "dtype": "f32"},
 {"name": "p", "kind": "matmul", "inputs": ["x", "w"]},
 {"name": "z", "kind": "relu", "inputs": ["p"]}]}`;
const long = `{"ops": [{"name": "x", "kind": "input", "output_shape": [8192, 8192], "dtype": "f32"},
 {"name": "z", "kind": "neg", "inputs": ["x"]}]}`;

test('run prints a line a kernel and the verdict last', () => {
  const { status, stdout, stderr } = fuseboard(['run', '-', '--math', 'precise'], graph);
  expect([status, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^kernel +verdict +worst error +read +written +sectors\/load/);
  expect(lines[1]).toMatch(/^fused_y_z_\d+ +verified +0 +131200\/131200 +131072\/131072 +\S+ +\S+ +\S+$/);
  expect(lines.at(-2)).toBe('fused = unfused: bit for bit, 1 tensor');
  expect(lines.at(-1)).toBe('verified: 1 kernel in full');
});

test('library calls are named and counted', () => {
  const { status, stdout } = fuseboard(['run', '-'], library);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^matmul +library/m);
  expect(stdout).toContain('matmul is a library call, computed by reference');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('verified: 1 kernel in full; 1 library call not ours (matmul 1)');
});

test('a long kernel is sampled unless asked in full, and is not called verified', () => {
  const { status, stdout } = fuseboard(['run', '-'], long);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^neg_z_\d+ +held/m);
  expect(stdout).toMatch(/ blocks: the first, the last/);
  expect(stdout).toMatch(/at smaller sizes \(\[8192,8192\] as \[\d+,\d+\], .*\): verified/);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('held, not verified in full: 1 sampled');
});

test('run JSON is the core\'s, and another seed gives another run', () => {
  const { status, stdout } = fuseboard(['run', '-', '--json', '--seed', '7'], graph);
  expect(status).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ version: 1, state: 'finished', seed: 7, full: false, verified: true, passed: true, progress: 1 });
  expect(report.kernels[0]).toMatchObject({ kind: 'full', verdict: 'verified', output_elements: 32768, fault: null, mismatch: null });
  expect(report.kernels[0].read).toEqual({ promised: 131200, measured: 131200, must_be_equal: true, equal: true, why_not: '' });
});

test('options are checked, and a graph that cannot be read ends with 1', () => {
  expect(fuseboard(['run', '-', '--seed', 'x'], graph).status).toBe(2);
  expect(fuseboard(['run', '-', '--print', '3'], graph).status).toBe(2);
  expect(fuseboard(['run', '-', '--math', 'exact'], graph).status).toBe(2);
  expect(fuseboard(['run', '-'], '{').status).toBe(1);
});

const examples = join(root, 'web/examples');
test.each(readdirSync(examples).filter((name) => name.includes('.') && name !== 'index.json'))('the example %s verifies in full', { timeout: 120_000 }, (name) => {
  const { status, stdout } = fuseboard(['run', '-'], readFileSync(join(examples, name)));
  expect(stdout).not.toContain('mismatch');
  expect(stdout).toMatch(/\nverified: [^\n]*\n$/);
  expect(status).toBe(0);
});
