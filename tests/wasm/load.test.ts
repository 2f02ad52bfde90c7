// The package itself: load, open, the flat arrays, and that what cannot be compiled rejects.
// It must not know the command.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '#core';
import { expect, test } from 'vitest';
import { root } from './command';

const graph = '{"ops": [{"kind": "relu", "inputs": [], "output_shape": [8], "dtype_bytes": 4}, {"kind": "tanh", "inputs": [0], "output_shape": [8], "dtype_bytes": 4}]}';

test('a string and its bytes open alike', async () => {
  const core = await load();
  const from_text = core.open(graph);
  const from_bytes = core.open(new TextEncoder().encode(graph));
  expect(from_text.ok()).toBe(true);
  expect(from_bytes.plan_json()).toBe(from_text.plan_json());
  expect(from_text.kernel_count()).toBe(1);
  expect(JSON.parse(from_text.kernel_json(0)).ptx).toBe(from_text.kernel_ptx(0));
  from_text.delete();
  from_bytes.delete();
});

test('the layout is flat arrays that outlive the playground', async () => {
  const core = await load();
  const playground = core.open(graph);
  const layout = playground.layout();
  playground.delete();
  core.open('{"ops": []}'.padEnd(1 << 22)).delete();
  expect(layout.x).toBeInstanceOf(Float32Array);
  expect([layout.x.length, layout.y.length, layout.width.length, layout.height.length]).toEqual([2, 2, 2, 2]);
  expect(layout.edge_start).toBeInstanceOf(Uint32Array);
  expect(layout.edge_points.length).toBe(2 * (layout.edge_start.at(-1) ?? 0));
  expect(layout.total_width).toBeGreaterThan(0);
});

test('the module as bytes', async () => {
  const wasmBinary = readFileSync(join(root, 'wasm/dist/fuseboard.wasm'));
  expect(JSON.parse((await load({ wasmBinary })).about_json()).targets).toContain('sm_90');
});

test('what cannot be compiled rejects', async () => {
  await expect(load({ wasmBinary: new Uint8Array(16) })).rejects.toThrow();
});

test('the glue makes no code from text, as the page forbids it', () => {
  const glue = readFileSync(join(root, 'wasm/dist/fuseboard.mjs'), 'utf8');
  expect(glue).not.toMatch(/new Function|\beval\(/);
});

test('a million ops stay within the stack', { timeout: 60_000 }, async () => {
  const core = await load();
  const ops = Array.from({ length: 1_000_000 }, (_, i) => `{"kind":"relu","inputs":[${i ? i - 1 : ''}],"output_shape":[4],"dtype_bytes":4}`);
  const playground = core.open(`{"ops":[${ops.join(',')}]}`);
  expect(playground.ok()).toBe(true);
  playground.delete();
});
