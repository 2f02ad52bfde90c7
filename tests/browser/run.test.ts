// The run pane: what the examples prove, and how each verdict is shown, a wrong element and a fault above all.
// It must not know how kernels run.
import { describe, expect, test } from 'vitest';
import { answering, kernelRun, runReport } from './core-answers.js';
import { BoardPage, examples, shown, useBrowser } from './page.js';

useBrowser();

const library = kernelRun({ kernel: 0, verdict: 'skipped', kind: 'library' });
const ours = (change: Parameters<typeof kernelRun>[0]) => runReport([library, kernelRun({ kernel: 1, ...change })]);
const sentence = (board: BoardPage) => board.run.locator('.verdict');

/** The first example with a run answered like this. */
async function ran(...reports: ReturnType<typeof runReport>[]): Promise<BoardPage> {
  const board = await BoardPage.open('index.html', {}, answering({ run: reports }));
  await board.tab('Run');
  await board.run.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => sentence(board).innerText()).toMatch(/\w/);
  return board;
}

describe('the examples', () => {
  test.each(examples.map(({ file }) => file))('%s: all blocks of our kernels verify', async (file) => {
    const board = await BoardPage.open();
    await board.pick(file);
    await board.tab('Run');
    await board.run.getByLabel('all blocks').check();
    await board.run.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => sentence(board).innerText(), { timeout: 200_000 }).toMatch(/^\W*(Verified|Nothing|Wrong|Cancel|The core)/);
    expect(await sentence(board).innerText()).toMatch(/^✓\s+Verified: every block of /);
    const rows = await board.run.locator('tr.kernel').allInnerTexts();
    const [kernels, calls] = [rows.filter((row) => /verified/.test(row)), rows.filter((row) => /library call/.test(row))];
    expect(kernels.length).toBeGreaterThan(0);
    expect(kernels.length + calls.length).toBe(rows.length);
    for (const row of kernels) expect(row.match(/= promised/g)).toHaveLength(2);
    await board.close();
  }, 240_000);

  test('a run of a sample does not say verified', async () => {
    const board = await BoardPage.open();
    await board.paste(
      '{"ops": [{"name": "x", "kind": "input", "output_shape": [65536, 65536], "dtype": "f32"},\n' +
        '{"name": "y", "kind": "relu", "inputs": ["x"]}]}',
    );
    await board.tab('Run');
    await board.run.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => sentence(board).innerText(), { timeout: 60_000 }).toMatch(/Nothing wrong in what ran/);
    expect(await sentence(board).innerText()).toContain('1 kernel held on a sample');
    expect(await sentence(board).innerText()).not.toContain('Verified');
    await board.close();
  });

  test('a long run shows progress and can be cancelled; the board answers meanwhile', async () => {
    const board = await BoardPage.open();
    await board.paste(
      '{"ops": [{"name": "x", "kind": "input", "output_shape": [8192, 8192], "dtype": "f32"},\n' +
        '{"name": "y", "kind": "tanh", "inputs": ["x"]}]}',
    );
    await board.tab('Run');
    await board.run.getByLabel('all blocks').check();
    await board.run.getByRole('button', { name: 'Run' }).click();
    await board.run.getByRole('progressbar').waitFor();
    await board.tab('PTX');
    await board.ptx.getByLabel('math').waitFor();
    await expect.poll(() => board.ptx.locator('.cm-content').innerText()).toContain('.entry');
    await board.tab('Run');
    await board.run.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => sentence(board).innerText(), { timeout: 5_000 }).toContain('Cancelled');
    expect(await sentence(board).innerText()).not.toContain('Verified');
    await board.pick('adam.json');
    await board.close();
  });

  test('a newer text takes the place of a run', async () => {
    const board = await BoardPage.open();
    await board.paste('{"ops": [{"name": "x", "kind": "input", "output_shape": [8192, 8192], "dtype": "f32"},\n{"name": "y", "kind": "tanh", "inputs": ["x"]}]}');
    await board.tab('Run');
    await board.run.getByLabel('all blocks').check();
    await board.run.getByRole('button', { name: 'Run' }).click();
    await board.run.getByRole('progressbar').waitFor();
    await board.pick('refused-cycle.json');
    expect(await board.run.getByRole('progressbar').count()).toBe(0);
    expect(await board.run.locator('tr.kernel').count()).toBe(0);
    await board.run.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => sentence(board).innerText(), { timeout: 80_000 }).toContain('Verified');
    await board.close();
  });
});

describe('a wrong element', () => {
  const wrong = ours({
    verdict: 'failed',
    mismatch: {
      what: 'value',
      op: 4,
      element: [12, 4095],
      line: 9,
      operands: [{ op: 3, value: '1.25' }, { op: 2, value: '-0.0078125' }],
      expected: '1.2421875',
      got: '1.2578125',
      ulps: 131072,
      bound: 0.5,
      message: 'The sum is off.',
    },
  });

  test('opens by itself with operands, expected, got and its bound', async () => {
    const board = await ran(wrong);
    expect(await sentence(board).innerText()).toMatch(/^✕\s+Wrong: 1 kernel failed\./);
    const fault = (await board.run.locator('.fault').innerText()).replace(/\s+/g, ' ');
    expect(fault).toContain('Wrong value at biased[12, 4095]');
    expect(fault).toContain('The sum is off.');
    expect(fault).toMatch(/of product 1\.25 of bias -0\.0078125 expected 1\.2421875 got 1\.2578125 error 131,072 of 0\.5 ULP/);
    await board.close();
  });

  test('leads to the line of the PTX, with the op selected', async () => {
    const board = await ran(wrong);
    await board.run.getByRole('button', { name: 'PTX line 9' }).click();
    expect(await board.page.getByRole('tab', { name: 'PTX' }).getAttribute('aria-selected')).toBe('true');
    const line = board.ptx.locator('.cm-pointed');
    await line.waitFor();
    const ninth = await board.page.evaluate(async () => {
      interface Seen {
        store: { state: { ptxLine: { kernel: number; line: number } | null } };
      }
      return (document.querySelector('fuse-board') as unknown as Seen).store.state.ptxLine;
    });
    expect(ninth).toEqual({ kernel: 1, line: 9 });
    const numbers = await board.ptx.locator('.cm-lineNumbers .cm-gutterElement').evaluateAll((elements, top) =>
      elements.filter((one) => Math.abs(one.getBoundingClientRect().top - top) < 2).map((one) => one.textContent), (await line.boundingBox())?.y ?? 0);
    expect(numbers).toContain('9');
    expect((await board.marked()).ops).toEqual(['biased']);
    await board.close();
  });
});

describe('an error near zero', () => {
  test('is told in units with its bound, however small they are there', async () => {
    const board = await ran(ours({ worst: { op: 5, element: [0], ulps: 17_000_000, bound: 21_000_000 } }));
    const row = board.run.locator('tr.kernel').last();
    expect((await row.innerText()).replace(/\s+/g, ' ')).toContain('1.7e+7 ULP bound 2.1e+7');
    await board.run.getByRole('button', { name: 'kernel_of_a_test' }).click();
    expect((await shown(board.run)).replace(/\s+/g, ' ')).toContain('1.7e+7 of 2.1e+7 ULP, at activated[0]');
    await board.close();
  });
});

describe('verdicts', () => {
  test.each([
    ['verified', ours({}), /^✓\s+Verified: every block of the kernel ran/, /✓\s*kernel_of_a_test[\s\S]*verified · all 64 blocks/],
    [
      'sample',
      runReport([library, kernelRun({ kernel: 1, verdict: 'held', kind: 'sampled', blocks_run: 12, blocks: 65536 })], { verified: false }),
      /^◐\s+Nothing wrong in what ran: 1 kernel held on a sample\. Only a run of all blocks can verify\./,
      /◐[\s\S]*held on a sample · 12 of 65,536 blocks/,
    ],
    ['not written', runReport([library, kernelRun({ kernel: 1, verdict: 'skipped', kind: 'none' })], { verified: false }), /^–\s+No kernel of this plan ran\.[\s\S]*1 kernel did not run/, /did not run/],
    [
      'faulted',
      ours({ verdict: 'faulted', fault: { kind: 'race', message: 'Two threads.', line: 3, block: [1, 0, 0], thread: [5, 0, 0], address: '0x40' } }),
      /^✕\s+Wrong: 1 kernel faulted\./,
      /!\s*kernel_of_a_test[\s\S]*faulted/,
    ],
    [
      'bytes',
      runReport([library, kernelRun({ kernel: 1, read: { promised: 4096, measured: 8192, must_be_equal: true, equal: false, why_not: '' } })], { verified: false, passed: false }),
      /^✕\s+Wrong: 1 kernel moved other bytes than promised\./,
      /8 KiB\s+≠ 4 KiB/,
    ],
    [
      'unfused',
      { ...ours({}), verified: false, passed: false, fused_equals_unfused: { compared: true, equal: false, why_not: '', tensors: 1 } },
      /^✕\s+Wrong: fused and unfused differ\./,
      /verified/,
    ],
  ])('%s', async (_name, report, says, row) => {
    const board = await ran(report);
    expect(await sentence(board).innerText()).toMatch(says);
    expect(await board.run.locator('tr.kernel').last().innerText()).toMatch(row);
    await board.close();
  });

  test('a fault tells thread, block, line and address', async () => {
    const fault = { kind: 'out-of-bounds', message: 'A load of 4 bytes.', line: 7, block: [3, 0, 0], thread: [17, 0, 0], address: '0xff0' };
    const board = await ran(ours({ verdict: 'faulted', fault }));
    const said = (await board.run.locator('.fault').innerText()).replace(/\s+/g, ' ');
    expect(said).toBe('! Access out of bounds A load of 4 bytes. block (3, 0, 0) thread (17, 0, 0) address 0xff0 PTX line 7');
    await board.close();
  });
});

describe('the pane', () => {
  test('by keys alone, and told to a screen reader', async () => {
    const board = await BoardPage.open('index.html', {}, answering({ run: [ours({})] }));
    await board.tab('Run');
    await board.page.keyboard.press('Tab');
    await board.page.keyboard.press('Enter');
    await board.run.getByRole('status').filter({ hasText: 'Verified' }).waitFor();
    const table = board.run.getByRole('table', { name: 'Kernels that ran' });
    expect(await table.getByRole('columnheader').count()).toBe(6);
    expect(await table.getByRole('rowheader').count()).toBe(2);
    expect(await table.getByRole('row').filter({ hasText: 'kernel_of_a_test' }).getByRole('cell').count()).toBe(5);
    for (let i = 0; i < 4; i += 1) await board.page.keyboard.press('Tab');
    const row = board.run.getByRole('button', { name: 'kernel_of_a_test' });
    expect(await row.getAttribute('aria-expanded')).toBe('false');
    await board.page.keyboard.press('Enter');
    expect(await row.getAttribute('aria-expanded')).toBe('true');
    expect(await row.evaluate((button) => (button.getRootNode() as ShadowRoot).activeElement === button)).toBe(true);
    expect(await shown(board.run)).toContain('Worst error: 0.75 of 2 ULP, at x[1, 2]');
    await board.close();
  });

  test('shares the selection', async () => {
    const board = await ran(ours({}));
    await board.run.getByRole('button', { name: 'kernel_of_a_test' }).click();
    expect((await board.marked()).ops).toEqual(['biased', 'activated']);
    await board.op('product').click();
    expect(await board.run.locator('tr.kernel.marked').innerText()).toContain('product');
    await board.close();
  });

  test('hostile results stay text', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e';
    const board = await ran(
      ours({
        entry: hostile,
        verdict: 'failed',
        mismatch: {
          what: 'store', op: 4, element: [0], line: 1, operands: [{ op: 3, value: hostile }],
          expected: hostile, got: hostile, ulps: 'nan', bound: 'inf', message: hostile,
        },
        fault: { kind: hostile, message: hostile, line: 1, block: [0, 0, 0], thread: [0, 0, 0], address: hostile },
        shrunk: { verdict: 'verified', shapes: hostile, why_not: '' },
        read: { promised: 1, measured: 2, must_be_equal: false, equal: false, why_not: hostile },
      }),
    );
    expect(await board.run.locator('img, script').count()).toBe(0);
    expect(await shown(board.run)).not.toContain('\u202e');
    expect(await board.run.locator('.fault').first().innerText()).toContain('<img src=x onerror=alert(1)>\\u202e');
    await board.close();
  });

  test('a worker that dies in a run leaves the text, and the next run gets a new one', async () => {
    const board = await BoardPage.open();
    await board.paste('{"ops": [{"name": "x", "kind": "input", "output_shape": [8192, 8192], "dtype": "f32"},\n{"name": "y", "kind": "tanh", "inputs": ["x"]}]}');
    await board.tab('Run');
    await board.run.getByLabel('all blocks').check();
    await board.run.getByRole('button', { name: 'Run' }).click();
    await board.run.getByRole('progressbar').waitFor();
    const [worker] = board.page.workers();
    await worker?.evaluate(() => {
      setTimeout(() => {
        throw new Error('as if the core had trapped');
      }, 0);
    });
    await expect.poll(() => sentence(board).innerText()).toMatch(/The core stopped[\s\S]*Nothing is verified/);
    await board.run.getByLabel('all blocks').uncheck();
    await board.run.getByRole('button', { name: 'Run again' }).click();
    await expect.poll(() => sentence(board).innerText(), { timeout: 60_000 }).toMatch(/Nothing wrong|Verified/);
    board.problems.splice(0, board.problems.length, ...board.problems.filter((one) => !one.includes('had trapped')));
    await board.close();
  });
});
