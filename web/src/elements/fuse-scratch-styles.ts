// How <fuse-scratch> looks.
// It must not know what is launched.
import { css } from 'lit';

export const scratchStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    container-type: inline-size;
  }
  .row {
    flex: none;
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 8px 14px;
    border-bottom: 1px solid var(--line);
  }
  .entry {
    flex: 1;
    min-width: 0;
  }
  .entry select {
    width: 100%;
    font: 12px var(--mono);
  }
  .primary {
    min-width: 72px;
    background: var(--accent);
    border-color: var(--accent);
    color: var(--surface);
    font-weight: 600;
  }
  .primary[aria-disabled='true'] {
    background: var(--surface-sunk);
    border-color: var(--line);
    color: var(--text-quiet);
    cursor: default;
  }
  .editor {
    flex: 1 1 45%;
    min-height: 110px;
    overflow: hidden;
  }
  fuse-diagnostics {
    flex: none;
    max-height: 26%;
  }
  .below {
    flex: 1 1 55%;
    min-height: 0;
    overflow: auto;
    border-top: 1px solid var(--line);
    font-size: 12px;
  }
  .said p {
    margin: 10px 14px 0;
  }
  section {
    padding: 10px 14px;
  }
  section + section {
    border-top: 1px solid var(--line);
  }
  .result {
    padding-top: 8px;
  }
  .verdict {
    display: flex;
    gap: 8px;
    padding: 6px 10px;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--surface-raised);
    font-weight: 600;
  }
  .verdict.good {
    border-color: color-mix(in srgb, var(--fused) 50%, transparent);
    background: var(--fused-soft);
  }
  .verdict.bad {
    border-color: color-mix(in srgb, var(--error) 50%, transparent);
    background: var(--error-soft);
  }
  .verdict .quiet,
  .verdict.quiet {
    font-weight: 400;
  }
  .glyph {
    flex: none;
    width: 12px;
    text-align: center;
    font-weight: 700;
  }
  .progress {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 10px;
  }
  .progress .quiet {
    flex: 1 1 180px;
    font-variant-numeric: tabular-nums;
  }
  progress {
    flex: 1 1 90px;
    min-width: 70px;
    height: 8px;
    accent-color: var(--accent);
  }
  ul {
    margin: 0 0 6px;
    padding-left: 18px;
  }
  code {
    font: 12px/1.5 var(--mono);
  }
  .buffer {
    margin-bottom: 10px;
  }
  .buffer h3 {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    margin-bottom: 3px;
    overflow-wrap: anywhere;
  }
  .buffer h3 .quiet {
    font-weight: 400;
  }
  .fields {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 14px;
    margin: 4px 0 14px;
  }
  .fields label {
    display: block;
  }
  .fields label > span {
    display: block;
  }
  .extent {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  .extent input + input {
    margin-left: 4px;
  }
  .extent legend {
    padding: 0;
  }
  .extent legend,
  .fields label > span {
    font-size: 11px;
    line-height: 18px;
    color: var(--text-quiet);
  }
  input {
    min-width: 0;
    max-width: 100%;
    color: var(--text);
    font: 12px var(--mono);
  }
  .parameter {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto auto auto auto;
    align-items: center;
    gap: 4px 6px;
    padding: 4px 0;
  }
  .parameter + .parameter {
    border-top: 1px solid var(--line);
  }
  .which {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .parameter .value {
    width: 12ch;
  }
  .times {
    color: var(--text-quiet);
  }
  @container (max-width: 560px) {
    .parameter {
      display: flex;
      flex-wrap: wrap;
    }
    .which {
      flex: 1 0 100%;
    }
  }
`;
