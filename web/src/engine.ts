// The client of the worker: request ids, the latest text wins, jobs in slices; a worker that hangs or dies is ended and
// started anew. It must not know what the texts mean, nor who shows the answers.
import type { About, Answer, JobStart, Opened, Options, Request } from './protocol.js';

/** Why an open came to no answer. */
export type Stop =
  | { why: 'superseded' }
  | { why: 'cancelled' }
  | { why: 'too-long'; seconds: number }
  | { why: 'crashed'; message: string };

export type OpenResult = { opened: number; answer: Opened } | Stop;

/** Work under way: a run, or a scratch launch. */
export interface Job {
  /** Its last JSON, and whether it came to its end; or why there is none. */
  readonly done: Promise<{ json: string; finished: boolean } | Stop>;
  cancel(): void;
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;
interface Waiting {
  id: number;
  settle(result: Answer | Stop): void;
}
interface NextOpen {
  text: string;
  options: Options;
  settle(result: OpenResult): void;
}

const HANGS_AFTER_MS = 10_000;
/** An open this old is ended rather than waited for when a newer text comes; so is a slice of a job in anyone's way. */
const YIELDS_AFTER_MS = 1_500;

export class Engine {
  #worker: Worker | undefined;
  #lastId = 0;
  #waiting = new Map<number, Waiting>();
  #open: { id: number; since: number; timer: ReturnType<typeof setTimeout> } | undefined;
  #next: NextOpen | undefined;
  /** The open to be asked again, where the worker had to be ended for another's sake. */
  #again: number | undefined;
  /** The last text that was planned, to tell a new worker; and the one that the worker holds. */
  #kept: { opened: number; text: string; options: Options } | undefined;
  #held: number | undefined;
  /** The slices asked for and not answered. */
  #slices = new Set<number>();
  #ended = false;

  /** The facts about the core; null where it cannot start. */
  async about(): Promise<About | null> {
    const answer = await this.#ask({ ask: 'about' });
    return 'ask' in answer && answer.ask === 'about' ? answer : null;
  }

  /** Opens a text. A newer call answers this one with `superseded`, at the latest when its run is done. */
  open(text: string, options: Options): Promise<OpenResult> {
    return new Promise((settle) => {
      this.#next?.settle({ why: 'superseded' });
      this.#next = { text, options, settle };
      if (this.#open && performance.now() - this.#open.since > YIELDS_AFTER_MS) this.#restart({ why: 'superseded' });
      this.#hurry();
      this.#pump();
    });
  }

  /** kernel_json of the text opened under `opened`; null where it is gone. */
  async kernel(opened: number, kernel: number): Promise<string | null> {
    this.#bringBack(opened);
    const answer = await this.#ask({ ask: 'kernel', opened, kernel });
    return 'ask' in answer && answer.ask === 'kernel' ? answer.kernel_json : null;
  }

  /** ptx_entries_json of a module; null where the core stopped over it. */
  async entries(ptx: string): Promise<string | null> {
    const answer = await this.#ask({ ask: 'entries', ptx });
    return 'ask' in answer && answer.ask === 'entries' ? answer.entries_json : null;
  }

  /** Begins a job and keeps it going; `tell` has its JSON from time to time. */
  work(start: JobStart, tell: (json: string) => void): Job {
    const job = { cancelled: false };
    return {
      done: this.#goOn(start, job, tell),
      cancel: () => {
        job.cancelled = true;
        this.#hurry();
      },
    };
  }

  async #goOn(start: JobStart, job: { cancelled: boolean }, tell: (json: string) => void): ReturnType<Engine['work']>['done'] {
    if (start.ask === 'run-start') this.#bringBack(start.opened);
    const id = this.#lastId + 1;
    let answer = await this.#askSlice(start);
    for (;;) {
      if ('why' in answer) return answer;
      if (answer.ask !== 'slice')
        return { why: 'crashed', message: answer.ask === 'failed' ? answer.message : 'no answer' };
      const { state, json } = answer;
      if (state === 'gone') return { why: 'superseded' };
      if (state !== 'running') return { json: json ?? '', finished: state === 'finished' };
      if (json !== null) tell(json);
      answer = await this.#askSlice({ ask: job.cancelled ? 'cancel' : 'continue', job: id });
    }
  }

  async #askSlice(request: Unnumbered<Request>): Promise<Answer | Stop> {
    const id = this.#lastId + 1;
    this.#slices.add(id);
    const answer = await this.#ask(request);
    this.#slices.delete(id);
    return answer;
  }

  /** Ends the worker where the slices under way do not come to their end soon; an open behind them is asked again. */
  #hurry(): void {
    const waited = [...this.#slices];
    if (waited.length === 0) return;
    setTimeout(() => {
      if (!waited.some((id) => this.#slices.has(id))) return;
      this.#again = this.#open?.id;
      this.#restart({ why: 'cancelled' });
    }, YIELDS_AFTER_MS);
  }

  /** Tells a new worker the text whose kernels are meant, where an ended one held it. */
  #bringBack(opened: number): void {
    if (this.#ended || this.#held === opened || this.#kept?.opened !== opened) return;
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ ...this.#kept, id: 0, ask: 'reopen' } satisfies Request);
      this.#held = opened;
    } catch {
      // The request that follows tells that there is no worker.
    }
  }

  /** Ends what runs now. The worker starts anew with the next request. */
  cancel(): void {
    this.#next?.settle({ why: 'cancelled' });
    this.#next = undefined;
    this.#restart({ why: 'cancelled' });
  }

  /** Ends the worker for good. */
  dispose(): void {
    this.#ended = true;
    this.cancel();
  }

  #pump(): void {
    const next = this.#next;
    if (this.#open || !next) return;
    this.#next = undefined;
    const id = this.#lastId + 1;
    const timer = setTimeout(
      () => this.#restart({ why: 'too-long', seconds: HANGS_AFTER_MS / 1000 }),
      HANGS_AFTER_MS,
    );
    this.#open = { id, since: performance.now(), timer };
    void this.#ask({ ask: 'open', text: next.text, options: next.options }).then((answer) => {
      if (this.#open?.id === id) {
        clearTimeout(timer);
        this.#open = undefined;
      }
      if (this.#again === id && 'why' in answer) {
        this.#again = undefined;
        if (this.#next) next.settle({ why: 'superseded' });
        else this.#next = next;
      } else if ('why' in answer) next.settle(answer);
      else if (answer.ask === 'open') {
        const planned = answer.plan_json !== null;
        if (planned) this.#held = id;
        if (planned && !this.#next) this.#kept = { opened: id, text: next.text, options: next.options };
        next.settle(this.#next ? { why: 'superseded' } : { opened: id, answer });
      } else next.settle({ why: 'crashed', message: answer.ask === 'failed' ? answer.message : 'no answer' });
      this.#pump();
    });
  }

  #ask(request: Unnumbered<Request>): Promise<Answer | Stop> {
    return new Promise((settle) => {
      if (this.#ended) {
        settle({ why: 'cancelled' });
        return;
      }
      this.#lastId += 1;
      const id = this.#lastId;
      this.#waiting.set(id, { id, settle });
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage({ ...request, id });
      } catch (error) {
        this.#waiting.delete(id);
        settle({ why: 'crashed', message: String(error) });
      }
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'fuseboard' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      waiting?.settle(data);
      // A core that threw may be in any state: the next request gets a new one.
      if (data.ask === 'failed') this.#restart({ why: 'crashed', message: data.message });
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#restart({ why: 'crashed', message: event.message || 'the worker could not be loaded' });
    };
    return worker;
  }

  #restart(stop: Stop): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#held = undefined;
    if (this.#open) clearTimeout(this.#open.timer);
    this.#open = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.settle(stop);
  }
}
