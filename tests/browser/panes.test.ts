// The panes as a frame: tabs by keys, widths by dragging, the copy button, themes, forms for narrow screens.
// It must not know what the panes say.
import { describe, expect, test } from 'vitest';
import { BoardPage, useBrowser } from './page.js';

useBrowser();

describe('panes', () => {
  test('tabs turn by arrow keys', async () => {
    const board = await BoardPage.open();
    await board.page.getByRole('tab', { name: 'Costs' }).focus();
    await board.page.keyboard.press('ArrowRight');
    expect(await board.page.getByRole('tab', { name: 'PTX' }).getAttribute('aria-selected')).toBe('true');
    expect(await board.ptx.isVisible()).toBe(true);
    expect(await board.costs.isVisible()).toBe(false);
    await board.close();
  });

  test('the source widens by dragging and by keys', async () => {
    const board = await BoardPage.open();
    const width = async () => (await board.source.boundingBox())?.width ?? 0;
    const before = await width();
    const grip = board.page.getByRole('separator', { name: 'Width of the source' });
    const box = await grip.boundingBox();
    if (!box) throw new Error('no grip');
    await board.page.mouse.move(box.x + 4, 400);
    await board.page.mouse.down();
    await board.page.mouse.move(box.x + 104, 400, { steps: 3 });
    await board.page.mouse.up();
    expect(await width()).toBeCloseTo(before + 100, -1);
    await grip.focus();
    await board.page.keyboard.press('ArrowLeft');
    expect(await width()).toBeCloseTo(before + 76, -1);
    await board.close();
  });

  test('copy puts the PTX on the clipboard', async () => {
    const board = await BoardPage.open('index.html', { permissions: ['clipboard-read', 'clipboard-write'] });
    await board.tab('PTX');
    await board.ptx.getByRole('button', { name: 'Copy' }).click();
    await board.ptx.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await board.page.evaluate(() => navigator.clipboard.readText())).toContain('.visible .entry');
    await board.close();
  });

  test('the theme follows the system until chosen, and the choice is kept', async () => {
    const board = await BoardPage.open('index.html', { colorScheme: 'dark' });
    const ground = () =>
      board.page.locator('fuse-board').evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await ground()).toBe('rgb(20, 23, 26)');
    await board.page.getByTitle('Theme').selectOption('light');
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await board.page.reload();
    await board.planned();
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await board.close();
  });

  test('a narrow screen shows one pane at a time', async () => {
    const board = await BoardPage.open('index.html', { viewport: { width: 320, height: 640 } });
    for (const [name, pane] of [
      ['Source', board.source],
      ['Graph', board.graph],
      ['Costs', board.costs],
      ['PTX', board.ptx],
      ['Why', board.why],
    ] as const) {
      await board.tab(name);
      expect(await pane.isVisible()).toBe(true);
      expect(await board.page.locator('.pane:visible').count()).toBe(1);
    }
    await board.tab('Source');
    await board.paste('{"ops": [{"name": "x", "kind": "input", "output_shape": [4], "dtype": "f32"}]}');
    await board.tab('Graph');
    expect(await board.op('x').count()).toBe(1);
    await board.close();
  });
});
