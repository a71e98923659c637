/** Longest text that is shown, in characters. */
const MAX_CHARACTERS = 160;
/** Numbers before the text: beats, and how long the text is. */
const HEAD = 2;
const BEAT_MS = 100;

/** What a thread is busy with, where another one reads it while the first gives no response. */
export class ActivityBoard {
  readonly #head: Int32Array;
  readonly #text: Uint16Array;

  /** @param memory what both threads see */
  constructor(readonly memory = new SharedArrayBuffer(HEAD * 4 + MAX_CHARACTERS * 2)) {
    this.#head = new Int32Array(memory, 0, HEAD);
    this.#text = new Uint16Array(memory, HEAD * 4, MAX_CHARACTERS);
  }

  /** Counts every turn in which the thread was free to beat. */
  get beats(): number {
    return Atomics.load(this.#head, 0);
  }

  beat(): void {
    Atomics.add(this.#head, 0, 1);
  }

  /** What the thread began last. */
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

/** From now on this thread writes what it is busy with, and beats while it is free. */
export function showActivity(on: ActivityBoard): void {
  board = on;
  setInterval(() => on.beat(), BEAT_MS).unref();
}

/** Something begins that may take long: a call, a timer, a delivery. */
export function busyWith(what: string, about: string): void {
  board?.write(`${what} ${about}`);
}
