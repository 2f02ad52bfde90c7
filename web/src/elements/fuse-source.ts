// <fuse-source>: the text, edited in CodeMirror; faults underlined and listed; the selected ops' lines marked.
// It must not know how a text is planned: it tells the session of edits and the store of the caret's op.
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { setDiagnostics, type Diagnostic as Underline } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, highlightActiveLineGutter, highlightSpecialChars } from '@codemirror/view';
import { keymap, lineNumbers } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';
import { css, html, LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { codeLook, languageOf } from '../editor-look.js';
import type { Diagnostic } from '../plan.js';
import type { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import type { State, Store } from '../store.js';
import { TextVersions, wholeText } from '../text-versions.js';
import { controls } from '../theme.js';

const MOST_MARKED = 500;
const MOST_UNDERLINED = 500;
/** Longer texts may hold lines that are too long to wrap. */
const MOST_WRAPPED = 1_000_000;
const unwrapped: Extension = [];
const wrappingOf = (length: number) => (length < MOST_WRAPPED ? EditorView.lineWrapping : unwrapped);
/** A change that the store asked for: the session knows its text already. */
const fromStore = Annotation.define<true>();
const markedLine = Decoration.line({ class: 'cm-marked' });
const setMarked = StateEffect.define<DecorationSet>();
const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, tr) =>
    tr.effects.reduce((now, effect) => (effect.is(setMarked) ? effect.value : now), lines.map(tr.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

export class FuseSource extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) session!: Session;
  @property({ type: Boolean, attribute: 'read-only' }) readOnly = false;

  #view: EditorView | undefined;
  #versions = new TextVersions();
  #language = new Compartment();
  #wrapping = new Compartment();
  #editing = new Compartment();

  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        min-width: 0;
      }
      .editor {
        flex: 1;
        min-height: 0;
        overflow: hidden;
      }
      fuse-diagnostics {
        flex: none;
        max-height: 38%;
      }
    `,
  ];

  constructor() {
    super();
    new StoreController(this, () => this.store, (state, before) => this.#follow(state, before));
  }

  override render() {
    return html`
      <div class="editor"></div>
      <fuse-diagnostics
        ?hidden=${this.store.state.diagnostics.length === 0}
        .diagnostics=${this.store.state.diagnostics}
        @fuse-go=${(event: CustomEvent<Diagnostic>) => this.#go(event.detail)}
      ></fuse-diagnostics>
    `;
  }

  override firstUpdated(): void {
    const { state } = this.store;
    this.#view = new EditorView({
      parent: this.renderRoot.querySelector('.editor') ?? this.renderRoot,
      root: this.renderRoot as ShadowRoot,
      state: this.#fresh(state.text),
    });
    this.#versions.add(state.text);
    this.#underline(state);
    this.#mark(state);
  }

  override updated(changed: PropertyValues): void {
    if (!changed.has('readOnly')) return;
    this.#view?.dispatch({ effects: this.#editing.reconfigure(EditorState.readOnly.of(this.readOnly)) });
  }

  #fresh(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        search({ top: true }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
        this.#language.of(languageOf(text.slice(0, 200), text.length)),
        markedLines,
        codeLook,
        this.#wrapping.of(wrappingOf(text.length)),
        EditorState.lineSeparator.of('\n'),
        highlightSpecialChars(),
        this.#editing.of(EditorState.readOnly.of(this.readOnly)),
        EditorView.contentAttributes.of({ 'aria-label': 'Graph as text', tabindex: '0' }),
        EditorView.updateListener.of((update) => this.#updated(update)),
      ],
    });
  }

  #updated(update: ViewUpdate): void {
    if (update.transactions.some((tr) => tr.annotation(fromStore))) return;
    if (update.docChanged) {
      this.#versions.change(update.changes.desc);
      const { doc } = update.state;
      this.session.edit(() => {
        const text = wholeText(doc);
        this.#versions.add(text);
        return text;
      });
      this.dispatchEvent(new CustomEvent('fuse-edit'));
      queueMicrotask(() => {
        const effects = this.#view ? this.#looks(this.#view.state, this.#view.state.doc.sliceString(0, 200)) : [];
        if (effects.length > 0) this.#view?.dispatch({ effects });
      });
    } else if (update.transactions.some((tr) => tr.isUserEvent('select')) && update.state.selection.main.empty) {
      this.#selectAt(update.state, update.state.selection.main.head);
    }
  }

  /** What changes the colours and the wrapping to those of a text, where it has others. */
  #looks(state: EditorState, start: string, length = state.doc.length): StateEffect<unknown>[] {
    const wanted: [Compartment, Extension][] = [
      [this.#language, languageOf(start, length)],
      [this.#wrapping, wrappingOf(length)],
    ];
    return wanted.filter(([part, look]) => part.get(state) !== look).map(([part, look]) => part.reconfigure(look));
  }

  /** Puts a text in the place of the whole, as one step that can be undone. */
  #replace(view: EditorView, text: string): void {
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      effects: [...this.#looks(view.state, text.slice(0, 200), text.length), EditorView.scrollIntoView(0)],
      annotations: [fromStore.of(true), isolateHistory.of('full')],
    });
    view.dispatch(setDiagnostics(view.state, []));
  }

  /** The op at the caret, or where its line begins: behind an op's last comma it is still meant. */
  #selectAt({ doc }: EditorState, unit: number): void {
    const { index } = this.store.state;
    if (!index) return;
    const opAt = (place: number) => {
      const byte = this.#versions.byteOf(index.text, index.textBytes, place);
      return byte === undefined ? undefined : index.opAtOffset(byte);
    };
    const { from, text } = doc.lineAt(unit);
    const op = opAt(unit) ?? opAt(from + text.length - text.trimStart().length);
    if (op !== undefined) this.store.select({ kind: 'op', op }, 'source');
  }

  #follow(state: State, before: State): void {
    if (!this.#view) return;
    if (state.document !== before.document) {
      this.#versions = new TextVersions();
      this.#versions.add(state.text);
      if (before.document === 0 && this.#view.state.doc.length === 0) this.#view.setState(this.#fresh(state.text));
      else this.#replace(this.#view, state.text);
    }
    if (state.diagnostics !== before.diagnostics) this.#underline(state);
    if (state.marked !== before.marked || state.index !== before.index) this.#mark(state);
  }

  #underline({ diagnostics, answeredText, textBytes }: State): void {
    const view = this.#view;
    if (!view) return;
    const underlines: Underline[] = [];
    for (const { severity, code, message, hint, offset, length } of diagnostics.slice(0, MOST_UNDERLINED)) {
      const units = this.#versions.unitsOf(answeredText, textBytes, offset, length);
      if (!units) continue;
      const [from, to] = units;
      underlines.push({
        from,
        to,
        severity: severity === 'note' ? 'info' : severity,
        source: code,
        message: hint ? `${message}\n${hint}` : message,
      });
    }
    view.dispatch(setDiagnostics(view.state, underlines));
  }

  /** Marks the lines of the marked ops; brings the first into view unless the caret is what chose it. */
  #mark({ index, marked, selectedBy }: State): void {
    const view = this.#view;
    if (!view) return;
    const { doc } = view.state;
    const starts = new Set<number>();
    let first: number | undefined;
    for (const id of [...marked.ops].slice(0, MOST_MARKED)) {
      const op = index?.op(id);
      if (!index || !op || op.length === 0) continue;
      const units = this.#versions.unitsOf(index.text, index.textBytes, op.offset, op.length);
      if (!units) continue;
      first ??= units[0];
      const lastLine = doc.lineAt(Math.min(units[1], doc.length)).number;
      for (let line = doc.lineAt(units[0]).number; line <= lastLine && starts.size < 2 * MOST_MARKED; line += 1)
        starts.add(doc.line(line).from);
    }
    const lines = Decoration.set([...starts].sort((a, b) => a - b).map((at) => markedLine.range(at)));
    const effects: StateEffect<unknown>[] = [setMarked.of(lines)];
    if (first !== undefined && selectedBy !== 'source' && selectedBy !== '')
      effects.push(EditorView.scrollIntoView(first, { y: 'center' }));
    view.dispatch({ effects });
  }

  #go({ offset, length }: Diagnostic): void {
    const { answeredText, textBytes } = this.store.state;
    const units = this.#versions.unitsOf(answeredText, textBytes, offset, length);
    if (!units || !this.#view) return;
    this.#view.dispatch({
      selection: { anchor: units[0], head: units[1] },
      effects: EditorView.scrollIntoView(units[0], { y: 'center' }),
    });
    this.#view.focus();
  }
}
