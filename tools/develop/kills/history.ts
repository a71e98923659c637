/** A call that made an object, from when it was first sent until its response came. Times are monotonic milliseconds. */
export interface Write {
  readonly kind: 'write';
  readonly name: string;
  readonly start: number;
  /** Infinity: it never was. */
  readonly end: number;
  /** Null: no response. */
  readonly id: string | null;
}

/** A call that saw the newest objects. */
export interface Read {
  readonly kind: 'read';
  readonly start: number;
  readonly end: number;
  /** Ids of the objects, the newest first. */
  readonly ids: readonly string[];
  /** How many it asked for. */
  readonly limit: number;
}

/** An object that exists at the end. */
export interface CreatedObject {
  readonly name: string;
  readonly id: string;
}

/** Problems in the responses of a world. */
interface HistoryVerdict {
  /** With a response, and not there. */
  readonly lost: readonly string[];
  /** There more than once. */
  readonly doubled: readonly string[];
  /** Responses that no order of the calls explains in which each took effect between its start and its end. */
  readonly disordered: readonly string[];
}

/**
 * Judges the history of one world, which only ever makes objects: what is there in the end is the one order in which they can have
 * been made. Each read must have seen a beginning of it, and whatever ended before something else began comes before it.
 * @param made all objects, the oldest first
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
  /** What each call saw or became: objects made until then. A write comes after the reads that saw one less. */
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
  // In the order of their effects, none may have begun after a later one had ended.
  placed.sort((a, b) => a.at - b.at);
  let earliest = Infinity;
  let by = '';
  for (const { start, end, what } of placed.reverse()) {
    if (start > earliest) disordered.push(`${what} began after ${by} had ended`);
    if (end < earliest) [earliest, by] = [end, what];
  }
  return { lost, doubled, disordered };
}

/** How many objects there were when a read saw these; null: that never was. */
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
