import { isList, isObject, jsonLength } from '../values/index.js';

/** Approximate number of characters in a chunk. */
const PIECE = 1 << 16;

/** Whether a value is larger than a chunk. */
export function isLarge(value: unknown): boolean {
  return jsonLength(value, PIECE) > PIECE;
}

/** The JSON of a large value in chunks; none ends within a string. */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = '';
  for (const part of parts(value)) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* parts(value: unknown): Generator<string> {
  if (!isLarge(value) || (!isList(value) && !isObject(value))) {
    yield JSON.stringify(value);
    return;
  }
  let before = '';
  if (isList(value)) {
    yield '[';
    for (const item of value) {
      yield before;
      yield* parts(item);
      before = ',';
    }
    yield ']';
    return;
  }
  yield '{';
  for (const [key, member] of Object.entries<unknown>(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* parts(member);
    before = ',';
  }
  yield '}';
}
