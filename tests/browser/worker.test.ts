// A core that hangs or dies: it is ended and started again, and the text is kept.
// It must not know the core.
import { describe, expect, test } from 'vitest';
import { BoardPage, exampleText, shown, useBrowser } from './page.js';

useBrowser();

const other = exampleText('residual-relu.json');

/** Makes the worker loop for ever, and does not wait for that. */
async function hang(board: BoardPage): Promise<void> {
  const [worker] = board.page.workers();
  if (!worker) throw new Error('no worker');
  void worker
    .evaluate(() => {
      setTimeout(() => {
        for (;;);
      }, 0);
    })
    .catch(() => undefined);
  await board.page.waitForTimeout(200);
}

async function longRun(board: BoardPage): Promise<void> {
  await board.paste(
    '{"ops": [{"name": "x", "kind": "input", "output_shape": [8192, 8192], "dtype": "f32"},\n' +
      '{"name": "y", "kind": "tanh", "inputs": ["x"]}]}',
  );
  await board.tab('Run');
  await board.run.getByLabel('all blocks').check();
  await board.run.getByRole('button', { name: 'Run' }).click();
  await board.run.getByRole('progressbar').waitFor();
}

describe('the worker', () => {
  test('that hangs is ended; the text is kept and runs when asked', async () => {
    const board = await BoardPage.open();
    await hang(board);
    const pasted = board.paste(other);
    await board.page.getByRole('button', { name: 'Cancel' }).waitFor({ timeout: 5_000 });
    await board.page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 15_000 });
    await pasted;
    expect(await shown(board.status)).toMatch(/Ended after 10 s[\s\S]*text is kept/);
    expect(await board.text()).toBe(other);
    expect(await board.op('biased').count()).toBe(1);
    await board.page.getByRole('button', { name: 'Run again' }).click();
    await board.planned();
    expect(await board.op('halved').count()).toBe(1);
    await board.close();
  });

  test('that hangs can be cancelled', async () => {
    const board = await BoardPage.open();
    await hang(board);
    const pasted = board.paste(other);
    await board.page.getByRole('button', { name: 'Cancel' }).click();
    await pasted;
    expect(await shown(board.status)).toContain('Cancelled');
    await board.page.getByRole('button', { name: 'Run again' }).click();
    await board.planned();
    await board.close();
  });

  test('that dies is started again by the next edit', async () => {
    const board = await BoardPage.open();
    const [worker] = board.page.workers();
    await worker?.evaluate(() => {
      setTimeout(() => {
        throw new Error('as if the core had trapped');
      }, 0);
    });
    await board.page.waitForTimeout(200);
    await board.paste(other);
    await board.planned();
    expect(await board.op('halved').count()).toBe(1);
    board.problems.splice(0, board.problems.length, ...board.problems.filter((p) => !p.includes('had trapped')));
    await board.close();
  });

  test('that hangs in a run is ended by Cancel, and the plan is still at hand', async () => {
    const board = await BoardPage.open();
    await longRun(board);
    await hang(board);
    await board.run.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => board.run.locator('.verdict').innerText(), { timeout: 5_000 }).toContain('Cancelled');
    await board.tab('PTX');
    await expect.poll(() => board.ptx.locator('.cm-content').innerText()).toContain('.entry');
    await board.close();
  });

  test('that hangs in a run does not keep a newer text waiting', async () => {
    const board = await BoardPage.open();
    await longRun(board);
    await hang(board);
    const start = Date.now();
    await board.paste(other);
    await board.planned();
    expect(Date.now() - start).toBeLessThan(6_000);
    expect(await board.op('halved').count()).toBe(1);
    await board.close();
  });

  test('answers the last of many quick edits', async () => {
    const board = await BoardPage.open();
    await board.pick('refused-cycle.json');
    await board.source.locator('.cm-line').nth(7).click();
    await board.page.keyboard.press('End');
    for (let i = 0; i < 12; i += 1)
      await board.page.keyboard.insertText(`,\n{"name": "e${i}", "kind": "relu", "inputs": ["d"]}`);
    await expect.poll(() => shown(board.status)).toMatch(/^18 ops/);
    await board.close();
  });
});
