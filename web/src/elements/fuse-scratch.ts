// <fuse-scratch>: any PTX, edited, launched over buffers of one's choice, and what came of it: values, counters, faults.
// It must not know how PTX is read or run.
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Job, Stop } from '../engine.js';
import { plural } from '../figures.js';
import { shortName } from '../op-link.js';
import { readCoreJson, type Diagnostic, type PlanKernel } from '../plan.js';
import type { ScratchEntries, ScratchEntry, ScratchReport } from '../scratch.js';
import { asked, launchAgain, launchFor, type LaunchForm } from '../scratch-launch.js';
import { ScratchEditor } from '../scratch-editor.js';
import { scratchSample } from '../scratch-sample.js';
import type { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import type { Store } from '../store.js';
import { controls } from '../theme.js';
import { faultStyles } from './fault-styles.js';
import { launchFields } from './fuse-scratch-form.js';
import { scratchResult, scratchSentence } from './fuse-scratch-result.js';
import { scratchStyles } from './fuse-scratch-styles.js';

const PAUSE_MS = 250;
/** A shorter run shows no progress. */
const SLOW_MS = 500;

/** How the last launch went. */
export interface Launched {
  report: ScratchReport | null;
  /** undefined while it goes on. */
  end: { why: 'finished' } | Stop | undefined;
  /** Whether the text has been edited since. */
  older: boolean;
}

export class FuseScratch extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) session!: Session;
  /** Whether it is in sight: else it waits with its work until it is. */
  @property({ attribute: false }) active = true;
  @state() private read: ScratchEntries | null = null;
  @state() private stopped = false;
  @state() private entry = '';
  @state() private launch: LaunchForm | undefined;
  @state() private launched: Launched | undefined;
  @state() private slow = false;
  /** The kernel of a plan that the text was taken from. */
  #from: PlanKernel | undefined;
  #editor: ScratchEditor | undefined;
  #job: Job | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The reading under way of the text as it is now. */
  #reading: Promise<void> | undefined;

  static override styles = [controls, faultStyles, scratchStyles];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => {
      if (now.scratch !== before.scratch) this.#take();
    });
  }

  override shouldUpdate(): boolean {
    return this.active;
  }

  override firstUpdated(): void {
    const parent = this.renderRoot.querySelector<HTMLElement>('.editor');
    if (!parent) return;
    this.#editor = new ScratchEditor(parent, this.renderRoot as ShadowRoot, scratchSample, {
      edited: () => this.#edited(),
      run: () => void this.#run(),
    });
    if (this.store.state.scratch) this.#take();
    else void this.#readNow();
  }

  override updated(changed: PropertyValues): void {
    if (!changed.has('entry') && !changed.has('read')) return;
    const select = this.renderRoot.querySelector<HTMLSelectElement>('.entry select');
    if (select) select.value = this.entry;
  }

  /** A kernel of a plan takes the place of the text; that can be undone. */
  #take(): void {
    const { scratch } = this.store.state;
    if (!scratch || !this.#editor) return;
    this.#from = scratch.kernel;
    this.launch = undefined;
    this.entry = scratch.kernel.entry;
    this.#stop();
    this.launched = undefined;
    this.#editor.markFault(null);
    if (this.#editor.text !== scratch.ptx) this.#editor.replace(scratch.ptx);
    void this.#readNow();
  }

  #edited(): void {
    clearTimeout(this.#pause);
    this.#reading = undefined;
    if (this.launched && !this.launched.older) this.launched = { ...this.launched, older: true };
    this.#pause = setTimeout(() => void this.#readNow(), PAUSE_MS);
  }

  /** What entries the text has, and what is wrong with it. */
  #readNow(): Promise<void> {
    clearTimeout(this.#pause);
    const editor = this.#editor;
    if (!editor) return Promise.resolve();
    const { text } = editor;
    const reading = this.session.entries(text).then((read) => {
      if (this.#reading !== reading) return;
      this.read = read;
      this.stopped = read === null;
      editor.underline(read?.diagnostics ?? []);
      const entries = read?.entries ?? [];
      if (entries.length === 0) return; // a text half typed: the form stays
      this.#choose(entries.find(({ name }) => name === this.entry) ?? (entries[0] as ScratchEntry));
    });
    this.#reading = reading;
    return reading;
  }

  #choose(entry: ScratchEntry): void {
    const again = this.launch !== undefined && entry.name === this.entry;
    this.entry = entry.name;
    this.launch = again && this.launch ? launchAgain(this.launch, entry) : launchFor(entry, this.#from);
  }

  get #errors(): number {
    return this.read?.diagnostics.filter(({ severity }) => severity === 'error').length ?? 0;
  }

  async #run(): Promise<void> {
    if (this.launched && this.launched.end === undefined) return;
    await (this.#reading ?? this.#readNow());
    const { launch } = this;
    const editor = this.#editor;
    if (!launch || !editor || this.#errors > 0 || !this.read?.entries.some(({ name }) => name === this.entry)) return;
    editor.markFault(null);
    this.launched = { report: null, end: undefined, older: false };
    this.slow = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.slow = true), SLOW_MS);
    const { grid, block, shared_bytes, seed, most_steps } = launch;
    const parameters = launch.parameters.map(asked);
    const request = { ptx: editor.text, entry: this.entry, grid, block, shared_bytes, seed, most_steps, parameters };
    const job = this.session.scratch(request, (report) => this.#tell(job, { report }));
    this.#job = job;
    const result = await job.done;
    if (this.#job !== job) return;
    if ('why' in result) {
      this.#tell(job, { end: result });
      return;
    }
    const report = result.json === '' ? null : readCoreJson<ScratchReport>(result.json);
    this.#tell(job, { report, end: { why: result.finished ? 'finished' : 'cancelled' } });
    if (report?.fault && !this.launched.older) editor.markFault(report.fault.line);
  }

  #tell(job: Job, change: Partial<Launched>): void {
    if (this.#job === job && this.launched) this.launched = { ...this.launched, ...change };
  }

  #stop(): void {
    this.#job?.cancel();
    this.#job = undefined;
  }

  override render() {
    const going = this.launched !== undefined && this.launched.end === undefined;
    const diagnostics = this.read?.diagnostics ?? [];
    const errors = this.#errors;
    return html`
      <div class="row">
        <label class="entry">
          <span class="visually-hidden">Entry</span>
          <select
            ?disabled=${(this.read?.entries.length ?? 0) === 0}
            @change=${(event: Event) => {
              const { value } = event.target as HTMLSelectElement;
              const entry = this.read?.entries.find(({ name }) => name === value);
              if (entry) this.#choose(entry);
            }}
          >
            ${this.read?.entries.map(({ name }) => html`<option value=${name}>${shortName(name)}</option>`) ?? nothing}
            ${(this.read?.entries.length ?? 0) === 0 ? html`<option value="">no entry</option>` : nothing}
          </select>
        </label>
        <button
          type="button"
          class="primary"
          title="Ctrl+Enter or ⌘Enter in the text"
          aria-disabled=${going || errors > 0 || !this.launch}
          @click=${() => void this.#run()}
        >
          Run
        </button>
      </div>
      <div class="editor"></div>
      <fuse-diagnostics
        ?hidden=${diagnostics.length === 0}
        .diagnostics=${diagnostics}
        @fuse-go=${({ detail }: CustomEvent<Diagnostic>) => this.#editor?.goTo(detail.offset, detail.length)}
      ></fuse-diagnostics>
      <div class="below">
        <div class="said" role="status">${errors > 0
            ? html`<p class="bad">✕ The text has ${plural(errors, 'error')}.</p>`
            : this.stopped
              ? html`<p class="bad">✕ The core stopped over this text. It is read again after the next change.</p>`
              : nothing}${scratchSentence(this.launched)}</div>
        ${scratchResult(this.launched, this.launch?.most_steps ?? 0, this.slow, {
          cancel: () => this.#job?.cancel(),
          goToLine: (line) => this.#editor?.goToLine(line),
        })}
        ${this.launch ? launchFields(this.launch, (launch) => (this.launch = launch)) : nothing}
      </div>
    `;
  }
}
