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
  section + section {
    border-top: 1px solid var(--line);
  }
`;
