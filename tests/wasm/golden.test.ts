// The golden files on the wasm build: byte for byte what the native core answers.
// It must not know why an answer is right, nor rewrite one: `npm run golden` does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '#core';
import { expect, test } from 'vitest';
import { root } from './command';

interface Section {
  name: string;
  body: string;
}

const folder = join(root, 'tests/golden');
const files = readdirSync(folder).filter((name) => name.endsWith('.golden'));

/** What stands behind each "--- name" line. */
function sections(text: string): Section[] {
  return text
    .split(/^--- /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { name: part.slice(0, end), body: without_break(part.slice(end + 1)) };
    });
}

const without_break = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);

function options(words: string): { broadcast: boolean; fused: boolean; target: string; math: 'fast' | 'precise'; policy: 'rows' | 'regions' | 'elementwise'; entry: 'operands' | 'dominated' } {
  const given = new Map(words.split(/\s+/).filter(Boolean).map((word) => word.split('=') as [string, string]));
  return {
    broadcast: given.get('broadcast') !== 'false',
    fused: given.get('fused') !== 'false',
    target: given.get('target') ?? 'sm_90',
    policy: (given.get('policy') ?? 'rows') as 'rows' | 'regions' | 'elementwise',
    entry: (given.get('entry') ?? 'operands') as 'operands' | 'dominated',
    math: (given.get('math') ?? 'fast') as 'fast' | 'precise',
  };
}

const core = await load();

test('there are golden files', () => expect(files.length).toBeGreaterThanOrEqual(20));

test.each(files)('%s', (file) => {
  const [words, text, ...expected] = sections(readFileSync(join(folder, file), 'utf8'));
  expect([words?.name, text?.name]).toEqual(['options', 'text']);
  const board = core.open(text?.body ?? '', options(words?.body ?? ''));
  const answered: Section[] = [{ name: 'plan', body: without_break(board.plan_json()) }];
  if (board.ok()) {
    answered.push({ name: 'dot', body: without_break(board.dot()) });
    const plan: { kernels?: { entry: string }[] } = JSON.parse(board.plan_json());
    plan.kernels?.forEach(({ entry }, kernel) => {
      const ptx = board.kernel_ptx(kernel);
      if (ptx) answered.push({ name: `ptx ${entry}`, body: without_break(ptx) });
    });
  }
  board.delete();
  expect(answered).toEqual(expected);
});
