// `plan --jsonl` against the oracle's answers: the golden 800 graphs, and fresh ones where the oracle is at hand.
// It must not know the planner's rules.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, expect_agreement, expect_agreement_on_fresh_graphs } from './agreement';
import { file, fuseboard, root } from './command';

test('the golden graphs', () => {
  expect_agreement(readFileSync(join(root, 'tests/data/elementwise.jsonl'), 'utf8'));
});

test('20,000 graphs in one process', { timeout: 60_000 }, () => {
  expect_agreement(readFileSync(join(root, 'tests/data/elementwise.jsonl'), 'utf8').repeat(25));
});

test('fresh graphs of the oracle', { timeout: 120_000 }, () => {
  expect_agreement_on_fresh_graphs('elementwise_oracle.py');
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
