// The panes as a frame: tabs by keys, widths by dragging, the copy button, themes, forms for narrow screens.
// It must not know what the panes say.
import { describe, expect, test } from 'vitest';
import { BoardPage, shown, useBrowser } from './page.js';

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

  test('the keyboard meets source and graph before the tabs beside them', async () => {
    const board = await BoardPage.open();
    await board.page.getByTitle('Theme').focus();
    const met: string[] = [];
    for (let i = 0; i < 12 && met.at(-1) !== 'tab'; i += 1) {
      await board.page.keyboard.press('Tab');
      met.push(
        await board.page.evaluate(() => {
          let element = document.activeElement;
          const within: string[] = [];
          while (element?.shadowRoot?.activeElement) {
            within.push(element.localName);
            element = element.shadowRoot.activeElement;
          }
          return element?.getAttribute('role') === 'tab' ? 'tab' : (within.at(-1) ?? '');
        }),
      );
    }
    expect(met.filter((name, i) => name !== met[i - 1] && name !== 'fuse-divider')).toEqual(['fuse-source', 'fuse-graph', 'tab']);
    await board.close();
  });

  test('read-only can be switched on and off', async () => {
    const board = await BoardPage.open();
    const before = await board.text();
    const type = async (text: string) => {
      await board.source.locator('.cm-content').click();
      await board.page.keyboard.press('Control+Home');
      await board.page.keyboard.type(text);
      await board.page.waitForTimeout(250);
    };
    await board.page.locator('fuse-board').evaluate((element) => element.setAttribute('read-only', ''));
    await type('x');
    expect(await board.text()).toBe(before);
    await board.page.locator('fuse-board').evaluate((element) => element.removeAttribute('read-only'));
    await type(' ');
    await expect.poll(() => board.text()).toBe(` ${before}`);
    await board.close();
  });

  test('in the unfused view no figure is called fused', async () => {
    const board = await BoardPage.open();
    expect(await board.costs.locator('dt').allInnerTexts()).toEqual(['Unfused', 'Fused', 'Saved', 'Bytes ratio']);
    await board.page.getByRole('button', { name: 'unfused' }).click();
    await expect.poll(() => board.costs.locator('dt').allInnerTexts()).toEqual(['Unfused', 'This plan', 'Saved', 'Bytes ratio']);
    await board.close();
  });

  test('errors past those kept are said to be more', async () => {
    const board = await BoardPage.open();
    const ops = Array.from({ length: 1_200 }, (_, i) => ({ name: `a${i}`, kind: 'relu', inputs: ['nobody'] }));
    await board.paste(JSON.stringify({ ops }));
    expect(await shown(board.status)).toContain('At least 1,000 errors');
    await board.close();
  });

  test('a pane whose code does not come says so, and comes when asked again', async () => {
    const board = await BoardPage.open();
    await board.page.route(/define-run/, (route) => route.abort());
    await board.tab('Run');
    await board.page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor();
    await board.page.unroute(/define-run/);
    await board.page.getByRole('button', { name: 'Try again' }).click();
    await board.run.getByRole('button', { name: 'Run' }).waitFor();
    board.problems.splice(0, board.problems.length, ...board.problems.filter((one) => !one.includes('ERR_FAILED')));
    await board.close();
  });
});
