import { equal, type Json, type JsonObject } from '../values/index.js';

/** New values for some fields of an object. */
export class Edits {
  /**
   * @param names the fields, each once; with their new values in `values` (both lists become the edits' own)
   */
  constructor(
    readonly of: JsonObject,
    readonly names: string[] = [],
    readonly values: Json[] = [],
  ) {}

  /** The value of a field as it is to be. */
  get(name: string): Json {
    const at = this.names.indexOf(name);
    return at < 0 ? (this.of[name] ?? null) : this.values[at];
  }

  set(name: string, value: Json): void {
    const at = this.names.indexOf(name);
    if (at >= 0) this.values[at] = value;
    else {
      this.names.push(name);
      this.values.push(value);
    }
  }

  /** Forgets what is as it was. */
  prune(): void {
    let kept = 0;
    for (let at = 0; at < this.names.length; at++) {
      if (equal(this.of[this.names[at]] ?? null, this.values[at])) continue;
      this.names[kept] = this.names[at];
      this.values[kept++] = this.values[at];
    }
    // Setting a length is slow.
    while (this.names.length > kept) {
      this.names.pop();
      this.values.pop();
    }
  }
}
