import type { Json, JsonObject } from './json-value.js';

/**
 * What one place of a compiled text made last. Made equal again it is that object again, so that what is the same in many calls
 * is one object in memory: values never change, and what survives a call is what costs. Members are compared by identity, and
 * each place makes objects of the same keys in the same order.
 */
export class LastMade {
  private last: JsonObject = {};
  private lastList: readonly Json[] = [];

  object(made: JsonObject): JsonObject {
    const { last } = this;
    for (const key in made) if (made[key] !== last[key]) return (this.last = made);
    return last;
  }

  list(made: readonly Json[]): readonly Json[] {
    const { lastList } = this;
    if (made.length !== lastList.length) return (this.lastList = made);
    for (let at = 0; at < made.length; at++) if (made[at] !== lastList[at]) return (this.lastList = made);
    return lastList;
  }
}

/** The value itself where what was made of it has its very members in their order, else what was made. */
export function unlessSame(value: JsonObject, made: JsonObject): JsonObject {
  const keys = Object.keys(made);
  let at = 0;
  for (const key in value) {
    if (key !== keys[at++] || value[key] !== made[key]) return made;
  }
  return at === keys.length ? value : made;
}

/** As `unlessSame`, of a list. */
export function unlessSameItems(value: readonly Json[], made: readonly Json[]): readonly Json[] {
  for (let at = 0; at < made.length; at++) if (made[at] !== value[at]) return made;
  return made.length === value.length ? value : made;
}
