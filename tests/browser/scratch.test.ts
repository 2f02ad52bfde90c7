// The scratch: any PTX launched in the page, with its values, and its faults told with thread and line.
// It must not know how PTX is run.
import { describe, expect, test } from 'vitest';
import { BoardPage, shown, useBrowser } from './page.js';

useBrowser();

const header = '.version 8.1\n.target sm_90\n.address_size 64\n';
/** A module of one entry: parameters and lines of its body, which begins at line 6. */
const moduleOf = (parameters: string, body: string[]) =>
  `${header}.visible .entry k(${parameters})\n{\n${body.join('\n')}\n}\n`;
/** The line of the first line of a module that holds `part`. */
const lineOf = (ptx: string, part: string) => ptx.split('\n').findIndex((line) => line.includes(part)) + 1;

const editor = (board: BoardPage) => board.scratch.locator('.cm-content');
const verdict = (board: BoardPage) => board.scratch.locator('.said');
const running = (board: BoardPage) => board.scratch.getByRole('button', { name: 'Run', exact: true });

async function pasteInto(board: BoardPage, text: string): Promise<void> {
  await editor(board).click();
  await board.page.keyboard.press('Control+A');
  await editor(board).evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await board.page.waitForTimeout(400);
}

async function opened(): Promise<BoardPage> {
  const board = await BoardPage.open();
  await board.tab('Scratch');
  await board.scratch.getByText('Parameters').waitFor();
  return board;
}

async function launched(ptx: string, block = 64, grid = 1): Promise<BoardPage> {
  const board = await opened();
  await pasteInto(board, ptx);
  await field(board, 'block x', block);
  await field(board, 'grid x', grid);
  await running(board).click();
  await expect.poll(() => verdict(board).innerText(), { timeout: 60_000 }).toMatch(/\w/);
  return board;
}

async function field(board: BoardPage, label: string, value: number | string): Promise<void> {
  await board.scratch.getByLabel(label, { exact: true }).fill(String(value));
  await board.page.keyboard.press('Tab');
}

/** The board still plans: the page is alive. */
async function alive(board: BoardPage): Promise<void> {
  await board.pick('refused-cycle.json');
  await expect.poll(() => board.op('d').count()).toBe(1);
}

const race = moduleOf('.param .u64 out', [
  '\t.reg .b32 %r<3>;',
  '\t.reg .b64 %rd<3>;',
  '\t.shared .align 4 .b8 cell[4];',
  '\tmov.u32 %r1, %tid.x;',
  '\tst.shared.u32 [cell], %r1;',
  '\tld.shared.u32 %r2, [cell];',
  '\tld.param.u64 %rd1, [out];',
  '\tst.global.u32 [%rd1], %r2;',
  '\tret;',
]);
const barrier = moduleOf('', [
  '\t.reg .pred %p1;',
  '\t.reg .b32 %r<2>;',
  '\tmov.u32 %r1, %tid.x;',
  '\tsetp.lt.u32 %p1, %r1, 32;',
  '\t@%p1 bra DONE;',
  'WAIT:',
  '\tbar.sync 0;',
  '\tbra.uni END;',
  'DONE:',
  '\tbar.sync 1;',
  'END:',
  '\tret;',
]);
const beyond = moduleOf('.param .u64 in', [
  '\t.reg .b32 %r<3>;',
  '\t.reg .b64 %rd<4>;',
  '\tmov.u32 %r1, %tid.x;',
  '\tld.param.u64 %rd1, [in];',
  '\tmul.wide.u32 %rd2, %r1, 128;',
  '\tadd.s64 %rd3, %rd1, %rd2;',
  '\tld.global.u32 %r2, [%rd3];',
  '\tret;',
]);
const endless = moduleOf('', ['FOREVER:', '\tbra.uni FOREVER;']);

describe('a planted fault is told with its line, and the page stays alive', () => {
  test.each([
    ['a race', race, 'Race on shared memory', ['st.shared', 'ld.shared']],
    ['a missed barrier', barrier, 'Barrier that not all can reach', ['bar.sync']],
    ['an access out of bounds', beyond, 'Access out of bounds', ['ld.global']],
  ])('%s', async (_name, ptx, kind, at) => {
    const board = await launched(ptx);
    expect(await verdict(board).innerText()).toContain('Faulted');
    const fault = (await board.scratch.locator('.fault').innerText()).replace(/\s+/g, ' ');
    expect(fault).toContain(kind);
    expect(fault).toMatch(/block \(0, 0, 0\) thread \(\d+, 0, 0\)/);
    const line = Number(/PTX line (\d+)/.exec(fault)?.[1]);
    const text = ptx.split('\n')[line - 1] ?? '';
    expect(at.some((part) => text.includes(part)), `line ${line}: ${text}`).toBe(true);
    expect((await board.scratch.locator('.cm-faulty').innerText()).trim()).toBe(text.trim());
    await alive(board);
    await board.close();
  });

  test('out of bounds: the first thread past the buffer, and its address', async () => {
    const board = await launched(beyond);
    const fault = (await board.scratch.locator('.fault').innerText()).replace(/\s+/g, ' ');
    expect(fault).toContain('thread (32, 0, 0)'); // 1,024 elements of 4 bytes, 128 bytes a thread
    expect(fault).toMatch(/address 0x[0-9a-f]+/);
    expect(fault).toContain(`PTX line ${lineOf(beyond, 'ld.global')}`);
    await board.close();
  });

  test('an endless loop ends when its step budget is used up', async () => {
    const board = await opened();
    await pasteInto(board, endless);
    await field(board, 'step budget', 2_000_000);
    await running(board).click();
    await expect.poll(() => verdict(board).innerText(), { timeout: 60_000 }).toContain('Faulted');
    const fault = (await board.scratch.locator('.fault').innerText()).replace(/\s+/g, ' ');
    expect(fault).toContain('Step budget used up');
    const thread = /block \(0, 0, 0\) thread \((\d+), 0, 0\)/.exec(fault);
    expect(Number(thread?.[1]) % 32).toBe(0); // whichever warp had its turn: its first thread
    expect(fault).toMatch(new RegExp(`PTX line (${lineOf(endless, 'FOREVER:')}|${lineOf(endless, 'bra.uni')})`));
    await alive(board);
    await board.close();
  });

  test('an endless loop can be cancelled, and the board plans while it runs', async () => {
    const board = await opened();
    await pasteInto(board, endless);
    await field(board, 'step budget', 2 ** 40);
    await running(board).click();
    await board.scratch.getByRole('progressbar').waitFor();
    await alive(board);
    await board.scratch.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => verdict(board).innerText(), { timeout: 5_000 }).toContain('Cancelled');
    await board.close();
  });
});

describe('the scratch', () => {
  test('its sample runs: every value doubled', async () => {
    const board = await opened();
    await board.scratch.getByRole('group', { name: 'Parameter x' }).getByLabel('x: filled with').selectOption('iota');
    await editor(board).click();
    await board.page.keyboard.press('Control+Enter');
    await expect.poll(() => verdict(board).innerText(), { timeout: 30_000 }).toMatch(/Finished: 8 blocks/);
    const values = board.scratch.locator('fuse-values').nth(1);
    expect(await values.getByRole('table', { name: 'Values of y' }).count()).toBe(1);
    const cells = (await values.getByRole('cell').allInnerTexts()).map(Number);
    expect(cells.slice(0, 8)).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
    await values.locator('.list').evaluate((list) => (list.scrollTop = list.scrollHeight));
    await expect.poll(async () => Number((await values.getByRole('cell').allInnerTexts()).at(-1))).toBe(2046);
    expect(await values.getByRole('row').count()).toBeLessThan(100);
    await board.close();
  });

  test('takes a kernel of the plan with its launch, edits it, and keeps the text over other tabs', async () => {
    const board = await BoardPage.open();
    await board.paste(
      '{"ops": [{"name": "x", "kind": "input", "output_shape": [300], "dtype": "f32"},\n{"name": "y", "kind": "relu", "inputs": ["x"]}]}',
    );
    await board.tab('PTX');
    const ptx = await board.ptx.locator('.cm-content').innerText();
    await board.ptx.getByRole('button', { name: 'Edit in scratch' }).click();
    expect(await board.page.getByRole('tab', { name: 'Scratch' }).getAttribute('aria-selected')).toBe('true');
    const begins = (text: string) => text.split('\n').slice(0, 15); // the editor draws what is in sight
    await expect.poll(async () => begins(await editor(board).innerText())).toEqual(begins(ptx));
    const counts = board.scratch.getByLabel(/: count$/);
    await expect.poll(() => counts.count()).toBe(2);
    expect(await counts.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).toEqual(['300', '300']);
    const launch = await board.page.evaluate(() => {
      interface Seen {
        store: { state: { index: { plan: { kernels: { grid: number[]; block: number[] }[] } } } };
      }
      const kernel = (document.querySelector('fuse-board') as unknown as Seen).store.state.index.plan.kernels[0];
      return [kernel?.grid[0], kernel?.block[0]].map(String);
    });
    expect([await board.scratch.getByLabel('grid x').inputValue(), await board.scratch.getByLabel('block x').inputValue()]).toEqual(launch);
    await running(board).click();
    await expect.poll(() => verdict(board).innerText(), { timeout: 30_000 }).toContain('Finished');
    expect((await board.scratch.locator('.buffer').allInnerTexts()).join(' ').replace(/\s+/g, ' ')).toMatch(/read 1\.17 KiB, written 0 B[\s\S]*read 0 B, written 1\.17 KiB/);

    await editor(board).click();
    await board.page.keyboard.press('Control+Home');
    await board.page.keyboard.type('// mine\n');
    await board.tab('Costs');
    await board.pick('adam.json');
    await board.tab('Scratch');
    expect((await editor(board).innerText()).startsWith('// mine\n')).toBe(true);
    expect(await shown(board.scratch)).toContain('The text has been edited since');
    await board.close();
  });

  test('what the reader refuses is underlined in its place, and nothing runs', async () => {
    const board = await opened();
    await pasteInto(board, moduleOf('', ['\t// ä→😀', '\t.reg .b32 %r<2>;', '\tfrobnicate.u32 %r1, 1;', '\tret;']));
    await expect.poll(() => board.scratch.locator('.cm-lintRange-error').allInnerTexts()).not.toEqual([]);
    expect((await board.scratch.locator('.cm-lintRange-error').allInnerTexts()).join('')).toMatch(/^frobnicate/);
    expect(await shown(board.scratch)).toContain('The text has 1 error');
    expect(await running(board).getAttribute('aria-disabled')).toBe('true');
    const fault = board.scratch.locator('fuse-diagnostics li');
    expect(await fault.innerText()).toMatch(/frobnicate[\s\S]*line 8/);
    await fault.getByRole('button').click();
    await board.page.keyboard.type('mov');
    await expect.poll(() => board.scratch.locator('.cm-lintRange-error').count()).toBe(0);
    await alive(board);
    await board.close();
  });

  test('text with markup stays text', async () => {
    const board = await opened();
    const markup = '<img src=x onerror=alert(1)>';
    await pasteInto(board, moduleOf('', [`\t// ${markup}`, `\t${markup}`, '\tret;']));
    await expect.poll(() => board.scratch.locator('fuse-diagnostics li').count()).toBeGreaterThan(0);
    await pasteInto(board, moduleOf('', [`\t// ${markup}`, '\tret;']));
    await running(board).click();
    await expect.poll(() => verdict(board).innerText()).toContain('Finished');
    expect(await board.scratch.locator('img:not(.cm-widgetBuffer)').count()).toBe(0);
    await board.close();
  });

  test('a scalar and a filled buffer reach the kernel', async () => {
    const ptx = moduleOf('.param .u64 out, .param .f32 add', [
      '\t.reg .f32 %f<4>;',
      '\t.reg .b64 %rd<2>;',
      '\tld.param.u64 %rd1, [out];',
      '\tld.param.f32 %f1, [add];',
      '\tld.global.f32 %f2, [%rd1];',
      '\tadd.f32 %f3, %f1, %f2;',
      '\tst.global.f32 [%rd1], %f3;',
      '\tret;',
    ]);
    const board = await opened();
    await pasteInto(board, ptx);
    await field(board, 'block x', 1);
    await field(board, 'grid x', 1);
    await field(board, 'out: count', 3);
    await board.scratch.getByLabel('out: filled with').selectOption('value');
    await field(board, 'out: fill value', '4.5');
    await field(board, 'add: value', '0.25');
    await running(board).click();
    await expect.poll(() => verdict(board).innerText(), { timeout: 30_000 }).toContain('Finished');
    expect((await board.scratch.locator('fuse-values').getByRole('cell').allInnerTexts()).map(Number)).toEqual([4.75, 4.5, 4.5]);
    await board.close();
  });
});
