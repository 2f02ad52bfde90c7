// Pictures for people to look at: build/screenshots. That they can be taken, and nothing overflows, is the test.
// It must not know what they should look like.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { BoardPage, exampleText, graphOf, screenshots, useBrowser } from './page.js';

useBrowser();
beforeAll(() => void mkdirSync(screenshots, { recursive: true }));

interface Shot {
  name: string;
  file?: string;
  options?: BrowserContextOptions;
  act?(board: BoardPage): Promise<unknown>;
  fullPage?: boolean;
}

const dark: BrowserContextOptions = { colorScheme: 'dark' };
const narrow: BrowserContextOptions = { viewport: { width: 360, height: 740 } };
const refused = async (board: BoardPage) => {
  await board.pick('refused-cycle.json');
  await board.tab('Why');
  await board.why.getByRole('button', { name: /a → c/ }).click();
};

const launches = async (board: BoardPage) => {
  await board.pick('launches/softmax.json');
  await board.tab('Costs');
  await board.costs.getByRole('button', { name: /row_max, subtract/ }).click();
};
const leak = async (board: BoardPage) => {
  await board.pick('launches/leak.json');
  await board.tab('Why');
  await board.why.getByRole('button', { name: /^to_float/ }).click();
};

const run = (file: string, all = false) => async (board: BoardPage) => {
  await board.pick(file);
  await board.tab('Run');
  if (all) await board.run.getByLabel('all blocks').check();
  await board.run.getByRole('button', { name: 'Run' }).click();
  await board.run.locator('.verdict p').waitFor({ timeout: 80_000 });
  await board.run.locator('tr.kernel button').last().click();
};
const scratch = async (board: BoardPage) => {
  await board.tab('PTX');
  await board.ptx.getByRole('button', { name: 'Edit in scratch' }).click();
  await board.scratch.getByText('Parameters').waitFor();
};
const scratchRun = async (board: BoardPage) => {
  await board.tab('Scratch');
  await board.scratch.getByText('Parameters').waitFor();
  await board.scratch.getByLabel('x: count').fill('512');
  await board.scratch.getByRole('button', { name: 'Run', exact: true }).click();
  await board.scratch.locator('.result').waitFor();
};

const shots: Shot[] = [
  { name: 'light' },
  { name: 'dark', options: dark },
  { name: 'refused-cycle', act: refused },
  { name: 'refused-cycle-dark', options: dark, act: refused },
  {
    name: 'error',
    act: async (board) => {
      await board.paste(exampleText('adam.json'));
      await board.paste(exampleText('adam.json').replace('["deviation", "epsilon"]', '["deviation", "epsilom"]'));
      await board.diagnostics.first().getByRole('button').click();
    },
  },
  {
    name: 'adam-ptx',
    act: async (board) => {
      await board.pick('adam.json');
      await board.tab('PTX');
      await board.op('direction').click();
    },
  },
  { name: 'attention', act: (board) => board.pick('attention.hlo') },
  { name: 'attention-dark', options: dark, act: (board) => board.pick('attention.hlo') },
  { name: 'large', act: (board) => board.paste(graphOf(1_000)) },
  {
    name: 'large-fit',
    act: async (board) => {
      await board.paste(graphOf(10_000));
      await board.planned();
      await board.page.getByRole('button', { name: 'Fit' }).click();
    },
  },
  { name: 'launches', act: (board) => board.pick('launches/softmax.json') },
  { name: 'launches-dark', options: dark, act: launches },
  { name: 'launches-narrow', options: narrow, act: launches },
  { name: 'launches-narrow-graph', options: narrow, act: (board) => board.pick('launches/softmax.json').then(() => board.tab('Graph')) },
  { name: 'launches-leak', act: leak },
  { name: 'launches-guesses', act: (board) => board.pick('launches/captured.dot').then(() => board.tab('Why')) },
  { name: 'launches-guesses-dark', options: dark, act: (board) => board.pick('launches/captured.dot').then(() => board.tab('Why')) },
  { name: 'run', act: run('bias-gelu.json') },
  { name: 'run-dark', options: dark, act: run('adam.json', true) },
  { name: 'run-narrow', options: narrow, act: run('refused-cycle.json') },
  { name: 'scratch', act: scratch },
  { name: 'scratch-fault', act: scratchRun },
  { name: 'scratch-dark', options: dark, act: scratchRun },
  { name: 'scratch-narrow', options: narrow, act: scratchRun },
  { name: 'medium', options: { viewport: { width: 900, height: 900 } } },
  ...['Source', 'Graph', 'Costs', 'PTX', 'Run', 'Scratch', 'Why'].map((tab): Shot => ({
    name: `narrow-${tab.toLowerCase()}`,
    options: narrow,
    act: (board) => board.tab(tab),
  })),
  { name: 'narrow-320', options: { viewport: { width: 320, height: 640 } } },
  { name: 'embed', file: 'embed.html', options: { viewport: { width: 1000, height: 900 } }, fullPage: true },
  { name: 'embed-dark', file: 'embed.html', options: { viewport: { width: 1000, height: 900 }, ...dark }, fullPage: true },
];

describe('screenshots', () => {
  test.each(shots)('$name', async ({ name, file, options, act, fullPage }) => {
    const board = await BoardPage.open(file, { colorScheme: 'light', ...options });
    await act?.(board);
    await board.settled();
    await board.page.mouse.move(0, 0);
    await board.page.waitForTimeout(300);
    await board.page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: fullPage ?? false });
    expect(await board.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await board.close();
  });
});
