import { isList, isObject, jsonLength } from '../values/index.js';

/** Characters of a piece, about. */
const PIECE = 1 << 16;

/** Whether a value is more than a piece. */
export function isLarge(value: unknown): boolean {
  return jsonLength(value, PIECE) > PIECE;
}

/** The JSON text of a large value in pieces: none holds half of a text. */
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
