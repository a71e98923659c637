import { ExpressionFailure } from './json-value.js';

/** Bytes that are in a store: the SHA-256 of their content (hex), and how many they are. */
export interface StoredBytes {
  readonly sha256: string;
  readonly size: number;
}

/** A piece of bytes: in memory, or in a store. */
export type BytesPiece = Buffer | StoredBytes;

/** A range of stored bytes, or bytes in memory. `end` is behind the last one. */
export type BytesSlice = Buffer | (StoredBytes & { readonly start: number; readonly end: number });

/** A part of a response: bytes, or bytes that are written in base64 while they are sent. */
export type SentPart = BytesSlice | { readonly base64: readonly BytesPiece[] };

/** Writes bytes to a store while they arrive. */
export interface ByteWriter {
  /** @throws ByteStoreFull */
  write(chunk: Uint8Array): Promise<void>;
  /** What was written is safe, and held until `release`. */
  finish(): Promise<StoredBytes>;
  /** Drops what was written. */
  abort(): Promise<void>;
}

/** Where a world keeps the bytes that are too many for its values, by the hash of their content. */
export interface ByteStore {
  /** Bytes in it. */
  readonly total: number;
  /** Enough was written since the last sweep that another one is worth its time. */
  readonly isSweepDue: boolean;
  /** Called when there is no room: lets go what is not in use. */
  onFull: () => void;
  /** References to its bytes are signed with it: a text that a caller made up is none. */
  secret: string | null;
  /** What is at the end of a reference. */
  seal(bytes: StoredBytes): string;
  /** What a call of a replay brings may be a reference. */
  readonly isReplay: boolean;
  has(bytes: StoredBytes): boolean;
  all(): Iterable<StoredBytes>;
  /** Names of digests that were computed, and what they are. */
  digests(): Iterable<readonly [string, string]>;
  /** For a replay: there are such bytes, of which no more is known than these digests. */
  expect(bytes: readonly StoredBytes[], digests: readonly (readonly [string, string])[]): void;
  writer(): ByteWriter;
  /** @throws ByteStoreFull */
  put(bytes: Uint8Array): StoredBytes;
  /** What was written is not in use by the world yet: a sweep leaves it alone. */
  hold(bytes: StoredBytes): void;
  release(bytes: StoredBytes): void;
  /** @throws BytesLost */
  read(bytes: StoredBytes, start?: number, end?: number): Buffer;
  /** As `read`, some bytes at a time, without blocking. @throws BytesLost before the first bytes */
  stream(bytes: StoredBytes, start: number, end: number): AsyncIterable<Buffer>;
  /** A digest that is computed once for stored bytes. */
  digest(name: string, compute: () => string): string;
  /** Takes over what another store has, without copying where that is possible. */
  adopt(other: ByteStore): void;
  /** Deletes everything that isn't held and has none of these hashes. */
  sweep(used: ReadonlySet<string>): void;
}

/** There is no room for more bytes. */
export class ByteStoreFull extends Error {}

/** Bytes of a world that are gone, or were changed from outside. */
export class BytesLost extends Error {}

/** So many bytes remain in a value, as base64. */
export const INLINE_BYTES = 64 * 1024;

/** Content coding of a body that a replay sends: JSON of its `base64`, `size` and `trailers`. */
export const STORED_CODING = 'x-sandbox-stored';

const REFERENCE = /^sha256:([0-9a-f]{64}):(\d{1,15}):([0-9a-f]{16})$/;
const REFERENCES = /sha256:([0-9a-f]{64}):\d/g;
/** Bytes that are read at once. */
const READ_BYTES = 1 << 20;

/** The store of the world that a command or response belongs to; null: it has none. */
let current: ByteStore | null = null;

/** Bytes are those of this world from now on. Commands run one at a time, and each begins with it. */
export function useByteStore(store: ByteStore | null): void {
  current = store;
}

/** Reads the text of bytes: base64, `sha256:HASH:SIZE:SEAL` of what is in a store, or several of these with spaces between them. */
export function bytesOfText(text: string, store = current): readonly BytesPiece[] {
  if (!text.includes('sha256:')) return [Buffer.from(text, 'base64')];
  return text.split(' ').map((each) => storedIn(each, store) ?? Buffer.from(each, 'base64'));
}

/** The bytes that a reference leads to; null: it is none of this store. */
function storedIn(text: string, store: ByteStore | null): StoredBytes | null {
  const [, sha256, size, seal] = REFERENCE.exec(text) ?? [];
  if (sha256 === undefined || store === null) return null;
  const bytes = { sha256, size: Number(size) };
  return store.seal(bytes) === seal ? bytes : null;
}

/** Whether a text is base64, or the text of bytes that this world has in its store. */
export function isBytesText(text: string): boolean {
  return text.split(' ').every((each) => /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(each) || storedIn(each, current) !== null);
}

/** Whether the text of bytes may say where they are, not what they are. */
export function isStored(text: string): boolean {
  return text.includes('sha256:');
}

/** Adds the hashes of stored bytes that a text names. */
export function addReferences(text: string, to: Set<string>): void {
  if (!text.includes('sha256:')) return;
  for (const [, sha256] of text.matchAll(REFERENCES)) to.add(sha256);
}

export function referenceText(bytes: StoredBytes, store: ByteStore): string {
  return `sha256:${bytes.sha256}:${bytes.size}:${store.seal(bytes)}`;
}

/** The text of bytes. Many of them go to the store; what is there already stays where it is. */
export function textOfBytes(pieces: readonly BytesPiece[], store = current): string {
  const whole = pieces.filter((each) => sizeOfPiece(each) > 0);
  if (store === null || byteCount(whole) <= INLINE_BYTES) return bufferOf(whole).toString('base64');
  const texts: string[] = [];
  let near: Buffer[] = [];
  const end = (): void => {
    if (near.length === 0) return;
    const bytes = Buffer.concat(near);
    texts.push(bytes.length > INLINE_BYTES ? referenceText(store.put(bytes), store) : bytes.toString('base64'));
    near = [];
  };
  for (const each of whole) {
    if (Buffer.isBuffer(each)) near.push(each);
    else {
      end();
      texts.push(referenceText(each, store));
    }
  }
  end();
  return texts.join(' ');
}

function sizeOfPiece(piece: BytesPiece): number {
  return Buffer.isBuffer(piece) ? piece.length : piece.size;
}

export function byteCount(pieces: readonly BytesPiece[]): number {
  return pieces.reduce((sum, each) => sum + sizeOfPiece(each), 0);
}

/** All bytes in memory. @throws BytesLost */
export function bufferOf(pieces: readonly BytesPiece[]): Buffer {
  const read = pieces.map((each) => (Buffer.isBuffer(each) ? each : storeOf().read(each)));
  return read.length === 1 ? read[0] : Buffer.concat(read);
}

/** The bytes one after another, a part at a time. @throws BytesLost */
export function* chunksOf(pieces: readonly BytesPiece[]): Generator<Buffer> {
  for (const each of pieces) {
    if (Buffer.isBuffer(each)) yield each;
    else
      for (let at = 0; at < each.size; at += READ_BYTES)
        yield storeOf().read(each, at, Math.min(at + READ_BYTES, each.size));
  }
}

/** A digest of bytes; of those in a store it is computed once. */
export function digestOfBytes(name: string, pieces: readonly BytesPiece[], compute: () => string): string {
  if (current === null || pieces.every((each) => Buffer.isBuffer(each))) return compute();
  const parts = pieces.map((each) => (Buffer.isBuffer(each) ? each.toString('base64') : `${each.sha256}:${each.size}`));
  return current.digest(`${name} ${parts.join(' ')}`, compute);
}

/** The bytes between two places; `end` is behind the last one. */
export function slicesOf(pieces: readonly BytesPiece[], start: number, end: number): readonly BytesSlice[] {
  const slices: BytesSlice[] = [];
  let before = 0;
  for (const each of pieces) {
    const size = sizeOfPiece(each);
    const [from, to] = [Math.max(start - before, 0), Math.min(end - before, size)];
    if (from < to) slices.push(Buffer.isBuffer(each) ? each.subarray(from, to) : { ...each, start: from, end: to });
    before += size;
  }
  return slices;
}

/** The bytes of slices, copied. @throws BytesLost */
export function piecesOfSlices(slices: readonly BytesSlice[]): readonly BytesPiece[] {
  return slices.map((each) => {
    if (Buffer.isBuffer(each)) return each;
    return each.start === 0 && each.end === each.size ? each : storeOf().read(each, each.start, each.end);
  });
}

/** What is in the place of base64 that is written when a response is sent: a sign that no text has by chance, and the text of the bytes. */
const LATER = /\u2063base64\(([^)]+)\)\u2063/;
/** Fewer bytes are written at once. */
const LATER_BYTES = 1 << 20;

/** Bytes in base64, for a response: many of them are written when it is sent. */
export function base64Later(pieces: readonly BytesPiece[]): string {
  const text = byteCount(pieces) > LATER_BYTES ? textOfBytes(pieces) : '';
  return isStored(text) ? `\u2063base64(${text})\u2063` : bufferOf(pieces).toString('base64');
}

/** The parts of a response with such base64; null: it has none. */
export function partsOfText(text: string, store: ByteStore): readonly SentPart[] | null {
  if (!text.includes('\u2063base64(')) return null;
  const later = (sent: string): SentPart => {
    const pieces = bytesOfText(sent, store);
    // A caller's text that only looks so stays as it is.
    return pieces.some((each) => !Buffer.isBuffer(each))
      ? { base64: pieces }
      : Buffer.from(`\u2063base64(${sent})\u2063`);
  };
  return text.split(LATER).map((each, at) => (at % 2 === 0 ? Buffer.from(each) : later(each)));
}

function storeOf(): ByteStore {
  if (current === null) throw new ExpressionFailure('there are no stored bytes here');
  return current;
}
