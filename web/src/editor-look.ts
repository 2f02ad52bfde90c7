// How code is shown, in the source and in the PTX: CodeMirror's theme and the colours of tokens.
// It must not know what is edited.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { json } from '@codemirror/lang-json';
import { tags } from '@lezer/highlight';

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-lineWrapping .cm-line': { paddingLeft: 'calc(6px + 6ch)', textIndent: '-6ch' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-quiet)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px', minWidth: '34px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 28%, transparent) !important',
  },
  '.cm-marked': { backgroundColor: 'var(--accent-soft)', boxShadow: 'inset 3px 0 0 var(--accent)' },
  '.cm-pointed, .cm-faulty': { backgroundColor: 'var(--error-soft)', boxShadow: 'inset 3px 0 0 var(--error)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    paddingBottom: '0',
    textDecoration: 'underline wavy var(--error) 1px',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': { backgroundColor: 'var(--error-soft)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--refused)' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--error)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface-raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    maxWidth: '48ch',
  },
  '.cm-panels': { backgroundColor: 'var(--surface-raised)', color: 'var(--text)', borderColor: 'var(--line) !important' },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px', font: '12px var(--sans)' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { fontSize: '12px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--surface)', borderColor: 'var(--line)' },
  '.cm-textfield': { backgroundColor: 'var(--surface)', borderColor: 'var(--line)' },
  '.cm-matchingBracket': { outline: '1px solid var(--line-strong)', backgroundColor: 'transparent !important' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.variableName], color: 'var(--text)' },
  { tag: tags.string, color: 'var(--fused)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--refused)' },
  { tag: [tags.keyword, tags.typeName], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--text-quiet)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.meta, tags.labelName], color: 'var(--text-quiet)' },
]);

export const codeLook: Extension = [look, syntaxHighlighting(colours)];

/** A language given as the tokens of a line, tried in order. */
function byTokens(name: string, comment: string, tokens: [RegExp, string | null][]): StreamLanguage<unknown> {
  const parser: StreamParser<unknown> = {
    name,
    languageData: { commentTokens: { line: comment } },
    token(stream) {
      if (stream.eatSpace()) return null;
      for (const [token, style] of tokens) if (stream.match(token)) return style;
      stream.next();
      return null;
    },
  };
  return StreamLanguage.define(parser);
}

const hlo = byTokens('hlo', '//', [
  [/^\/\/.*/, 'comment'],
  [/^\/\*.*?\*\//, 'comment'],
  [/^"(?:[^"\\]|\\.)*"?/, 'string'],
  [/^(?:HloModule|ENTRY|ROOT)\b/, 'keyword'],
  [/^(?:pred|token|tuple|opaque|bf16|c64|c128|[fsu]\d+\w*)(?=\[)/, 'typeName'],
  [/^%?[A-Za-z_][\w.-]*/, 'variableName'],
  [/^-?(?:\d[\d.]*(?:[eE][+-]?\d+)?|inf|nan)\b/, 'number'],
]);

const ptx = byTokens('ptx', '//', [
  [/^\/\/.*/, 'comment'],
  [/^"(?:[^"\\]|\\.)*"?/, 'string'],
  [/^\.[A-Za-z]\w*/, 'typeName'],
  [/^@!?%\w+/, 'labelName'],
  [/^[%$][\w.$]*/, 'variableName'],
  [/^0[fFdDxX][\dA-Fa-f]+|^-?\d[\d.]*/, 'number'],
  [/^[a-z][\w]*(?:\.[\w:]+)*(?=[\s;])/, 'keyword'],
  [/^[A-Za-z_][\w$]*/, 'variableName'],
]);

/** The colours for PTX. */
export const ptxLanguage: Extension = ptx;

const jsonLanguage: Extension = json();
const noLanguage: Extension = [];

/** The colours for a graph in this text, told by its beginning; none for a dump, nor for what is too long to colour. */
export function languageOf(start: string, length: number): Extension {
  if (length > 5_000_000) return noLanguage;
  if (/^\s*(strict\s+)?digraph\b/.test(start)) return noLanguage;
  return start.trimStart().startsWith('{') ? jsonLanguage : hlo;
}
