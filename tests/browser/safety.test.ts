// What a page must never do: run a name, run eval, call elsewhere.
// It must not know what the names are for.
import { describe, expect, test } from 'vitest';
import { BoardPage, useBrowser } from './page.js';

useBrowser();

const hostile = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  "'-alert(1)-'",
  '${alert(1)}',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  ']]><![CDATA[',
  '&lt;b&gt;',
  '\u202egnp.exe',
  '__proto__',
  'constructor',
  'a'.repeat(100_000),
];

/** Elements and handlers that no pane makes of itself. */
function foreignMarkup(board: BoardPage): Promise<string[]> {
  return board.page.evaluate(() => {
    const found: string[] = [];
    const walk = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*:not(img.cm-widgetBuffer)')) {
        if (['IMG', 'SCRIPT', 'IFRAME', 'B', 'OBJECT'].includes(element.tagName.toUpperCase())) found.push(element.tagName);
        for (const { name } of element.attributes) if (name.startsWith('on')) found.push(name);
        if (element.shadowRoot) walk(element.shadowRoot);
      }
    };
    walk(document.body);
    return found;
  });
}

describe('safety', () => {
  test('hostile names of launches stay text in every pane', async () => {
    const board = await BoardPage.open();
    const nodes = hostile.map((name) => ({
      kind: 'kernel_launch',
      function_name: name,
      name,
      grid: [4, 1, 1],
      block: [32, 1, 1],
      fusible: true,
    }));
    const edges = hostile.slice(1).map((_, i) => [i, i + 1]);
    await board.paste(JSON.stringify({ nodes, edges }));
    await board.planned();
    for (const tab of ['Costs', 'PTX', 'Run', 'Why']) {
      await board.tab(tab);
      await board.page.waitForTimeout(50);
    }
    await board.why.locator('.decision').first().click();
    await board.graph.locator('g.op').last().click();
    expect(await foreignMarkup(board)).toEqual([]);
    await board.close();
  });

  test('hostile names stay text in every pane', async () => {
    const board = await BoardPage.open();
    const ops: Record<string, unknown>[] = hostile.map((name, i) =>
      i === 0
        ? { name, kind: 'input', output_shape: [64, 64], dtype: 'f32' }
        : { name, kind: i % 4 === 3 ? 'matmul' : 'relu', inputs: i % 4 === 3 ? [i - 1, i - 1] : [i - 1] },
    );
    ops.push({ name: 'x', kind: '<b onclick=alert(1)>', inputs: [0], output_shape: [4], dtype: 'f32' });
    await board.paste(JSON.stringify({ ops }, null, 1));
    await board.planned();
    expect(await board.diagnostics.allInnerTexts()).not.toContain('error');
    for (const tab of ['PTX', 'Why', 'Costs']) {
      await board.tab(tab);
      for (const button of await board.costs.locator('tbody th button').all()) if (tab === 'Costs') await button.click();
    }
    await board.graph.locator('svg').first().focus();
    await board.page.keyboard.press('Escape');
    await board.page.keyboard.press('ArrowDown');
    await board.tab('Why');
    await board.page.waitForTimeout(200);
    const markup = await foreignMarkup(board);
    expect(markup).toEqual([]);
    expect(await board.why.locator('.answer h2').innerText()).toBe(hostile[0]);
    await board.close();
  });

  test('what turns text around is shown by its code', async () => {
    const board = await BoardPage.open();
    const ops = [{ name: '\u202egnp.exe', kind: 'input', output_shape: [64, 64], dtype: 'f32' }, { name: 'y', kind: 'relu', inputs: [0] }];
    await board.paste(JSON.stringify({ ops }));
    await board.planned();
    await board.op('y').click();
    await board.tab('Why');
    for (const pane of [board.graph, board.why]) {
      expect(await pane.evaluate((host) => host.shadowRoot?.textContent)).toContain('\\u202egnp.exe');
      expect(await pane.evaluate((host) => host.shadowRoot?.textContent)).not.toContain('\u202e');
    }
    await board.close();
  });

  test('a hostile name in an error stays text', async () => {
    const board = await BoardPage.open();
    await board.paste(JSON.stringify({ ops: [{ name: 'y', kind: 'relu', inputs: [hostile[0]] }] }));
    expect(await board.diagnostics.first().innerText()).toContain('<img src=x');
    expect(await board.page.locator('fuse-diagnostics img').count()).toBe(0);
    await board.close();
  });

  test.each(['index.html', 'embed.html'])('the policy of %s', async (file) => {
    const board = await BoardPage.open(file);
    const policy = await board.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).not.toMatch(/'unsafe-eval'|unsafe-inline|https?:|\*/);
    expect(board.problems).toEqual([]);

    const results = await board.page.evaluate(async () => {
      const tries: [string, () => unknown][] = [
        ['script', () => {
          const script = document.createElement('script');
          script.append('globalThis.ran = true');
          document.head.append(script);
          return (globalThis as { ran?: boolean }).ran;
        }],
        ['style', () => {
          document.body.setAttribute('style', 'color: red');
          return document.body.style.color === 'red';
        }],
        ['eval', () => setTimeout('globalThis.ran = true', 0)],
        ['markup', () => ((document.createElement('p') as unknown as Record<string, string>)['inner' + 'HTML'] = '<b>')],
        ['worker', () => new Worker('data:text/javascript,1')],
      ];
      const ran: string[] = [];
      for (const [name, act] of tries) {
        try {
          if (act() === true) ran.push(name);
        } catch {
          // refused, as it should be
        }
      }
      const fetched = await fetch('https://example.com/').then(() => 'fetched', () => 'refused');
      await new Promise((done) => setTimeout(done, 50));
      if ((globalThis as { ran?: boolean }).ran) ran.push('ran');
      return { ran, fetched };
    });
    expect(results).toEqual({ ran: [], fetched: 'refused' });
    expect(board.problems.filter((problem) => problem.startsWith('CSP: ')).length).toBeGreaterThanOrEqual(3);
    board.problems.length = 0;
    await board.close();
  });
});
