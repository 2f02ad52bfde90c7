// Options and edits that meet: nothing typed is lost, and no text stands under a label that it was not made for.
// It must not know how the page waits.
import { expect, test } from 'vitest';
import { BoardPage, exampleText, shown, useBrowser } from './page';

useBrowser();

const three = `{"ops": [{"name": "a", "kind": "input", "output_shape": [64], "dtype": "f32"},
 {"name": "b", "kind": "relu", "inputs": ["a"]},
 {"name": "c", "kind": "tanh", "inputs": ["b"]}]}`;

test('an option toggled while typing keeps what was typed', async () => {
  const board = await BoardPage.open();
  await board.source.locator('.cm-content').click();
  await board.page.keyboard.press('Control+A');
  // In one turn of the page: the edit, and the toggle before its pause is over.
  await board.source.locator('.cm-content').evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    const root = document.querySelector('fuse-board')?.shadowRoot;
    [...(root?.querySelectorAll('button') ?? [])].find((button) => button.textContent.trim() === 'unfused')?.click();
  }, three);
  await expect.poll(() => board.text()).toBe(three);
  await expect.poll(() => shown(board.status)).toMatch(/3 ops, 3 groups, 2 launches/);
  await board.close();
});

test('PTX of an older plan says so and cannot be copied', async () => {
  const board = await BoardPage.open();
  await board.pick('residual-relu.json');
  await board.tab('PTX');
  await expect.poll(() => shown(board.ptx)).toContain('.target sm_90');
  await board.paste(exampleText('residual-relu.json').replace('"relu"', '"relu'));
  await expect.poll(() => shown(board.ptx)).toContain('PTX of the last text that could be planned: sm_90, fast, fused.');
  await board.ptx.getByLabel('target').selectOption('sm_80');
  await board.settled();
  expect(await board.ptx.getByRole('button', { name: 'Copy' }).isDisabled()).toBe(true);
  await board.paste(exampleText('residual-relu.json'));
  await expect.poll(() => shown(board.ptx)).toContain('.target sm_80');
  expect(await board.ptx.getByRole('button', { name: 'Copy' }).isDisabled()).toBe(false);
  await board.close();
});

test('the next graph shows its first kernel with PTX, not a library call', async () => {
  const board = await BoardPage.open();
  await board.tab('PTX');
  await board.pick('attention.hlo');
  await expect.poll(() => shown(board.ptx)).toContain('.entry');
  await board.pick('bias-gelu.json');
  await expect.poll(() => shown(board.ptx)).toContain('.entry fused_biased_activated');
  await board.close();
});

test('the page plans by rows; another policy is chosen in its table or above, and the difference stands beside it', async () => {
  const board = await BoardPage.open();
  await board.pick('layer-norm-statistics.json');
  const policies = board.costs.getByRole('region', { name: 'Policies' });
  const above = board.page.getByLabel('Policy');
  const rows = async () => (await policies.locator('tbody tr').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
  const pressed = () => policies.locator('button[aria-pressed="true"]').innerText();
  expect(await above.inputValue()).toBe('rows');
  expect(await pressed()).toBe('rows');
  expect(await shown(board.costs)).toContain('8,413,184 B');
  const [byRows = '', byRegions = '', byElement = ''] = await rows();
  expect(byRows).toMatch(/^rows 8.02 MiB \d 1$/);
  expect(byRegions).toMatch(/^regions 64 MiB \+56 MiB .* 5 \+4$/);
  expect(byElement).toMatch(/^elementwise 64 MiB \+56 MiB .* 5 \+4$/);

  await policies.getByRole('button', { name: 'elementwise' }).click();
  await expect.poll(() => shown(board.costs)).toContain('67,158,016 B');
  expect(await above.inputValue()).toBe('elementwise');
  expect(await pressed()).toBe('elementwise');
  expect((await rows())[0]).toMatch(/^rows 8.02 MiB −56 MiB .* 1 −4$/);
  await expect.poll(() => shown(board.status)).toContain('5 launches');

  await above.selectOption('rows');
  await expect.poll(() => shown(board.costs)).toContain('8,413,184 B');
  expect(await pressed()).toBe('rows');
  expect(await board.costs.getByRole('region', { name: 'Groups' }).innerText()).toContain('LayerNorm');
  await board.close();
});
