// Boards inside a documentation page: several, sealed, each with its own graph.
// It must not know the page's prose.
import { describe, expect, test } from 'vitest';
import { BoardPage, useBrowser } from './page.js';

useBrowser();

describe('embedded', () => {
  test('each board has its graph and its panes', async () => {
    const board = await BoardPage.open('embed.html');
    await board.settled();
    const boards = board.page.locator('fuse-board');
    expect(await boards.count()).toBe(2);
    const [first, second] = [boards.nth(0), boards.nth(1)];
    expect(await first.locator('fuse-source').count()).toBe(1);
    expect(await first.locator('fuse-costs').count()).toBe(0);
    expect(await second.locator('fuse-source').count()).toBe(0);
    expect(await second.locator('fuse-why').count()).toBe(1);
    await expect.poll(() => first.locator('g.op').count()).toBe(4);
    await expect.poll(() => second.locator('g.op').count()).toBe(6);
    expect((await first.boundingBox())?.height).toBe(440);
    await board.close();
  });

  test('an edit in one leaves the other alone', async () => {
    const board = await BoardPage.open('embed.html');
    await board.paste('{"ops": [{"name": "alone", "kind": "input", "output_shape": [4], "dtype": "f32"}]}');
    expect(await board.page.locator('fuse-board').nth(0).locator('g.op').count()).toBe(1);
    expect(await board.page.locator('fuse-board').nth(1).locator('g.op').count()).toBe(6);
    await board.close();
  });

  test("the page's styles stay outside and the board's inside", async () => {
    const board = await BoardPage.open('embed.html');
    const [heading, inner] = await board.page.evaluate(() => {
      const size = (element: Element | null | undefined) => (element ? getComputedStyle(element).fontSize : '');
      return [
        size(document.querySelector('h1')),
        size(document.querySelector('fuse-board')?.shadowRoot?.querySelector('h1')),
      ];
    });
    expect(heading).toBe('32px');
    expect(inner).toBe('15px');
    await board.close();
  });

  test('the wheel scrolls the page until the graph has the focus', async () => {
    const board = await BoardPage.open('embed.html', { viewport: { width: 1000, height: 600 } });
    const svg = board.graph.locator('svg').first();
    const world = board.graph.locator('.world');
    await svg.hover();
    const before = await world.getAttribute('transform');
    await board.page.mouse.wheel(0, 120);
    await expect.poll(() => board.page.evaluate(() => scrollY)).toBeGreaterThan(0);
    expect(await world.getAttribute('transform')).toBe(before);
    await svg.click({ position: { x: 5, y: 150 } });
    await board.page.mouse.wheel(0, -120);
    await expect.poll(() => world.getAttribute('transform')).not.toBe(before);
    await board.close();
  });

  test('a board moved or taken out and put back goes on', async () => {
    const board = await BoardPage.open('embed.html');
    await board.settled();
    await board.page.evaluate(() => {
      const one = document.querySelector('fuse-board');
      if (one) document.body.append(one);
    });
    await board.planned();
    await expect.poll(() => board.page.locator('fuse-board').last().locator('g.op').count()).toBe(4);
    await board.close();
  });
});
