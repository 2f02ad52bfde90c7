// <fuse-board>: the whole playground as one element: header, panes, and where they stand at each width.
// It must not know what a pane shows, nor the page around it.
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { exampleNamed, examples, exampleText, type Example } from '../examples.js';
import type { Entry } from '../kernel-plan.js';
import type { Policy } from '../plan.js';
import { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import { Store } from '../store.js';
import { controls, theme } from '../theme.js';
import { boardStyles } from './fuse-board-styles.js';

const paneNames = {
  source: 'Source',
  graph: 'Graph',
  costs: 'Costs',
  ptx: 'PTX',
  run: 'Run',
  scratch: 'Scratch',
  why: 'Why',
};
type Pane = keyof typeof paneNames;
const allPanes = Object.keys(paneNames) as Pane[];
type Form = 'wide' | 'medium' | 'narrow';
/** Panes whose code is fetched when they are first opened. */
const lazy: Partial<Record<Pane, () => Promise<void>>> = {
  run: () => import('../define-run.js').then(({ defineRun }) => defineRun()),
  scratch: () => import('../define-scratch.js').then(({ defineScratch }) => defineScratch()),
};
export type Theme = 'system' | 'light' | 'dark';

export class FuseBoard extends LitElement {
  /** The example to begin with, where the element holds no text of its own in a <pre>. */
  @property() example = '';
  /** Panes shown, all unless given: "source graph costs ptx run scratch why". */
  @property() panes = '';
  /** Part of a larger page: a small header, and the wheel zooms only after a click. */
  @property({ type: Boolean }) embedded = false;
  @property({ reflect: true }) theme: Theme = 'system';
  /** A CSS length. */
  @property() height = '';
  @property() target = '';
  @property({ type: Boolean, attribute: 'read-only' }) readOnly = false;

  @state() private form: Form = 'wide';
  @state() private tab: Pane = 'graph';
  @state() private sideTab: Pane = 'costs';
  @state() private shownExample: Example | undefined;
  /** How far the code of a lazy pane is. */
  @state() private loaded: Partial<Record<Pane, 'asked' | 'ready' | 'failed'>> = {};
  /** The example whose text could not be had. */
  @state() private failed: Example | undefined;

  readonly store = new Store();
  #session: Session | undefined;
  /** The example whose text is under way; a later choice or text replaces it. */
  #wanted: Example | undefined;
  #resize: ResizeObserver | undefined;

  static override styles = [theme, controls, boardStyles];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => {
      if (now.text === before.text) return;
      this.failed = undefined;
      if (now.document === before.document) this.shownExample = undefined;
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#session = new Session(this.store);
    this.#resize = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (width > 0) this.form = width >= 1080 ? 'wide' : width >= 640 ? 'medium' : 'narrow';
    });
    this.#resize.observe(this);
    if (this.target) this.store.set({ options: { ...this.store.state.options, target: this.target } });
    if (this.store.state.document > 0) this.#session.runAgain();
    else void this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#session?.dispose();
    this.#session = undefined;
    this.#resize?.disconnect();
  }

  /** Puts in a text, as a paste over everything would. */
  show(text: string): void {
    this.#wanted = undefined;
    this.shownExample = undefined;
    this.#session?.show(text);
  }

  async #begin(): Promise<void> {
    const own = this.querySelector(':scope > pre')?.textContent ?? '';
    const [first] = examples;
    const example = exampleNamed(this.example) ?? first;
    if (own.trim() !== '') this.show(own.replace(/^\n/, ''));
    else if (example) await this.#showExample(example);
  }

  async #showExample(example: Example): Promise<void> {
    this.#wanted = example;
    this.failed = undefined;
    const text = await exampleText(example).catch(() => undefined);
    if (this.#wanted !== example) return;
    this.#wanted = undefined;
    if (text === undefined) {
      this.failed = example;
      return;
    }
    this.#session?.show(text);
    this.shownExample = example;
  }

  /** Typing wins over an example that is still under way. */
  #edited(): void {
    if (!this.#wanted) return;
    this.#wanted = undefined;
    this.requestUpdate();
  }

  override updated(): void {
    const select = this.renderRoot.querySelector<HTMLSelectElement>('select.example');
    if (select) select.value = (this.#wanted ?? this.shownExample)?.file ?? '';
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('height')) this.style.setProperty('--board-height', this.height || null);
    const shown = this.#shown();
    if (!shown.includes(this.tab)) this.tab = shown[0] ?? 'graph';
    const side = this.#side();
    if (!side.includes(this.sideTab)) this.sideTab = side[0] ?? 'costs';
    for (const pane of shown) if (lazy[pane] && !this.loaded[pane] && this.#active(pane)) this.#load(pane);
  }

  /** Whether a pane is in sight. */
  #active(pane: Pane): boolean {
    const side = this.#side();
    return side.length === 1 || !side.includes(pane) || pane === (this.form === 'narrow' ? this.tab : this.sideTab);
  }

  #load(pane: Pane): void {
    this.loaded = { ...this.loaded, [pane]: 'asked' };
    const told = (how: 'ready' | 'failed') => (this.loaded = { ...this.loaded, [pane]: how });
    lazy[pane]?.().then(
      () => told('ready'),
      () => told('failed'),
    );
  }

  /** A lazy pane, or what stands in its place until its code is there. */
  #whenLoaded(pane: Pane, content: unknown) {
    if (this.loaded[pane] === 'ready') return content;
    if (this.loaded[pane] !== 'failed') return nothing;
    return html`<div class="empty" role="alert">
      <p>This pane could not be loaded.</p>
      <button type="button" @click=${() => this.#load(pane)}>Try again</button>
    </div>`;
  }

  #shown(): Pane[] {
    const named = this.panes.split(/[\s,]+/).filter((name): name is Pane => name in paneNames);
    return named.length === 0 ? allPanes : allPanes.filter((pane) => named.includes(pane));
  }

  /** The panes that share a place by tabs. */
  #side(): Pane[] {
    const shown = this.#shown();
    return this.form === 'narrow' ? shown : shown.filter((pane) => pane !== 'source' && pane !== 'graph');
  }

  override render() {
    const session = this.#session;
    if (!session) return nothing;
    const { form } = this;
    const shown = this.#shown();
    const side = this.#side();
    const open = form === 'narrow' ? this.tab : this.sideTab;
    const main = shown.filter((pane) => !side.includes(pane));
    const { store } = this;
    const active = (pane: Pane) => this.#active(pane);
    const contents: Record<Pane, unknown> = {
      source: html`<fuse-source .store=${store} .session=${session} ?read-only=${this.readOnly}
        @fuse-edit=${() => this.#edited()}></fuse-source>`,
      graph: html`<fuse-graph .store=${store} .session=${session} ?embedded=${this.embedded}></fuse-graph>`,
      costs: html`<fuse-costs .store=${store} .session=${session} .active=${active('costs')}></fuse-costs>`,
      ptx: html`<fuse-ptx .store=${store} .session=${session} .active=${active('ptx')}
        .scratch=${shown.includes('scratch')}></fuse-ptx>`,
      run: this.#whenLoaded(
        'run',
        html`<fuse-run .store=${store} .session=${session} .active=${active('run')}></fuse-run>`,
      ),
      scratch: this.#whenLoaded(
        'scratch',
        html`<fuse-scratch .store=${store} .session=${session} .active=${active('scratch')}></fuse-scratch>`,
      ),
      why: html`<fuse-why .store=${store} .session=${session} .active=${active('why')}></fuse-why>`,
    };
    const section = (pane: Pane) => {
      const tabbed = side.includes(pane) && side.length > 1;
      return html`<section
        id="pane-${pane}"
        class="pane ${side.includes(pane) ? 'side' : pane}"
        role=${tabbed ? 'tabpanel' : 'group'}
        aria-label=${paneNames[pane]}
        ?hidden=${tabbed && pane !== open}
      >
        ${contents[pane]}
        ${this.#divider(pane, main, side)}
      </section>`;
    };
    const tabs = side.length > 1 ? this.#tabs(side, open) : nothing;
    const large = (pane: Pane) => pane === 'source' || pane === 'graph';
    // The keyboard meets the panes as the eye does: the tabs stand before the first pane that they switch.
    return html`
      ${this.#header()}
      <div
        class="panes ${form} main-${main.join('-') || 'none'} ${side.length > 0 ? 'sided' : ''}"
        @fuse-open=${({ detail }: CustomEvent<string>) => {
          const pane = shown.find((one) => one === detail);
          if (pane && side.includes(pane)) this.#open(pane, true);
        }}
      >
        ${main.length === 0 ? tabs : nothing} ${shown.filter(large).map(section)} ${main.length === 0 ? nothing : tabs}
        ${shown.filter((pane) => !large(pane)).map(section)}
      </div>
    `;
  }

  #header() {
    const { options, index } = this.store.state;
    const launches = index?.of === 'launches';
    const value = (event: Event) => (event.target as HTMLSelectElement).value;
    return html`
      <div class="header ${this.form}">
        <h1>Fuseboard</h1>
        ${this.embedded
          ? nothing
          : html`<p class="what">
              Paste graph JSON, HLO or a CUDA graph dump: see what runs as one kernel<span class="rest"
                >, its bytes and PTX, and run it</span
              >.
            </p>`}
        <div class="options">
          ${this.embedded
            ? nothing
            : html`<label
                >example
                <select
                  class="example"
                  @change=${(event: Event) => {
                    const example = exampleNamed(value(event));
                    if (example) void this.#showExample(example);
                  }}
                >
                  ${this.shownExample ? nothing : html`<option value="" selected>your text</option>`}
                  ${examples.map(
                    (one) =>
                      html`<option value=${one.file} ?selected=${one === this.shownExample}>${one.title}</option>`,
                  )}
                </select></label
              >`}
          <div class="switch" role="group" aria-label="Plan">
            ${[true, false].map(
              (fused) => html`<button
                type="button"
                aria-pressed=${options.fused === fused}
                @click=${() => this.#session?.setOptions({ fused })}
              >
                ${fused ? 'fused' : 'unfused'}
              </button>`,
            )}
          </div>
          <label ?hidden=${!launches} title="Whether values that do not depend on a region's first launch may enter it"
            ><span class="rest">entry</span>
            <select
              class="entry"
              aria-label="entry"
              @change=${(event: Event) => this.#session?.setOptions({ entry: value(event) as Entry })}
            >
              ${(['operands', 'dominated'] as const).map(
                (one) => html`<option value=${one} ?selected=${one === options.entry}>${one}</option>`,
              )}
            </select></label
          >
          <label ?hidden=${launches} title="How groups are found"
            ><span class="visually-hidden">Policy</span
            ><select
              class="policy"
              @change=${(event: Event) => this.#session?.setOptions({ policy: value(event) as Policy })}
            >
              ${(['rows', 'regions', 'elementwise'] as const).map(
                (one) => html`<option value=${one} .selected=${one === options.policy}>${one}</option>`,
              )}
            </select></label
          >
          <label ?hidden=${launches} title="Whether an op may fuse with one whose shape stretches to its own"
            ><input
              type="checkbox"
              .checked=${options.broadcast}
              @change=${(event: Event) =>
                this.#session?.setOptions({ broadcast: (event.target as HTMLInputElement).checked })}
            />broadcast</label
          >
          ${this.embedded
            ? nothing
            : html`<label
                ><span class="visually-hidden">Theme</span
                ><select title="Theme" @change=${(event: Event) => this.#setTheme(value(event) as Theme)}>
                  ${(['system', 'light', 'dark'] as const).map(
                    (one) => html`<option value=${one} ?selected=${one === this.theme}>${one}</option>`,
                  )}
                </select></label
              >`}
        </div>
        <div class="strip">
          ${this.failed
            ? html`<p class="failed" role="alert">The example “${this.failed.title}” could not be loaded.</p>`
            : this.shownExample
              ? html`<p>${this.shownExample.teaches}</p>`
              : nothing}
          <fuse-status .store=${this.store} .session=${this.#session}></fuse-status>
        </div>
      </div>
    `;
  }

  /** Between the source and what stands right of it, and between the graph and the tabs. */
  #divider(pane: Pane, main: Pane[], side: Pane[]) {
    const last = main.at(-1) === pane;
    const stands = this.form !== 'narrow' && main.includes(pane) && (!last || (side.length > 0 && this.form === 'wide'));
    if (!stands) return nothing;
    const name = pane === 'source' ? '--source-width' : '--side-width';
    return html`<fuse-divider
      label=${pane === 'source' ? 'Width of the source' : 'Width of the tabs'}
      @fuse-divide=${({ detail }: CustomEvent<{ before: number; after: number }>) => {
        const panes = this.renderRoot.querySelector<HTMLElement>('.panes');
        panes?.style.setProperty(name, `minmax(160px, ${Math.max(160, pane === 'source' ? detail.before : detail.after)}px)`);
      }}
    ></fuse-divider>`;
  }

  #tabs(side: Pane[], open: Pane) {
    return html`
      <div class="tabs" role="tablist" aria-label="Panes" @keydown=${(event: KeyboardEvent) => this.#tabKey(event, side, open)}>
        ${side.map(
          (pane) => html`<button
            type="button"
            role="tab"
            id="tab-${pane}"
            aria-controls="pane-${pane}"
            aria-selected=${pane === open}
            tabindex=${pane === open ? 0 : -1}
            @click=${() => this.#open(pane)}
          >
            ${paneNames[pane]}
          </button>`,
        )}
      </div>
    `;
  }

  #open(pane: Pane, focused = false): void {
    if (this.form === 'narrow') this.tab = pane;
    else this.sideTab = pane;
    if (focused) this.#focusTab(pane);
  }

  #focusTab(pane: Pane): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${pane}`)?.focus());
  }

  #tabKey(event: KeyboardEvent, side: Pane[], open: Pane): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const pane = side[(side.indexOf(open) + step + side.length) % side.length];
    if (!pane) return;
    this.#open(pane, true);
  }

  #setTheme(theme: Theme): void {
    this.theme = theme;
    this.dispatchEvent(new CustomEvent('fuse-theme', { detail: theme, bubbles: true, composed: true }));
  }
}
