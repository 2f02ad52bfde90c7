// Ties an element to a store: it renders again when the store changes, for as long as it is in a document.
// It must not know what the element shows.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { State, Store } from './store.js';

export class StoreController implements ReactiveController {
  #host: ReactiveControllerHost;
  #store: () => Store | undefined;
  #changed: ((state: State, before: State) => void) | undefined;
  #listening: Store | undefined;
  #end: (() => void) | undefined;

  constructor(
    host: ReactiveControllerHost,
    store: () => Store | undefined,
    changed?: (state: State, before: State) => void,
  ) {
    this.#host = host;
    this.#store = store;
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    this.#follow();
  }

  hostUpdate(): void {
    this.#follow();
  }

  hostDisconnected(): void {
    this.#end?.();
    this.#end = undefined;
    this.#listening = undefined;
  }

  #follow(): void {
    const store = this.#store();
    if (store === this.#listening) return;
    this.#end?.();
    this.#listening = store;
    this.#end = store?.listen((state, before) => {
      this.#changed?.(state, before);
      this.#host.requestUpdate();
    });
  }
}
