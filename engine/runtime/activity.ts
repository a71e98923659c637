/** Length limit of the published text, in characters. */
const MAX_CHARACTERS = 160;
/** Number of 32-bit counters before the text in the shared memory: beats, and the text's length. */
const HEAD = 2;
const BEAT_MS = 100;

/** Publishes a thread's current work in shared memory, where another thread reads it if the first one doesn't respond. */
export class ActivityBoard {
  readonly #head: Int32Array;
  readonly #text: Uint16Array;

  /** @param memory shared with the thread that reads the board */
  constructor(readonly memory = new SharedArrayBuffer(HEAD * 4 + MAX_CHARACTERS * 2)) {
    this.#head = new Int32Array(memory, 0, HEAD);
    this.#text = new Uint16Array(memory, HEAD * 4, MAX_CHARACTERS);
  }

  /** Number of times that the thread's timer ran, which it does only while the thread isn't busy. */
  get beats(): number {
    return Atomics.load(this.#head, 0);
  }

  beat(): void {
    Atomics.add(this.#head, 0, 1);
  }

  /** The work that the thread started most recently. */
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

/** Publishes this thread's work on a board from now on, and increments its `beats` while the thread isn't busy. */
export function showActivity(on: ActivityBoard): void {
  board = on;
  setInterval(() => on.beat(), BEAT_MS).unref();
}

/** Publishes the start of work that may take long: a call, a timer, a delivery. */
export function busyWith(what: string, about: string): void {
  board?.write(`${what} ${about}`);
}
