// `plan --jsonl` on kernel graphs against the oracle's answers: the golden 800, and fresh ones where the oracle is at hand.
// It must not know how regions are found.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fuseboard, root } from './command';

/** The answer part of a case or of an answer line, as text. */
const answer = (line: string): string => line.slice(line.search(/"(plan|error)":/));

function expect_agreement(cases: string): void {
  const lines = cases.trimEnd().split('\n');
  const { status, stdout, stderr } = fuseboard(['plan', '--jsonl', '-'], cases);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const answers = stdout.trimEnd().split('\n');
  expect(answers.length).toBe(lines.length);
  const wrong = lines.flatMap((line, i) =>
    answer(line) === answer(answers[i] ?? '') ? [] : [{ line: i + 1, wanted: answer(line), got: answers[i] }],
  );
  expect(wrong.slice(0, 3)).toEqual([]);
}

test('the golden kernel graphs', () => {
  expect_agreement(readFileSync(join(root, 'tests/data/reduction.jsonl'), 'utf8'));
});

test('fresh kernel graphs of the oracle', { timeout: 180_000 }, () => {
  const oracle = join(root, '../shared/oracle/reduction_oracle.py');
  if (!existsSync(oracle)) return console.log('skipped: fresh kernel graphs of the oracle, ../shared/oracle is not here');
  const seed = String(Date.now() % 1_000_000);
  const made = spawnSync('python3', [oracle, 'make', seed, '20000'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  expect(made.status, `seed ${seed}: ${made.stderr}`).toBe(0);
  expect_agreement(made.stdout);
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
