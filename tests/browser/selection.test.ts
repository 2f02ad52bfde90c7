// One selection, seen in every pane: made in each pane in turn, by pointer and by keys.
// It must not know how panes tell each other.
import { describe, expect, test } from 'vitest';
import { BoardPage, shown, useBrowser } from './page.js';

useBrowser();

async function opened(): Promise<BoardPage> {
  const board = await BoardPage.open();
  await board.pick('refused-cycle.json');
  return board;
}

/** What each pane shows as selected; the tabs end at Why. */
async function seen(board: BoardPage) {
  await board.tab('Costs');
  const costs = (await board.costs.locator('tr.marked .names').allInnerTexts()).map((text) => text.trim());
  await board.tab('Why');
  const lines = await board.source.locator('.cm-line.cm-marked').allInnerTexts();
  return {
    source: lines.map((line) => /"name": "(\w+)"/.exec(line)?.[1]),
    graph: await board.graph.locator('.marks .mark.op').getAttribute('d'),
    costs,
    why: (await board.why.locator('.answer h2').innerText()).replace(/\s+/g, ' '),
  };
}

describe('selection', () => {
  test('of an op in the graph', async () => {
    const board = await opened();
    await board.op('c').click();
    await board.tab('Why');
    const now = await seen(board);
    expect(now.source).toEqual(['c']);
    expect(now.graph?.match(/M/g)).toHaveLength(1);
    expect(now.costs).toEqual(['c, d']);
    expect(now.why).toBe('c');
    await board.tab('PTX');
    await expect.poll(() => board.ptx.locator('.cm-line.cm-marked').count()).toBeGreaterThan(0);
    expect((await board.marked()).ops).toEqual(['c']);
    await board.close();
  });

  test('of an op by the caret in the source', async () => {
    const board = await opened();
    await board.source.locator('.cm-line').nth(5).click({ position: { x: 80, y: 8 } }); // a wrapped line ends early
    await expect.poll(async () => (await board.marked()).ops).toEqual(['m']);
    await board.page.keyboard.press('End');
    await expect.poll(async () => (await board.marked()).ops).toEqual(['m']);
    await expect
      .poll(async () => {
        await board.page.keyboard.press('ArrowDown');
        return (await board.marked()).ops;
      })
      .toEqual(['c']);
    await board.close();
  });

  test('of a group in the costs', async () => {
    const board = await opened();
    await board.costs.getByRole('button', { name: /c, d/ }).click();
    const now = await seen(board);
    expect(now.source).toEqual(['c', 'd']);
    expect(now.costs).toEqual(['c, d']);
    expect(await board.graph.locator('.marks .mark.group').getAttribute('d')).toMatch(/^M/);
    await board.tab('Why');
    expect(await board.why.locator('.answer').innerText()).toMatch(/one kernel[\s\S]*Written to memory[\s\S]*d[\s\S]*output/);
    await board.close();
  });

  test('of the refused edge, with the path in its way', async () => {
    const board = await opened();
    await board.tab('Why');
    await board.why.getByRole('button', { name: /a → c/ }).click();
    const answer = (await board.why.locator('.answer').innerText()).replace(/\s+/g, ' ');
    expect(answer).toContain('a → c: refused');
    expect(answer).toContain('before and after m');
    const now = await seen(board);
    expect(now.source).toEqual(['a', 'c']);
    expect(await board.graph.locator('.marks .mark.edge').getAttribute('d')).toMatch(/^M/);
    expect((await board.graph.locator('.marks .mark.path').last().getAttribute('d'))?.match(/M/g)?.length).toBeGreaterThan(1);
    await board.why.locator('.answer').getByRole('button', { name: 'm', exact: true }).first().click();
    expect((await board.marked()).ops).toEqual(['m']);
    await board.close();
  });

  test('of a kernel in the PTX', async () => {
    const board = await opened();
    await board.tab('PTX');
    const kernels = board.ptx.locator('.which select');
    const options = await kernels.locator('option').count();
    await kernels.selectOption({ index: options - 1 });
    expect((await board.marked()).ops).toEqual(['c', 'd']);
    await board.tab('Costs');
    expect((await seen(board)).costs).toEqual(['c, d']);
    await board.close();
  });

  test('of an op by its PTX line', async () => {
    const board = await opened();
    await board.op('c').click();
    await board.tab('PTX');
    await board.ptx.locator('.cm-line').filter({ hasText: 'tanh.approx' }).first().click();
    expect((await board.marked()).ops).toEqual(['d']);
    await board.close();
  });

  test('why did these two not fuse? by name, and by shift-click', async () => {
    const board = await opened();
    await board.tab('Why');
    await board.why.getByLabel('First op').fill('x');
    await board.why.getByLabel('Second op').fill('d');
    await board.page.keyboard.press('Enter');
    expect((await board.why.locator('.answer').innerText()).replace(/\s+/g, ' ')).toMatch(/x and d .*path of 3 edges/);
    await board.why.getByLabel('Second op').fill('zzz');
    await board.page.keyboard.press('Enter');
    expect(await board.why.getByRole('alert').innerText()).toContain('zzz');
    await board.op('a').click();
    await board.op('c').click({ modifiers: ['Shift'] });
    expect((await board.why.locator('.answer').innerText()).replace(/\s+/g, ' ')).toContain('a → c: refused');
    await board.close();
  });

  test('by keys alone, through the graph', async () => {
    const board = await opened();
    await board.graph.locator('svg').first().focus();
    await board.page.keyboard.press('ArrowDown');
    expect((await board.marked()).ops).toEqual(['x']);
    await board.page.keyboard.press('ArrowDown');
    expect((await board.marked()).ops).toEqual(['a']);
    await board.page.keyboard.press('ArrowUp');
    expect((await board.marked()).ops).toEqual(['x']);
    await board.page.keyboard.press('Enter');
    expect((await board.marked()).groups).toEqual([0]);
    await board.page.keyboard.press('Escape');
    expect((await board.marked()).ops).toEqual([]);
    await board.close();
  });

  test('survives an edit that keeps the op', async () => {
    const board = await opened();
    await board.op('d').click();
    await board.source.locator('.cm-line').nth(1).click();
    await board.page.keyboard.press('End');
    await board.page.keyboard.type('\n{"name": "new", "kind": "input", "output_shape": [4], "dtype": "f32"},');
    await expect.poll(() => shown(board.status)).toMatch(/^7 ops/);
    expect((await board.marked()).ops).toEqual(['d']);
    await board.close();
  });

  test('survives a rename of the selected op', async () => {
    const board = await opened();
    await board.op('d').click();
    await board.paste((await board.text()).replaceAll('"d"', '"renamed"'));
    await expect.poll(async () => (await board.marked()).ops).toEqual(['renamed']);
    await board.close();
  });

  test('another graph is in sight after a pan', async () => {
    const board = await BoardPage.open();
    await board.graph.locator('svg').first().focus();
    for (let i = 0; i < 12; i += 1) await board.page.keyboard.press('Shift+ArrowRight');
    await board.paste('{"ops": [{"name": "other", "kind": "input", "output_shape": [4], "dtype": "f32"}]}');
    const pane = await board.graph.boundingBox();
    const box = await board.op('other').boundingBox();
    if (!pane || !box) throw new Error('not drawn');
    expect(Math.abs(box.x + box.width / 2 - (pane.x + pane.width / 2))).toBeLessThan(20);
    await board.close();
  });

  test('zoom, pan and fit', async () => {
    const board = await opened();
    const world = board.graph.locator('.world');
    const before = await world.getAttribute('transform');
    await board.page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await world.getAttribute('transform')).not.toBe(before);
    const svg = board.graph.locator('svg').first();
    const box = await svg.boundingBox();
    if (!box) throw new Error('no graph');
    await board.page.mouse.move(box.x + 20, box.y + 200);
    await board.page.mouse.down();
    await board.page.mouse.move(box.x + 60, box.y + 260, { steps: 4 });
    await board.page.mouse.up();
    await board.page.mouse.wheel(0, 400);
    await board.page.waitForTimeout(100);
    expect((await board.marked()).ops).toEqual([]);
    await board.page.getByRole('button', { name: 'Fit' }).click();
    expect(await world.getAttribute('transform')).toBe(before);
    await board.close();
  });
});
