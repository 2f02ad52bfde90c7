// Every example on the page: it plans, and each pane shows its figures, worked out by hand.
// It must not know how the page is built.
import { describe, expect, test } from 'vitest';
import { BoardPage, examples, exampleText, shown, useBrowser } from './page.js';

useBrowser();

interface Expected {
  unfused: number;
  fused: number;
  ratio: string;
  kernels: string;
  contested: string[];
}

/** T is the tensor of an example in bytes; an op moves its distinct inputs and its output, a group what crosses it. */
const T = (dims: number[]) => dims.reduce((product, dim) => product * dim, 4);
const S = T([8, 512, 512]);
const Q = T([8, 512, 64]);
const R = T([8, 512]);
/** Rows of a norm or a softmax, their statistics, and what scales a row. */
const X = T([2048, 1024]);
const A = T([2048]);
const G = T([1024]);
const expected: Record<string, Expected> = {
  'bias-gelu.json': {
    unfused: T([1024, 1024]) + 6 * T([1024, 4096]) + T([4096]),
    fused: T([1024, 1024]) + 4 * T([1024, 4096]) + T([4096]),
    ratio: '1.47×',
    kernels: '1 kernel and 1 library call',
    contested: [],
  },
  'residual-relu.json': {
    unfused: 7 * T([2048, 1024]),
    fused: 4 * T([2048, 1024]),
    ratio: '1.75×',
    kernels: '1 kernel and 0 library calls',
    contested: [],
  },
  'barrier-chain.json': {
    unfused: 13 * T([512, 2048]),
    fused: 6 * T([512, 2048]),
    ratio: '2.17×',
    kernels: '3 kernels and 0 library calls',
    contested: [],
  },
  'refused-cycle.json': {
    unfused: 10 * T([1024, 1024]),
    fused: 8 * T([1024, 1024]),
    ratio: '1.25×',
    kernels: '2 kernels and 1 library call',
    contested: ['a → c'],
  },
  'adam.json': {
    unfused: 28 * T([4096, 1024]),
    fused: 7 * T([4096, 1024]),
    ratio: '4.00×',
    kernels: '1 kernel and 0 library calls',
    contested: [],
  },
  'attention.hlo': {
    unfused: 12 * S + 4 * Q + 4 * R,
    fused: 4 * S + 4 * Q,
    ratio: '2.78×',
    kernels: '1 kernel and 2 library calls',
    contested: [],
  },
  'softmax.json': {
    unfused: 8 * X + 4 * A,
    fused: 2 * X,
    ratio: '4.00×',
    kernels: '1 kernel and 0 library calls',
    contested: [],
  },
  'masked-softmax.json': {
    unfused: (14 * S + 4 * Q + T([512, 512]) + 4 * R) / 2,
    fused: (4 * S + 4 * Q + T([512, 512])) / 2,
    ratio: '3.16×',
    kernels: '1 kernel and 2 library calls',
    contested: [],
  },
  'layer-norm.json': {
    unfused: 12 * X + 8 * A + 2 * G,
    fused: 2 * X + 2 * G,
    ratio: '6.00×',
    kernels: '1 kernel and 0 library calls',
    contested: [],
  },
  'layer-norm-statistics.json': {
    unfused: 15 * X + 8 * A + 2 * G,
    fused: X + 2 * A + 2 * G,
    ratio: '14.96×',
    kernels: '1 kernel and 0 library calls',
    contested: [],
  },
  'rms-norm.json': {
    unfused: 10 * X + 6 * A + G,
    fused: 4 * X + G,
    ratio: '2.50×',
    kernels: '1 kernel and 0 library calls',
    contested: [],
  },
  'cross-entropy.json': {
    unfused: 13.5 * T([512, 4096]) + 11 * T([512]) + 4,
    fused: T([512, 4096]) + 3 * T([512]) + 4,
    ratio: '13.49×',
    kernels: '2 kernels and 0 library calls',
    contested: ['losses → loss'],
  },
  'batch-norm.json': {
    unfused: 4 * T([32, 64, 28, 28]) + 17 * T([64]),
    fused: T([32, 64, 28, 28]) + 6 * T([64]),
    ratio: '4.00×',
    kernels: '1 kernel and 0 library calls',
    contested: [],
  },
};

describe('examples', () => {
  test('the first visit shows the first one', async () => {
    const board = await BoardPage.open();
    expect(await board.page.getByLabel('example').inputValue()).toBe(examples[0]?.file);
    expect(await board.op('biased').count()).toBe(1);
    await board.close();
  });

  test.each(examples.map(({ file }) => file))('%s', async (file) => {
    const board = await BoardPage.open();
    await board.pick(file);
    const now = expected[file];
    if (!now) throw new Error(`${file} is not worked out here`);
    expect(await board.diagnostics.count()).toBe(0);

    const costs = await shown(board.costs);
    expect(costs).toContain(`${now.unfused.toLocaleString('en-US')} B`);
    expect(costs).toContain(`${now.fused.toLocaleString('en-US')} B`);
    expect(costs).toContain(now.ratio);
    expect(costs).toContain(now.kernels);

    await board.tab('Why');
    await board.why.getByRole('button', { name: 'Could have fused' }).click();
    expect((await board.why.locator('ol .pair').allInnerTexts()).map((pair) => pair.replace(/\s+/g, ' '))).toEqual(
      now.contested,
    );

    await board.tab('PTX');
    await expect.poll(() => board.ptx.locator('.cm-content').innerText()).toContain('.entry');
    expect(await board.ptx.locator('.cm-content').innerText()).toContain('.target sm_90');
    await board.close();
  });

  test('choosing one can be undone', async () => {
    const board = await BoardPage.open();
    const own = '{"ops": [{"name": "mine", "kind": "input", "output_shape": [4], "dtype": "f32"}]}';
    await board.paste(own);
    await board.pick('adam.json');
    await board.source.locator('.cm-content').click();
    await board.page.keyboard.press('Control+Z');
    await expect.poll(() => board.text()).toBe(own);
    await expect.poll(() => board.op('mine').count()).toBe(1);
    expect(await board.page.getByLabel('example').inputValue()).toBe('');
    await board.close();
  });

  test('one that comes late does not replace what was typed meanwhile', async () => {
    const board = await BoardPage.open();
    let answer = () => {};
    const asked = new Promise<void>((done) => (answer = done));
    await board.page.route(/adam/, async (route) => {
      await asked;
      await route.continue();
    });
    await board.page.getByLabel('example').selectOption('adam.json');
    const own = '{"ops": [{"name": "mine", "kind": "input", "output_shape": [4], "dtype": "f32"}]}';
    await board.paste(own);
    answer();
    await board.page.waitForTimeout(300);
    expect(await board.text()).toBe(own);
    expect(await board.page.getByLabel('example').inputValue()).toBe('');
    await board.close();
  });

  test('one that cannot be loaded is said, and the text stays', async () => {
    const board = await BoardPage.open();
    await board.page.route(/adam/, (route) => route.fulfill({ status: 200, contentType: 'text/javascript', body: '(' }));
    await board.page.getByLabel('example').selectOption('adam.json');
    await board.page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor();
    expect(await board.page.getByLabel('example').inputValue()).toBe(examples[0]?.file);
    expect(await board.text()).toBe(exampleText('bias-gelu.json'));
    await board.close();
  });

  test('the target changes the PTX', async () => {
    const board = await BoardPage.open();
    await board.tab('PTX');
    const targets = await board.ptx.getByLabel('target').locator('option').allInnerTexts();
    expect(targets).toEqual(['sm_75', 'sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_100', 'sm_120']);
    await board.ptx.getByLabel('target').selectOption('sm_75');
    await expect.poll(() => board.ptx.locator('.cm-content').innerText()).toContain('.target sm_75');
    await board.close();
  });

  test('unfused: every op alone, and nothing saved', async () => {
    const board = await BoardPage.open();
    await board.page.getByRole('button', { name: 'unfused' }).click();
    await expect.poll(() => shown(board.costs)).toContain('1.00×');
    expect(await shown(board.costs)).toContain('2 kernels and 1 library call');
    await board.page.getByRole('button', { name: 'fused', exact: true }).click();
    await expect.poll(() => shown(board.costs)).toContain('1.47×');
    await board.close();
  });

  test('what rows too long to hold make a kernel read again is said, in all and at its group', async () => {
    const board = await BoardPage.open();
    const soft = (columns: number) =>
      JSON.stringify({
        ops: [
          { name: 'x', kind: 'input', output_shape: [128, columns], dtype: 'f32' },
          { name: 'most', kind: 'reduce', inputs: ['x'], reducer: 'max', axes: [1], keepdims: true },
          { name: 'power', kind: 'sub', inputs: ['x', 'most'] },
          { name: 'sum', kind: 'reduce', inputs: ['power'], reducer: 'sum', axes: [1], keepdims: true },
          { name: 'out', kind: 'div', inputs: ['power', 'sum'] },
        ],
        outputs: ['out'],
      });
    await board.paste(soft(50257));
    // Three walks: of x, 128 × 50,257 values of 4 bytes, the last two are reads again.
    await expect.poll(() => shown(board.costs)).toContain('+ 49.1 MiB read again by 1 kernel whose rows are too long to hold');
    expect(await board.costs.locator('.reread').getAttribute('title')).toContain('51,463,168 B read again');
    expect(await board.costs.locator('.groups tbody tr td').first().innerText()).toMatch(/^24.5 MiB\s+\+49.1 MiB again$/);
    await board.paste(soft(512));
    await expect.poll(() => board.costs.locator('.reread').count()).toBe(0);
    expect(await shown(board.costs)).not.toMatch(/\bagain\b/);
    await board.close();
  });

  test('without broadcast the bias does not stretch', async () => {
    const board = await BoardPage.open();
    const text = JSON.stringify({
      ops: [
        { name: 'bias', kind: 'input', output_shape: [8], dtype: 'f32' },
        { name: 'x', kind: 'input', output_shape: [4, 8], dtype: 'f32' },
        { name: 'doubled', kind: 'scale', inputs: ['bias'], alpha: 2 },
        { name: 'sum', kind: 'add', inputs: ['x', 'doubled'] },
      ],
    });
    await board.paste(text);
    expect(await shown(board.costs)).toContain('1 kernel and 0 library calls');
    await board.page.getByLabel('broadcast').uncheck();
    await expect.poll(() => shown(board.costs)).toContain('2 kernels and 0 library calls');
    await board.tab('Why');
    await board.why.getByRole('button', { name: /doubled → sum/ }).click();
    expect(await board.why.locator('.answer').innerText()).toMatch(/\[8\] of\s+doubled\s+does not stretch to\s+\[4,8\]/);
    await board.close();
  });
});
