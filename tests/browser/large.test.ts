// Large graphs and large texts: the page answers, and draws only what is in sight.
// It must not know how.
import { describe, expect, test } from 'vitest';
import { BoardPage, graphOf, shown, useBrowser } from './page.js';

useBrowser();

describe('large graphs', () => {
  test.each([1_000, 10_000])('%i ops', async (n) => {
    const board = await BoardPage.open();
    await board.paste(graphOf(n));
    await expect.poll(() => shown(board.status), { timeout: 30_000 }).toContain(`${n.toLocaleString('en-US')} ops`);
    await board.planned();
    expect(await board.graph.locator('g.op').count()).toBeLessThan(1_000);
    expect(await board.costs.locator('tbody tr').count()).toBeLessThanOrEqual(105);
    await board.page.getByRole('button', { name: 'Fit' }).click();
    expect(await board.graph.locator('svg').first().getAttribute('data-detail')).not.toBe('text');
    expect(await board.graph.locator('svg *').count()).toBeLessThan(5_000);
    for (let i = 0; i < 3; i += 1) await board.page.getByRole('button', { name: 'Zoom in' }).click();
    await board.tab('Why');
    expect(await board.why.locator('ol li').count()).toBeLessThanOrEqual(100);
    await board.why.getByLabel('First op').fill(`op${n - 1}`);
    await board.why.getByLabel('Second op').fill('op0');
    await board.page.keyboard.press('Enter');
    await expect.poll(() => board.why.locator('.answer h2').innerText()).toContain('op');
    await board.tab('PTX');
    await board.tab('Costs');
    await board.close();
  });

  test('a text of 10 MB is answered, and typing goes on', async () => {
    const board = await BoardPage.open();
    await board.page.evaluate(() => {
      const text = `{"ops": [{"name": "x", "kind": "input", "output_shape": [4], "dtype": "f32"}]${' '.repeat(10_000_000)}}`;
      (document.querySelector('fuse-board') as unknown as { show(text: string): void }).show(text);
    });
    await expect.poll(() => shown(board.status), { timeout: 30_000 }).toMatch(/^1 op,/);
    await board.close();
  });
});
