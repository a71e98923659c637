/** A call that created an object, from its first attempt to its response. Times are monotonic milliseconds. */
export interface Write {
  readonly kind: 'write';
  readonly name: string;
  readonly start: number;
  /** End of the call; Infinity if there was no response. */
  readonly end: number;
  /** Id of the created object; null if there was no response. */
  readonly id: string | null;
}

/** A call that listed the newest objects. */
export interface Read {
  readonly kind: 'read';
  readonly start: number;
  readonly end: number;
  /** Ids of the listed objects, newest first. */
  readonly ids: readonly string[];
  /** Maximum number of objects that the call requested. */
  readonly limit: number;
}

/** An object in the final list, with the name that its call gave it. */
export interface CreatedObject {
  readonly name: string;
  readonly id: string;
}

/** Violations in the responses of a world. */
interface HistoryVerdict {
  /** Ids of acknowledged objects that don't exist. */
  readonly lost: readonly string[];
  /** Names of objects that exist more than once. */
  readonly doubled: readonly string[];
  /** Responses that contradict every possible order of the calls, where each call takes effect between its start and its end. */
  readonly disordered: readonly string[];
}

/**
 * Checks the history of one world in which objects are only created. The final list is the only possible order of creation. Each read must have
 * returned a prefix of it, and a call that ended before another began must come first.
 * @param made all objects, oldest first
 */
export function judge(calls: readonly (Write | Read)[], made: readonly CreatedObject[]): HistoryVerdict {
  const places = new Map<string, number>();
  const doubled: string[] = [];
  const names = new Map<string, string>();
  made.forEach(({ name, id }, index) => {
    if (names.has(name)) doubled.push(name);
    names.set(name, id);
    places.set(id, index);
  });
  const lost: string[] = [];
  const disordered: string[] = [];
  /** Position of each call in the order of effects: the number of objects at that time. A write comes after reads that returned one object less. */
  const placed: { readonly start: number; readonly end: number; readonly at: number; readonly what: string }[] = [];
  for (const call of calls) {
    if (call.kind === 'write') {
      const id = names.get(call.name);
      if (call.id !== null && call.id !== id) lost.push(call.name);
      const at = places.get(id ?? '');
      if (at !== undefined) placed.push({ ...call, at: at + 1, what: `making ${call.name}` });
      continue;
    }
    const at = seen(call, places, made);
    if (at === null) disordered.push(`a read at ${Math.round(call.start)} saw what never was: ${call.ids.join(' ')}`);
    else placed.push({ ...call, at: at + 0.5, what: `a read that saw ${at}` });
  }
  // In the order of effects, no call may have started after a later one had ended.
  placed.sort((a, b) => a.at - b.at);
  let earliest = Infinity;
  let by = '';
  for (const { start, end, what } of placed.reverse()) {
    if (start > earliest) disordered.push(`${what} began after ${by} had ended`);
    if (end < earliest) [earliest, by] = [end, what];
  }
  return { lost, doubled, disordered };
}

/** Returns the number of objects that existed when a read returned these ids; null if that never was the case. */
function seen(
  { ids, limit }: Read,
  places: ReadonlyMap<string, number>,
  made: readonly CreatedObject[],
): number | null {
  if (ids.length === 0) return 0;
  const newest = places.get(ids[0]);
  if (newest === undefined) return null;
  const expected = Math.min(limit, newest + 1);
  const isWhole = ids.length === expected && ids.every((id, index) => made[newest - index].id === id);
  return isWhole ? newest + 1 : null;
}
