// The full-size page: the elements, and the chosen theme kept for the next visit.
// It must not know what the board does.
import { defineElements } from './define.js';
import type { FuseBoard, Theme } from './elements/fuse-board.js';
import { trustOwnScripts } from './trusted.js';

const KEY = 'fuseboard-theme';

trustOwnScripts();
defineElements();
const board = document.querySelector<FuseBoard>('fuse-board');

/** Storage may be forbidden or full: then the theme is the system's. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const kept = quietly(() => localStorage.getItem(KEY));
if (board && (kept === 'light' || kept === 'dark')) board.theme = kept;
document.addEventListener('fuse-theme', (event) => {
  const theme = (event as CustomEvent<Theme>).detail;
  quietly(() => localStorage.setItem(KEY, theme));
});
