// Names <fuse-run> in the registry; fetched when the run pane is first opened.
// It must not know what it does.
import { FuseRun } from './elements/fuse-run.js';

export function defineRun(): void {
  if (!customElements.get('fuse-run')) customElements.define('fuse-run', FuseRun);
}
