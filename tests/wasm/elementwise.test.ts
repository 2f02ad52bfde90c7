// `plan --jsonl` against the oracle's answers: the golden 800 graphs, and fresh ones where the oracle is at hand.
// It must not know the planner's rules.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { file, fuseboard, root } from './command';

/** The answer part of a case or of an answer line, as text: counts pass 2^53. Only the estimate is read as a number. */
function answer(line: string): string {
  const from = line.search(/"(plan|error)":/);
  return line.slice(from).replace(/"speedup_estimate":([^,}]+)/, (_, value) => `"speedup_estimate":${Number(value)}`);
}

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

test('the golden graphs', () => {
  expect_agreement(readFileSync(join(root, 'tests/data/elementwise.jsonl'), 'utf8'));
});

test('20,000 graphs in one process', { timeout: 60_000 }, () => {
  expect_agreement(readFileSync(join(root, 'tests/data/elementwise.jsonl'), 'utf8').repeat(25));
});

test('fresh graphs of the oracle', { timeout: 120_000 }, () => {
  const oracle = join(root, '../shared/oracle/elementwise_oracle.py');
  if (!existsSync(oracle)) return console.log('skipped: fresh graphs of the oracle, ../shared/oracle is not here');
  const seed = String(Date.now() % 1_000_000);
  const made = spawnSync('python3', [oracle, 'make', seed, '20000'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  expect(made.status, `seed ${seed}: ${made.stderr}`).toBe(0);
  expect_agreement(made.stdout);
});

test('a line that is no case answers with a code, and the next line is read all the same', () => {
  const good = '{"graph":{"ops":[{"kind":"relu","inputs":[],"output_shape":[4],"dtype_bytes":4}]}}';
  const { status, stdout } = fuseboard(['plan', '--jsonl', '-'], `nonsense\n${good}\n\n{"broadcast":true,\n${good}`);
  expect(status).toBe(0);
  const answers = stdout.trimEnd().split('\n');
  expect(answers.map((line) => answer(line).slice(0, 8))).toEqual(['"error":', '"plan":{', '"error":', '"error":', '"plan":{']);
  expect(answers[0]).toBe('{"error":"syntax"}');
});

test('an empty file has no answers', () => {
  expect(fuseboard(['plan', '--jsonl', file('empty.jsonl', '')])).toEqual({ status: 0, stdout: '', stderr: '' });
});
