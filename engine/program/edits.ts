import { equal, type Json, type JsonObject } from '../values/index.js';

/** Changes of an object: new values for some of its fields. */
export class Edits {
  /** @param names distinct fields @param values their new values, in the same order. The edits own and change both lists */
  constructor(
    readonly of: JsonObject,
    readonly names: string[] = [],
    readonly values: Json[] = [],
  ) {}

  /** Returns the new value of a field. */
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

  /** Removes fields whose value doesn't change. */
  prune(): void {
    let kept = 0;
    for (let at = 0; at < this.names.length; at++) {
      if (equal(this.of[this.names[at]] ?? null, this.values[at])) continue;
      this.names[kept] = this.names[at];
      this.values[kept++] = this.values[at];
    }
    // Items are removed one by one, since setting a list's length is slow in V8.
    while (this.names.length > kept) {
      this.names.pop();
      this.values.pop();
    }
  }
}
