import { ExpressionFailure } from './json-value.js';

/** Identifies bytes in a store: the SHA-256 of the content (hex), and the number of bytes. */
export interface StoredBytes {
  readonly sha256: string;
  readonly size: number;
}

/** Bytes in memory, or a reference to bytes in a store. */
export type BytesPiece = Buffer | StoredBytes;

/** A range of stored bytes, or bytes in memory. `end` is exclusive. */
export type BytesSlice = Buffer | (StoredBytes & { readonly start: number; readonly end: number });

/** A part of a response: bytes, or bytes that are encoded as base64 while they are sent. */
export type SentPart = BytesSlice | { readonly base64: readonly BytesPiece[] };

/** Writes the bytes of one file to a store while they arrive. */
export interface ByteWriter {
  /** Appends bytes to the file. @throws ByteStoreFull */
  write(chunk: Uint8Array): Promise<void>;
  /** Completes the file. Its bytes are protected from sweeps until `release`. */
  finish(): Promise<StoredBytes>;
  /** Discards the bytes written so far. */
  abort(): Promise<void>;
}

/** The store of a world's bytes that are too large for values, by the hash of their content. */
export interface ByteStore {
  /** Size of all bytes in the store. */
  readonly total: number;
  /** Whether so many bytes were written since the last sweep that another one is due. */
  readonly isSweepDue: boolean;
  /** Called when space is short, to sweep unused bytes. */
  onFull: () => void;
  /** Key that signs references to stored bytes, so that callers can't forge references; null: not set yet. */
  secret: string | null;
  /** Returns the signature at the end of a reference to bytes. */
  seal(bytes: StoredBytes): string;
  /** Whether the store belongs to a replay, whose calls may contain references. */
  readonly isReplay: boolean;
  has(bytes: StoredBytes): boolean;
  all(): Iterable<StoredBytes>;
  /** Lists cached digests, by a name that identifies digest and bytes. */
  digests(): Iterable<readonly [string, string]>;
  /** Registers, for a replay, bytes whose content is missing, and their digests. */
  expect(bytes: readonly StoredBytes[], digests: readonly (readonly [string, string])[]): void;
  writer(): ByteWriter;
  /** Writes bytes to the store. @throws ByteStoreFull */
  put(bytes: Uint8Array): StoredBytes;
  /** Protects bytes from sweeps until `release`, while the world doesn't refer to them yet. */
  hold(bytes: StoredBytes): void;
  release(bytes: StoredBytes): void;
  /** Reads a range of stored bytes; `end` is exclusive. @throws BytesLost */
  read(bytes: StoredBytes, start?: number, end?: number): Buffer;
  /** Reads a range of stored bytes in chunks, without blocking. @throws BytesLost before the first bytes */
  stream(bytes: StoredBytes, start: number, end: number): AsyncIterable<Buffer>;
  /** Returns a digest from the cache, or computes and caches it. */
  digest(name: string, compute: () => string): string;
  /** Adds the contents of another store, without copying if possible. */
  adopt(other: ByteStore): void;
  /** Deletes all bytes that aren't protected and whose hash isn't in the set. */
  sweep(used: ReadonlySet<string>): void;
}

/** Thrown if the store has no space for more bytes. */
export class ByteStoreFull extends Error {}

/** Thrown for bytes that are missing, or were changed from outside. */
export class BytesLost extends Error {}

/** Number of bytes up to which a value contains them as base64; more are put into the store. */
export const INLINE_BYTES = 64 * 1024;

/** Content coding of bodies that a replay sends: JSON with `base64`, `size` and `trailers`. */
export const STORED_CODING = 'x-sandbox-stored';

const REFERENCE = /^sha256:([0-9a-f]{64}):(\d{1,15}):([0-9a-f]{16})$/;
const REFERENCES = /sha256:([0-9a-f]{64}):\d/g;
/** Maximum number of bytes per read. */
const READ_BYTES = 1 << 20;

/** The store of bytes of the world whose command or response is running; null: none. */
let current: ByteStore | null = null;

/** Sets the store of bytes of the running command or response; each sets its own first, and only one runs. */
export function useByteStore(store: ByteStore | null): void {
  current = store;
}

/** Parses the text of bytes: base64, a reference `sha256:HASH:SIZE:SEAL`, or several of these separated by spaces. */
export function bytesOfText(text: string, store = current): readonly BytesPiece[] {
  if (!text.includes('sha256:')) return [Buffer.from(text, 'base64')];
  return text.split(' ').map((each) => storedIn(each, store) ?? Buffer.from(each, 'base64'));
}

/** Parses a reference to stored bytes; null if it is malformed, or another store has signed it. */
function storedIn(text: string, store: ByteStore | null): StoredBytes | null {
  const [, sha256, size, seal] = REFERENCE.exec(text) ?? [];
  if (sha256 === undefined || store === null) return null;
  const bytes = { sha256, size: Number(size) };
  return store.seal(bytes) === seal ? bytes : null;
}

/** Whether a text is base64, or contains valid references to bytes in the current world's store. */
export function isBytesText(text: string): boolean {
  return text.split(' ').every((each) => /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(each) || storedIn(each, current) !== null);
}

/** Whether the text for bytes may contain references to stored ones. */
export function isStored(text: string): boolean {
  return text.includes('sha256:');
}

/** Adds the hashes of all references in a text to a set. */
export function addReferences(text: string, to: Set<string>): void {
  if (!text.includes('sha256:')) return;
  for (const [, sha256] of text.matchAll(REFERENCES)) to.add(sha256);
}

export function referenceText(bytes: StoredBytes, store: ByteStore): string {
  return `sha256:${bytes.sha256}:${bytes.size}:${store.seal(bytes)}`;
}

/** Returns the text for bytes: base64, or references. Large bytes in memory are put into the store first. */
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

/** Reads all bytes into memory. @throws BytesLost */
export function bufferOf(pieces: readonly BytesPiece[]): Buffer {
  const read = pieces.map((each) => (Buffer.isBuffer(each) ? each : storeOf().read(each)));
  return read.length === 1 ? read[0] : Buffer.concat(read);
}

/** Yields the bytes in chunks. @throws BytesLost */
export function* chunksOf(pieces: readonly BytesPiece[]): Generator<Buffer> {
  for (const each of pieces) {
    if (Buffer.isBuffer(each)) yield each;
    else
      for (let at = 0; at < each.size; at += READ_BYTES)
        yield storeOf().read(each, at, Math.min(at + READ_BYTES, each.size));
  }
}

/** Returns a digest of bytes; for stored bytes it is computed once. */
export function digestOfBytes(name: string, pieces: readonly BytesPiece[], compute: () => string): string {
  if (current === null || pieces.every((each) => Buffer.isBuffer(each))) return compute();
  const parts = pieces.map((each) => (Buffer.isBuffer(each) ? each.toString('base64') : `${each.sha256}:${each.size}`));
  return current.digest(`${name} ${parts.join(' ')}`, compute);
}

/** Selects a range of bytes, without reading stored ones; `end` is exclusive. */
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

/** Converts slices to pieces: whole files stay references, parts of files are read. @throws BytesLost */
export function piecesOfSlices(slices: readonly BytesSlice[]): readonly BytesPiece[] {
  return slices.map((each) => {
    if (Buffer.isBuffer(each)) return each;
    return each.start === 0 && each.end === each.size ? each : storeOf().read(each, each.start, each.end);
  });
}

/**
 * Matches the placeholder for a file's base64 in the text of a response, which is replaced while the response is sent. Its
 * marker doesn't occur in other texts by chance.
 */
const LATER = /\u2063base64\(([^)]+)\)\u2063/;
/** Size of base64, in bytes, up to which a response contains it at once. */
const LATER_BYTES = 1 << 20;

/** Returns base64 for the text of a response; for large bytes, a placeholder that `partsOfText` replaces. */
export function base64Later(pieces: readonly BytesPiece[]): string {
  const text = byteCount(pieces) > LATER_BYTES ? textOfBytes(pieces) : '';
  return isStored(text) ? `\u2063base64(${text})\u2063` : bufferOf(pieces).toString('base64');
}

/** Splits a response's text at the placeholders of `base64Later`; null if it contains none. */
export function partsOfText(text: string, store: ByteStore): readonly SentPart[] | null {
  if (!text.includes('\u2063base64(')) return null;
  const later = (sent: string): SentPart => {
    const pieces = bytesOfText(sent, store);
    // A text from a caller that only looks like a placeholder stays unchanged.
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
