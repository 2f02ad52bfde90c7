// Names <fuse-scratch> and its parts in the registry; fetched when the scratch is first opened.
// It must not know what they do.
import { FuseScratch } from './elements/fuse-scratch.js';
import { FuseValues } from './elements/fuse-values.js';

export function defineScratch(): void {
  if (!customElements.get('fuse-values')) customElements.define('fuse-values', FuseValues);
  if (!customElements.get('fuse-scratch')) customElements.define('fuse-scratch', FuseScratch);
}
