// Kernel graphs on the page: regions as boxes, reasons, costs, the rewritten graph beside, the entry, the guesses.
// It must not know how the page is built.
import { expect, test } from 'vitest';
import { BoardPage, exampleText, shown, useBrowser } from './page.js';

useBrowser();

async function pasted(text: string): Promise<BoardPage> {
  const board = await BoardPage.open();
  await board.paste(text);
  await expect.poll(() => board.plannedText()).toBe(text);
  return board;
}

const launch = (name: string, more = '"grid": [4, 1, 1], "block": [256, 1, 1], "fusible": true') =>
  `{"kind": "kernel_launch", "function_name": "${name}", ${more}}`;

test('a pasted kernel graph is shown with its region as a box and the rewritten graph beside it', async () => {
  const board = await pasted(exampleText('launches/softmax.json'));
  await expect.poll(() => shown(board.status)).toMatch(/^9 nodes, 1 group, 4 launches saved in /);
  await expect.poll(() => board.graph.locator('text.title').textContent()).toBe('group 0 · Softmax · 5 launches as one');
  expect(await board.graph.locator('text.heading').allTextContents()).toEqual([
    'as given: 6 launches',
    'rewritten: 2 launches',
  ]);
  const [old, fused] = [board.op('row_max'), board.graph.locator('g.op.joined')];
  expect(await fused.count()).toBe(1);
  const [left, right] = [await old.boundingBox(), await fused.boundingBox()];
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
  expect(await board.op('gemm_qk').count()).toBe(2);
  await board.close();
});

test('a click on the fused launch marks what became it, in the text too', async () => {
  const board = await pasted(exampleText('launches/softmax.json'));
  await board.graph.locator('g.op.joined').click();
  const { ops, groups } = await board.marked();
  expect(ops.slice(1)).toEqual(['row_max', 'subtract', 'exp', 'row_sum', 'divide']);
  expect(groups).toEqual([0]);
  await expect.poll(() => board.source.locator('.cm-marked').count()).toBe(5);
  await board.tab('Why');
  expect(await shown(board.why)).toContain('One launch in the place of 5 launches: row_max, subtract, exp, row_sum, divide');
  await board.why.getByRole('button', { name: 'row_sum' }).first().click();
  expect((await board.marked()).ops[0]).toBe('row_sum');
  await board.close();
});

test('costs: launches, threads, bytes copied and set, before and after', async () => {
  const board = await pasted(exampleText('launches/softmax.json'));
  const rows = await board.costs.locator('table.launches tbody tr').allInnerTexts();
  expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
    ['launches', '6', '2'],
    ['threads', '5,373,952', '1,179,648'],
    ['copies', '2', '2'],
    ['bytes copied', '24 MiB', '24 MiB'],
    ['fills', '1', '1'],
    ['bytes set', '16 MiB', '16 MiB'],
  ]);
  await board.costs.getByRole('button', { name: /row_max, subtract/ }).click();
  expect((await board.marked()).groups).toEqual([0]);
  await board.close();
});

test('the entry switch plans again: dominated keeps the operand out', async () => {
  const board = await pasted(exampleText('launches/softmax.json'));
  await board.page.getByLabel('entry').selectOption('dominated');
  await expect.poll(() => shown(board.status)).toMatch(/1 group, 3 launches saved/);
  await board.tab('Why');
  await board.why.getByRole('button', { name: /^row_max/ }).click();
  expect(await shown(board.why)).toMatch(/subtract is reached without passing\s+row_max: .*gemm_qk → subtract/);
  expect(await board.page.getByLabel('broadcast').isVisible()).toBe(false);
  await board.pick('bias-gelu.json');
  expect(await board.page.getByLabel('broadcast').isVisible()).toBe(true);
  expect(await board.page.getByLabel('entry').isVisible()).toBe(false);
  await board.close();
});

test('a leak is refused with both its ends, and crossed out', async () => {
  const board = await BoardPage.open();
  await board.pick('launches/leak.json');
  await board.tab('Why');
  await board.why.getByRole('button', { name: 'Could have fused 2' }).click();
  await board.why.getByRole('button', { name: /^to_float/ }).click();
  await expect
    .poll(() => shown(board.why))
    .toContain('The edge row_mean → mean to the host leaves what could be fused below to_float');
  expect(await board.graph.locator('path.cross').evaluateAll((paths) => paths.map((one) => one.getAttribute('d') ?? '').join(''))).not.toBe('');
  expect(await board.graph.locator('.mark.path').last().getAttribute('d')).not.toBe('');
  await board.close();
});

test('a node in another branch of a conditional is refused on its edge, which is crossed out', async () => {
  const board = await pasted(`{"nodes": [${['root', 'left', 'right', 'join'].map((name) => launch(name)).join(', ')},
 {"kind": "conditional", "branches": [[2]]}], "edges": [[0, 1], [0, 2], [1, 3], [2, 3], [4, 2]]}`);
  await board.tab('Why');
  await board.why.getByRole('button', { name: 'Could have fused 2' }).click();
  await board.why.getByLabel('First op').fill('root');
  await board.why.getByLabel('Second op').fill('right');
  await board.why.getByRole('button', { name: 'Ask' }).click();
  await expect.poll(() => shown(board.why)).toMatch(/root → right: refused.*right runs in other branches of conditionals than\s+root/s);
  expect(await board.graph.locator('path.cross').evaluateAll((paths) => paths.map((one) => one.getAttribute('d') ?? '').join(''))).not.toBe('');
  await board.close();
});

test('unfused, every launch is alone and nothing is rewritten', async () => {
  const board = await pasted(exampleText('launches/softmax.json'));
  await board.page.getByRole('button', { name: 'unfused', exact: true }).click();
  await expect.poll(() => shown(board.status)).toMatch(/^9 nodes, 0 groups, 0 launches saved/);
  expect(await board.graph.locator('text.heading').count()).toBe(0);
  expect(await board.op('gemm_qk').count()).toBe(1);
  await board.close();
});

test('a CUDA graph dump: guesses are marked, and a click on one plans again', async () => {
  const board = await BoardPage.open();
  await board.pick('launches/captured.dot');
  await expect.poll(() => shown(board.status)).toMatch(/^7 nodes, 1 group, 2 launches saved/);
  expect(await board.graph.locator('g.op.guess').count()).toBe(7);
  await board.tab('Why');
  const guess = board.why.getByLabel('subtract_rows');
  expect(await guess.isChecked()).toBe(false);
  await guess.check();
  await expect.poll(() => shown(board.status)).toMatch(/^7 nodes, 1 group, 4 launches saved/);
  expect(await shown(board.why)).toMatch(/subtract_rows\s+1 launch, set by you/);
  await board.op('subtract_rows').first().click();
  const toggle = board.graph.getByRole('button', { name: 'fusible' });
  expect(await toggle.getAttribute('aria-pressed')).toBe('true');
  await toggle.click();
  await expect.poll(() => shown(board.status)).toMatch(/2 launches saved/);
  expect(await guess.isChecked()).toBe(false);
  await guess.check();
  await expect.poll(() => shown(board.status)).toMatch(/4 launches saved/);
  await board.pick('launches/leak.json');
  expect(await board.why.getByText('Guessed from names').count()).toBe(0);
  await board.pick('launches/captured.dot');
  await expect.poll(() => shown(board.status)).toMatch(/2 launches saved/);
  await board.close();
});

test('what is not known is said: threads, sizes', async () => {
  const board = await pasted(`{"nodes": [
 ${launch('exp', '"fusible": true')}, {"kind": "memcpy"}, {"kind": "memset", "bytes": 64}, {"kind": "memset"}],
 "edges": [[0, 1]]}`);
  expect(await board.graph.locator('text.type').allTextContents()).toEqual([
    'threads unknown',
    'copy, size unknown',
    'memset, 64 B',
    'memset, size unknown',
  ]);
  const costs = await shown(board.costs);
  expect(costs).toMatch(/threads\s+1 unknown/);
  expect(costs).toMatch(/bytes copied\s+1 unknown/);
  expect(costs).toMatch(/bytes set\s+64 B \+ 1 unknown/);
  await board.tab('Why');
  expect(await shown(board.why)).toContain('threads unknown');
  await board.close();
});

test('panes that need code say that there is none, and show it again for a graph of ops', async () => {
  const board = await BoardPage.open();
  await board.tab('PTX');
  await expect.poll(() => shown(board.ptx)).toContain('.entry');
  await board.pick('launches/softmax.json');
  await expect.poll(() => shown(board.ptx)).toContain('so there is no PTX');
  await board.tab('Run');
  await expect.poll(() => shown(board.run)).toContain('so there is nothing to run');
  await board.pick('residual-relu.json');
  await board.tab('PTX');
  await expect.poll(() => shown(board.ptx)).toContain('.entry');
  await board.close();
});

test('a fault of a kernel graph is underlined where it stands', async () => {
  const text = exampleText('launches/leak.json');
  const board = await pasted(text);
  await board.paste(text.replace('[5, 7]]', '[5, 77]]'));
  await expect.poll(() => board.diagnostics.count()).toBe(1);
  expect(await board.diagnostics.first().innerText()).toContain('77 is no node');
  await board.close();
});

test('a conditional names what runs in its branches, a launch its buffers', async () => {
  const board = await pasted(`{"nodes": [
 ${launch('test', '"fusible": true, "inputs": [3, 5], "outputs": [7]')}, {"kind": "conditional", "branches": [[2], []]},
 ${launch('then')}], "edges": [[0, 1], [1, 2]]}`);
  await board.tab('Why');
  await board.op('conditional').click();
  await expect.poll(() => shown(board.why)).toMatch(/Branch 0: then\s+Branch 1: nothing/);
  await board.op('test').click();
  await expect.poll(() => shown(board.why)).toContain('reads buffer 3, 5; writes buffer 7');
  await board.close();
});

test('the keyboard follows edges in both graphs', async () => {
  const board = await pasted(exampleText('launches/softmax.json'));
  await board.op('row_max').click();
  await board.page.keyboard.press('ArrowDown');
  expect((await board.marked()).ops[0]).toBe('subtract');
  await board.page.keyboard.press('Enter');
  expect((await board.marked()).groups).toEqual([0]);
  await board.close();
});
