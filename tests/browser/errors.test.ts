// A broken text: underlined at the exact token, listed, the last plan kept, and a way back.
// It must not know how faults are found.
import { describe, expect, test } from 'vitest';
import { BoardPage, exampleText, shown, useBrowser } from './page.js';

useBrowser();

const good = exampleText('refused-cycle.json');
const underlined = (board: BoardPage) => board.source.locator('.cm-lintRange-error').allInnerTexts();

describe('a broken text', () => {
  test('names the token, keeps the plan, and recovers', async () => {
    const board = await BoardPage.open();
    await board.paste(good);
    await board.paste(good.replace('["a", "m"]', '["a", "nobody"]'));
    expect((await underlined(board)).join('')).toMatch(/^"?nobody"?$/);
    expect(await board.diagnostics.count()).toBe(1);
    expect(await board.diagnostics.first().innerText()).toMatch(/error\[dangling-input\][\s\S]*nobody[\s\S]*line 7/);
    expect(await shown(board.status)).toMatch(/1 error[\s\S]*last plan/);
    expect(await board.graph.locator('svg.stale').count()).toBe(1);
    expect(await board.op('d').count()).toBe(1);
    expect(await shown(board.costs)).toContain('1.25×');
    expect(await shown(board.costs)).toContain('Plan of the last text that could be planned');
    await board.tab('PTX');
    await expect.poll(() => board.ptx.locator('.cm-content').innerText()).toContain('.entry');

    await board.paste(good);
    await board.planned();
    expect(await underlined(board)).toEqual([]);
    expect(await board.diagnostics.count()).toBe(0);
    expect(await board.graph.locator('svg.stale').count()).toBe(0);
    await board.close();
  });

  test('behind characters of several bytes the place is still exact', async () => {
    const board = await BoardPage.open();
    const text = good.replaceAll('"a"', '"ä→😀"').replace('"m"]}', '"nobody"]}');
    await board.paste(text);
    expect((await underlined(board)).join('')).toMatch(/^"?nobody"?$/);
    await board.close();
  });

  test('choosing a fault goes there', async () => {
    const board = await BoardPage.open();
    await board.paste(good.replace('"tanh"', '7'));
    await board.diagnostics.first().getByRole('button').click();
    await board.page.keyboard.type('"tanh"');
    await board.planned();
    expect(await board.text()).toBe(good);
    await board.close();
  });

  test.each([
    ['nothing', ''],
    ['a lone brace', '{'],
    ['no graph at all', 'hello, world'],
    ['half a file', good.slice(0, 120)],
    ['control characters', '\u0000\u0001\u001f\ud800'],
    ['deep nesting', '['.repeat(20_000)],
  ])('%s is an error, said in the list', async (_name, text) => {
    const board = await BoardPage.open();
    await board.paste(text);
    await expect.poll(() => board.diagnostics.count()).toBeGreaterThan(0);
    expect(await board.diagnostics.first().innerText()).toMatch(/error\[[a-z-]+\]/);
    expect(await board.op('biased').count()).toBe(1);
    await board.close();
  });

  test('every cycle of ops is named', async () => {
    const board = await BoardPage.open();
    await board.paste(
      '{"ops": [{"name": "p", "kind": "relu", "inputs": ["q"], "output_shape": [4], "dtype": "f32"},\n' +
        '{"name": "q", "kind": "relu", "inputs": ["p"], "output_shape": [4], "dtype": "f32"}]}',
    );
    const said = await board.diagnostics.first().innerText();
    expect(said).toContain('error[cycle]');
    expect(said).toMatch(/p/);
    expect(said).toMatch(/q/);
    await board.close();
  });
});
