// The editor of the scratch: PTX, with the reader's faults underlined and the line of a run's fault marked.
// It must not know how PTX is read or run.
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { setDiagnostics, type Diagnostic as Underline } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, highlightActiveLineGutter } from '@codemirror/view';
import { highlightSpecialChars, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { codeLook, ptxLanguage } from './editor-look.js';
import type { Diagnostic } from './plan.js';
import { wholeText } from './text-versions.js';
import { Utf8Places } from './utf8-places.js';

const MOST_UNDERLINED = 500;
const faultyLine = Decoration.line({ class: 'cm-faulty' });
const setFaulty = StateEffect.define<number | null>();
const faultyLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, tr) =>
    tr.effects.reduce(
      (now, effect) =>
        effect.is(setFaulty)
          ? effect.value === null
            ? Decoration.none
            : Decoration.set([faultyLine.range(effect.value)])
          : now,
      lines.map(tr.changes),
    ),
  provide: (field) => EditorView.decorations.from(field),
});

export class ScratchEditor {
  readonly #view: EditorView;
  #text: string | undefined;

  constructor(parent: HTMLElement, root: ShadowRoot, text: string, acts: { edited(): void; run(): void }) {
    this.#view = new EditorView({
      parent,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          bracketMatching(),
          search({ top: true }),
          keymap.of([{ key: 'Mod-Enter', run: () => (acts.run(), true) }]),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
          ptxLanguage,
          faultyLines,
          codeLook,
          EditorState.tabSize.of(4),
          EditorState.lineSeparator.of('\n'),
          EditorView.contentAttributes.of({ 'aria-label': 'PTX to run', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            this.#text = undefined;
            acts.edited();
          }),
        ],
      }),
    });
  }

  get text(): string {
    return (this.#text ??= wholeText(this.#view.state.doc));
  }

  /** Puts a text in the place of the whole, as one step that can be undone. */
  replace(text: string): void {
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      effects: EditorView.scrollIntoView(0),
      annotations: isolateHistory.of('full'),
    });
  }

  /** `diagnostics` are about the text as it is now. */
  underline(diagnostics: Diagnostic[]): void {
    const places = new Utf8Places(this.text);
    const { length } = this.#view.state.doc;
    const underlines = diagnostics
      .filter(({ line }) => line > 0)
      .slice(0, MOST_UNDERLINED)
      .map((one): Underline => {
        const from = Math.min(length, places.unitAt(one.offset));
        const to = Math.min(length, places.unitAt(one.offset + one.length));
        return {
          from,
          to,
          severity: one.severity === 'note' ? 'info' : one.severity,
          source: one.code,
          message: one.hint ? `${one.message}\n${one.hint}` : one.message,
        };
      });
    this.#view.dispatch(setDiagnostics(this.#view.state, underlines));
  }

  /** Marks the line at which a run faulted, and brings it into sight; null: none did. */
  markFault(line: number | null): void {
    const { doc } = this.#view.state;
    const from = line === null || line < 1 || line > doc.lines ? null : doc.line(line).from;
    const effects: StateEffect<unknown>[] = [setFaulty.of(from)];
    if (from !== null) effects.push(EditorView.scrollIntoView(from, { y: 'center' }));
    this.#view.dispatch({ effects });
  }

  goToLine(line: number): void {
    const { doc } = this.#view.state;
    const at = doc.line(Math.min(doc.lines, Math.max(1, line))).from;
    this.#view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.#view.focus();
  }

  /** Selects `length` bytes at `offset` of the text. */
  goTo(offset: number, length: number): void {
    const places = new Utf8Places(this.text);
    const most = this.#view.state.doc.length;
    const anchor = Math.min(most, places.unitAt(offset));
    const head = Math.min(most, places.unitAt(offset + length));
    this.#view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.#view.focus();
  }
}
