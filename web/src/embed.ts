// The documentation page around an embedded board: it needs nothing but the elements.
// It must not know what the board does.
import { defineElements } from './define.js';
import { trustOwnScripts } from './trusted.js';

trustOwnScripts();
defineElements();
