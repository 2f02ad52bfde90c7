// How a pane of sections looks: costs and reasons.
// It must not know what the sections hold.
import { css } from 'lit';

export const paneStyles = css`
  :host {
    display: block;
    overflow: auto;
    min-height: 0;
    container-type: inline-size;
  }
  section {
    padding: 12px 14px;
  }
  .stale-note {
    margin: 8px 14px 0;
    padding: 2px 8px;
    border: 1px solid var(--error);
    border-radius: 4px;
    color: var(--error);
    font-size: 12px;
  }
  section + section {
    border-top: 1px solid var(--line);
  }
`;
