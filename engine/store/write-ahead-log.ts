import { readFileSync, statSync } from 'node:fs';

/** Damage in the write-ahead log of a store. */
interface LogDamage {
  /** Whether transactions that were on disk are lost; false: only the newest, possibly interrupted one. */
  readonly isLost: boolean;
  readonly message: string;
}

/** Sizes and offsets in bytes of the fields of SQLite's log: https://www.sqlite.org/fileformat.html#the_write_ahead_log */
const HEADER = { size: 32, pageSize: 8, salt: 16, sum: 24 };
const FRAME = { size: 24, commit: 4, salt: 8, sum: 16 };
const MAGIC = 0x377f0682;
/**
 * Maximum number of bits by which the salt of a damaged frame differs from its log's; frames of an older log have a random
 * other salt.
 */
const MARK_BITS = 3;
/** Milliseconds between two reads of the log, which detect a process that is writing to it. */
const LOOK_AGAIN_MS = 50;
const LOOKS = 5;

/**
 * Finds damage in the log of a closed SQLite file, since SQLite silently ignores what follows the first damage.
 * @returns undefined if there is no log, or an intact one
 */
export function logDamage(file: string): LogDamage | undefined {
  const log = `${file}-wal`;
  for (let look = 1; ; look++) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= HEADER.size) return undefined;
    const bytes = readFileSync(log);
    const damage = damageIn(bytes);
    if (damage === undefined || look === LOOKS) return damage;
    pause(LOOK_AGAIN_MS);
    if (statSync(log, { throwIfNoEntry: false })?.size === bytes.length && bytes.equals(readFileSync(log)))
      return damage;
  }
}

function damageIn(log: Buffer): LogDamage | undefined {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const isLittle = (view.getUint32(0) & 1) === 0;
  const sums: Sums = [0, 0];
  add(sums, view, 0, HEADER.sum, isLittle);
  const pageBytes = view.getUint32(HEADER.pageSize);
  if ((view.getUint32(0) | 1) !== (MAGIC | 1) || !hasSums(view, HEADER.sum, sums))
    return { isLost: true, message: 'the head of its log (-wal) is damaged, and so all of it is lost' };
  const frameBytes = FRAME.size + pageBytes;
  const frames = Math.floor((log.length - HEADER.size) / frameBytes);
  const at = (frame: number): number => HEADER.size + frame * frameBytes;
  const isSound = (frame: number): boolean => {
    add(sums, view, at(frame), FRAME.salt, isLittle);
    add(sums, view, at(frame) + FRAME.size, pageBytes, isLittle);
    return markBits(view, at(frame)) === 0 && hasSums(view, at(frame) + FRAME.sum, sums);
  };
  let broken = 0;
  while (broken < frames && isSound(broken)) broken++;
  const ofLog = (frame: number): boolean => markBits(view, at(frame)) <= MARK_BITS;
  const isCommit = (frame: number): boolean => view.getUint32(at(frame) + FRAME.commit) !== 0;
  if (broken === frames || !hasAny(broken, frames, ofLog)) return undefined;
  let end = broken;
  while (end < frames && !isCommit(end)) end++;
  if (hasAny(end + 1, frames, ofLog))
    return { isLost: true, message: 'its log (-wal) is damaged, and the newest calls that it had kept are lost' };
  return {
    isLost: false,
    message:
      "the last write to its log (-wal) can't be read and is ignored: it was interrupted, or the log is damaged there",
  };
}

type Sums = [first: number, second: number];

/** Updates a log's checksums with bytes, eight at a time. */
function add(sums: Sums, view: DataView, from: number, bytes: number, isLittle: boolean): void {
  let [first, second] = sums;
  for (let at = from; at < from + bytes; at += 8) {
    first = (first + view.getUint32(at, isLittle) + second) >>> 0;
    second = (second + view.getUint32(at + 4, isLittle) + first) >>> 0;
  }
  sums[0] = first;
  sums[1] = second;
}

function hasSums(view: DataView, at: number, [first, second]: Sums): boolean {
  return view.getUint32(at) === first && view.getUint32(at + 4) === second;
}

/** Counts the bits in which a frame's salt differs from the log's. */
function markBits(view: DataView, frame: number): number {
  let bits = 0;
  for (const word of [0, 4]) {
    let differing = view.getUint32(frame + FRAME.salt + word) ^ view.getUint32(HEADER.salt + word);
    for (; differing !== 0; differing &= differing - 1) bits++;
  }
  return bits;
}

function hasAny(from: number, to: number, holds: (frame: number) => boolean): boolean {
  for (let frame = from; frame < to; frame++) if (holds(frame)) return true;
  return false;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
