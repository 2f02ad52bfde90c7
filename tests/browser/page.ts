// A built page in a real Chromium for one test file: served, opened, watched for errors, closed.
// It must not know what is tested on it.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = process.env['FUSEBOARD_DIST'] ?? join(root, 'web/dist');
export const screenshots = join(root, 'build/screenshots');

const browsers = [process.env['FUSEBOARD_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

let browser: Browser;
let server: Server;

/** To be called once at the top of a test file. */
export function useBrowser(): void {
  vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });
  beforeAll(async () => {
    server = await serve();
    const executablePath = browsers.find((path) => path !== undefined && existsSync(path));
    if (executablePath === undefined) throw new Error('no Chromium: set FUSEBOARD_CHROMIUM to one');
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });
}

async function serve(): Promise<Server> {
  if (!existsSync(join(dist, 'index.html'))) throw new Error(`no page in ${dist}: build it first`);
  const one = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = join(dist, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
  return one;
}

/** A page, and what went wrong on it: console errors, exceptions, CSP violations, requests to elsewhere. */
export class BoardPage {
  readonly problems: string[] = [];
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** `before` is done with the empty page, before the board's own scripts run. */
  static async open(
    file = 'index.html',
    options: BrowserContextOptions = {},
    before?: (page: Page) => Promise<void>,
  ): Promise<BoardPage> {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const board = new BoardPage(page);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') board.problems.push(message.text());
    });
    page.on('pageerror', (error) => board.problems.push(String(error)));
    page.on('dialog', (dialog) => {
      board.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        board.problems.push(`request to ${request.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`);
      });
    });
    await before?.(page);
    await page.goto(`${origin}/${file}`);
    await board.planned();
    return board;
  }

  async close(): Promise<void> {
    expect(this.problems).toEqual([]);
    await this.page.context().close();
  }

  get status(): Locator {
    return this.page.locator('fuse-status').first();
  }
  get costs(): Locator {
    return this.page.locator('fuse-costs');
  }
  get why(): Locator {
    return this.page.locator('fuse-why');
  }
  get ptx(): Locator {
    return this.page.locator('fuse-ptx');
  }
  get run(): Locator {
    return this.page.locator('fuse-run');
  }
  get scratch(): Locator {
    return this.page.locator('fuse-scratch');
  }
  get graph(): Locator {
    return this.page.locator('fuse-graph').first();
  }
  get source(): Locator {
    return this.page.locator('fuse-source').first();
  }
  get diagnostics(): Locator {
    return this.page.locator('fuse-diagnostics li');
  }

  /** Until what is shown answers the text: a plan, or errors. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() =>
      [...document.querySelectorAll('fuse-board')].every((board) =>
        ['planned', 'broken', 'stopped'].includes(
          (board as unknown as { store: { state: { status: { is: string } } } }).store.state.status.is,
        ),
      ),
    );
  }

  async planned(): Promise<void> {
    await expect.poll(() => shown(this.status), { timeout: 20_000 }).toMatch(/ in [\d.]+ ms/);
  }

  async pick(file: string): Promise<void> {
    await this.page.getByLabel('example').selectOption(file);
    await expect.poll(() => this.text()).toBe(exampleText(file));
    await expect.poll(() => this.plannedText(), { timeout: 20_000 }).toBe(exampleText(file));
    await this.planned();
  }

  async tab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name, exact: true }).click();
  }

  /** Replaces the whole text as a user does: select all, paste. */
  async paste(text: string): Promise<void> {
    await this.source.locator('.cm-content').click();
    await this.page.keyboard.press('Control+A');
    await this.source.locator('.cm-content').evaluate((content, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await this.page.waitForTimeout(150);
    await this.settled();
  }

  /** The text whose plan is shown: an older one while a new one is being planned. */
  plannedText(): Promise<string> {
    return this.page.evaluate(
      () =>
        (document.querySelector('fuse-board') as unknown as { store: { state: { index: { text: string } } } }).store.state
          .index.text,
    );
  }

  /** The text that the page plans. */
  text(): Promise<string> {
    return this.page.evaluate(
      () => (document.querySelector('fuse-board') as unknown as { store: { state: { text: string } } }).store.state.text,
    );
  }

  /** The op boxes drawn, by name. */
  op(name: string): Locator {
    return this.graph.locator('g.op').filter({ has: this.page.locator('.name').getByText(name, { exact: true }) });
  }

  /** What the selection marks, as the page keeps it. */
  marked(): Promise<{ ops: string[]; groups: number[]; edges: number[]; kernels: number[] }> {
    return this.page.evaluate(() => {
      interface Seen {
        store: {
          state: {
            index: { op(id: number): { name: string } };
            marked: Record<'ops' | 'groups' | 'edges' | 'kernels', Set<number>>;
          };
        };
      }
      const { index, marked } = (document.querySelector('fuse-board') as unknown as Seen).store.state;
      return {
        ops: [...marked.ops].map((op) => index.op(op).name),
        groups: [...marked.groups],
        edges: [...marked.edges],
        kernels: [...marked.kernels],
      };
    });
  }
}

/** What an element shows: the text within its shadow root. */
export function shown(host: Locator): Promise<string> {
  return host.evaluate((element) =>
    [...(element.shadowRoot?.children ?? [])].map((child) => (child as HTMLElement).innerText).join('\n'),
  );
}

export interface Example {
  file: string;
  title: string;
}
export const allExamples = JSON.parse(readFileSync(join(root, 'web/examples/index.json'), 'utf8')) as Example[];
/** Those of ops; the others are kernel graphs. */
export const examples = allExamples.filter(({ file }) => !file.startsWith('launches/'));

export function exampleText(file: string): string {
  return readFileSync(join(root, 'web/examples', file), 'utf8');
}

/** A graph of n ops, each reading two of the eight before it; every seventh is a barrier. */
export function graphOf(n: number): string {
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48271) % 0x7fffffff) % below;
  const ops = ['{"name": "op0", "kind": "input", "output_shape": [256, 256], "dtype": "f32"}'];
  for (let i = 1; i < n; i += 1) {
    const a = i - 1 - random(Math.min(8, i));
    const b = i - 1 - random(Math.min(8, i));
    const kind = i % 7 === 0 ? 'matmul' : random(2) === 0 ? 'add' : 'mul';
    ops.push(`{"name": "op${i}", "kind": "${kind}", "inputs": [${a}, ${b}]}`);
  }
  return `{"ops": [\n${ops.join(',\n')}\n]}\n`;
}
