// How <fuse-ptx> looks.
// It must not know what PTX is.
import { css } from 'lit';

export const ptxStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    padding: 8px 14px 0;
  }
  .to-scratch {
    margin-left: auto;
  }
  .which {
    flex: 1 1 140px;
    min-width: 0;
  }
  .which select {
    width: 100%;
    font: 12px var(--mono);
  }
  details {
    padding: 8px 14px;
    border-bottom: 1px solid var(--line);
    font-size: 12px;
    max-height: 40%;
    overflow: auto;
    flex: none;
  }
  summary {
    cursor: pointer;
    color: var(--text-quiet);
  }
  table {
    margin-top: 6px;
    border-collapse: collapse;
  }
  td {
    padding: 1px 12px 1px 0;
    vertical-align: baseline;
  }
  .note {
    padding: 12px 14px;
    max-width: 60ch;
  }
  .note ul {
    margin: 8px 0 0;
    padding-left: 18px;
  }
  code {
    font: 12px/1.5 var(--mono);
  }
  .editor {
    flex: 1;
    min-height: 120px;
    overflow: hidden;
  }
`;
