// Holds the answers of `plan --jsonl` against an oracle's: of lines at hand, or of fresh ones where it is there.
// It must not know the planners' rules.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fuseboard, root } from './command';

/** The answer part of a case or of an answer line, as text: counts pass 2^53. Only the estimate is read as a number. */
export function answer(line: string): string {
  const from = line.search(/"(plan|error)":/);
  return line.slice(from).replace(/"speedup_estimate":([^,}]+)/, (_, value) => `"speedup_estimate":${Number(value)}`);
}

export function expect_agreement(cases: string): void {
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

/** 20,000 cases of a new seed. */
export function expect_agreement_on_fresh_graphs(oracle_name: string): void {
  const oracle = join(root, '../shared/oracle', oracle_name);
  if (!existsSync(oracle)) return console.log(`skipped: fresh graphs of ${oracle_name}, ../shared/oracle is not here`);
  const seed = String(Date.now() % 1_000_000);
  const made = spawnSync('python3', [oracle, 'make', seed, '20000'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  expect(made.status, `seed ${seed}: ${made.stderr}`).toBe(0);
  expect_agreement(made.stdout);
}
