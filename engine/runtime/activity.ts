/** Length limit of the shown text, in characters. */
const MAX_CHARACTERS = 160;
/** Number of counters before the text: beats, and the text's length. */
const HEAD = 2;
const BEAT_MS = 100;

/** The current work of a thread, in shared memory: another thread reads it while the first one doesn't respond. */
export class ActivityBoard {
  readonly #head: Int32Array;
  readonly #text: Uint16Array;

  /** @param memory shared by both threads */
  constructor(readonly memory = new SharedArrayBuffer(HEAD * 4 + MAX_CHARACTERS * 2)) {
    this.#head = new Int32Array(memory, 0, HEAD);
    this.#text = new Uint16Array(memory, HEAD * 4, MAX_CHARACTERS);
  }

  /** How many times the thread was free to run its timer. */
  get beats(): number {
    return Atomics.load(this.#head, 0);
  }

  beat(): void {
    Atomics.add(this.#head, 0, 1);
  }

  /** The last work that the thread started. */
  get last(): string {
    const length = Atomics.load(this.#head, 1);
    return String.fromCharCode(...this.#text.subarray(0, length));
  }

  write(what: string): void {
    const length = Math.min(what.length, MAX_CHARACTERS);
    for (let at = 0; at < length; at++) this.#text[at] = what.charCodeAt(at);
    Atomics.store(this.#head, 1, length);
  }
}

let board: ActivityBoard | null = null;

/** Makes this thread publish what it is working on, and increment `beats` while it is free. */
export function showActivity(on: ActivityBoard): void {
  board = on;
  setInterval(() => on.beat(), BEAT_MS).unref();
}

/** Records the start of work that may take long: a call, a timer, a delivery. */
export function busyWith(what: string, about: string): void {
  board?.write(`${what} ${about}`);
}
