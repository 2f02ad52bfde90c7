// Names the elements in the registry, which makes <fuse-board> work.
// It must not know what they do.
import { FuseBoard } from './elements/fuse-board.js';
import { FuseCosts } from './elements/fuse-costs.js';
import { FuseDiagnostics } from './elements/fuse-diagnostics.js';
import { FuseDivider } from './elements/fuse-divider.js';
import { FuseGraph } from './elements/fuse-graph.js';
import { FusePtx } from './elements/fuse-ptx.js';
import { FuseSource } from './elements/fuse-source.js';
import { FuseStatus } from './elements/fuse-status.js';
import { FuseWhy } from './elements/fuse-why.js';

const elements: Record<string, CustomElementConstructor> = {
  'fuse-diagnostics': FuseDiagnostics,
  'fuse-divider': FuseDivider,
  'fuse-source': FuseSource,
  'fuse-graph': FuseGraph,
  'fuse-costs': FuseCosts,
  'fuse-ptx': FusePtx,
  'fuse-why': FuseWhy,
  'fuse-status': FuseStatus,
  'fuse-board': FuseBoard,
};

export function defineElements(): void {
  for (const [name, element] of Object.entries(elements))
    if (!customElements.get(name)) customElements.define(name, element);
}
