// How a fault, a wrong element and counters look, and the colours of verdicts.
// It must not know what they say.
import { css } from 'lit';

export const faultStyles = css`
  .good {
    color: var(--fused);
  }
  .partly {
    color: var(--refused);
  }
  .bad {
    color: var(--error);
  }
  .fault {
    margin: 2px 0 8px;
    padding: 8px 10px;
    border: 1px solid color-mix(in srgb, var(--error) 45%, transparent);
    border-left-width: 3px;
    border-radius: 4px;
    background: var(--error-soft);
    overflow-wrap: anywhere;
  }
  .fault h3 {
    color: var(--error);
    margin-bottom: 2px;
  }
  .fault dl {
    display: grid;
    gap: 1px 12px;
    margin: 6px 0;
  }
  .fault dl > div {
    display: grid;
    grid-template-columns: minmax(72px, 32%) 1fr;
    gap: 12px;
    align-items: baseline;
  }
  .fault dt {
    color: var(--text-quiet);
  }
  .fault dd {
    margin: 0;
    font: 12px/1.5 var(--mono);
  }
  summary {
    cursor: pointer;
    color: var(--text-quiet);
    font-size: 12px;
  }
  .counters table {
    margin-top: 4px;
    border-collapse: collapse;
    font-size: 12px;
  }
  .counters th,
  .counters td {
    padding: 1px 0;
    border: 0;
    width: auto;
    max-width: none;
    font-weight: 400;
    text-align: start;
  }
  .counters td {
    padding-left: 24px;
    text-align: end;
  }
  .counters tbody + tbody th[colspan] {
    padding-top: 6px;
  }
`;
