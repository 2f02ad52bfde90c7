// `plan --jsonl` on kernel graphs against the oracle's answers: the golden 800, and fresh ones where the oracle is at hand.
// It must not know how regions are found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expect_agreement, expect_agreement_on_fresh_graphs } from './agreement';
import { fuseboard, root } from './command';

test('the golden kernel graphs', () => {
  expect_agreement(readFileSync(join(root, 'tests/data/reduction.jsonl'), 'utf8'));
});

test('fresh kernel graphs of the oracle', { timeout: 180_000 }, () => {
  expect_agreement_on_fresh_graphs('reduction_oracle.py');
});

test('lines of both kinds may stand in one file', () => {
  const ops = '{"graph":{"ops":[{"kind":"relu","inputs":[],"output_shape":[4],"dtype_bytes":4}]}}';
  const nodes = '{"entry":"operands","graph":{"nodes":[{"kind":"barrier"}],"edges":[]}}';
  const { status, stdout } = fuseboard(['plan', '--jsonl', '-'], `${ops}\n${nodes}\n`);
  expect(status).toBe(0);
  expect(stdout.trimEnd().split('\n')[1]).toBe(
    '{"plan":{"groups":[],"launches_saved":0},"rewritten":{"nodes":[0],"edges":[],"fused":{}}}',
  );
});
