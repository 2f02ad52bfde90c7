// How <fuse-why> looks.
// It must not know what is said.
import { css } from 'lit';

export const whyStyles = css`
  .answer h2 {
    margin-bottom: 4px;
    font-size: 14px;
    overflow-wrap: anywhere;
  }
  .answer h3 {
    margin-top: 8px;
  }
  .answer p + p {
    margin-top: 4px;
  }
  .name {
    font-family: var(--mono);
    font-size: 0.95em;
  }
  code {
    font: 12px/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .verdict.fused {
    color: var(--fused);
  }
  .verdict.refused {
    color: var(--refused);
  }
  .reasons {
    margin: 6px 0 0;
    padding: 0;
    list-style: none;
  }
  .reasons li {
    padding: 3px 0 3px 10px;
    border-left: 2px solid var(--line);
  }
  .reasons li + li {
    margin-top: 4px;
  }
  .reasons li.fused {
    border-color: var(--fused);
  }
  .reasons li.refused {
    border-color: var(--refused);
    border-left-style: dashed;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
    margin-top: 12px;
  }
  form input {
    flex: 1 1 80px;
    width: 80px;
    min-width: 60px;
    max-width: 180px;
    font: 12px var(--mono);
  }
  .unknown {
    margin-top: 6px;
    color: var(--error);
    overflow-wrap: anywhere;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    margin-bottom: 8px;
  }
  ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li.marked {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
  }
  .decision,
  .decision[aria-pressed='true'] {
    display: grid;
    grid-template-columns: 16px 1fr auto;
    gap: 0 6px;
    width: 100%;
    height: auto;
    padding: 4px 6px;
    border: 0;
    border-bottom: 1px solid var(--line);
    border-radius: 0;
    background: none;
    color: inherit;
    text-align: start;
  }
  .decision:hover {
    background: var(--surface-raised);
  }
  .decision:focus-visible {
    outline-offset: -2px;
  }
  .glyph {
    font-weight: 700;
    text-align: center;
  }
  .fused .glyph {
    color: var(--fused);
  }
  .refused .glyph {
    color: var(--refused);
  }
  .pair {
    overflow-wrap: anywhere;
  }
  .reason {
    grid-column: 2;
    grid-row: 2;
    font-size: 12px;
    color: var(--text-quiet);
  }
  .decision .number {
    grid-column: 3;
    grid-row: 1;
    font-size: 12px;
  }
  .sentence {
    padding: 6px 8px 8px 28px;
    border-bottom: 1px solid var(--line);
  }
  .guesses {
    margin: 6px 0 0;
    padding: 0;
    list-style: none;
  }
  .guesses li {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 2px 10px;
    padding: 2px 0;
    overflow-wrap: anywhere;
  }
  .more {
    margin-top: 10px;
  }
`;
