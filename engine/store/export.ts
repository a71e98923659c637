import type { LedgerHeader } from '../world/index.js';
import type { Flush, Snapshot } from './protocol.js';
import { eachText, type EntrySource } from './reading.js';
import { type NewWorld, StoreError } from './store.js';
import type { FileLines } from './world-files.js';

/** Format of exported worlds; raise it when they are written differently. */
const FORMAT = 3;
/** Format of exported worlds that have no files, which earlier releases can read too. */
const FORMAT_WITHOUT_FILES = 2;
/** The oldest format that can be imported, whose traces contain all their data. */
const OLDEST = 1;
/** Number of characters in a block of an imported world. */
const BLOCK_CHARACTERS = 2 ** 18;

/**
 * The first line of an exported world, which is lines of JSON: this header; its files (`file`, then `bytes` in base64); then
 * its ledger and journal in order, one entry or record per line; among them, at its position, the snapshot (`snapshot` with the
 * number of `piece` lines that follow).
 */
interface ExportHeader {
  readonly sandbox: 'world';
  readonly format: number;
  readonly world: NewWorld;
  readonly head: number;
  readonly header: LedgerHeader;
}

/** The parsed lines of an exported world. */
export interface Exported {
  readonly world: NewWorld;
  readonly header: string;
  readonly contents: Omit<Flush, 'blocks'>;
  readonly texts: readonly string[];
  readonly head: number;
}

/**
 * Yields the lines of a world's export.
 * @param files the lines that contain the world's files; none by default
 * @throws StoreError `missing` if the world is empty, `damaged`
 */
export async function* exportLines(
  { whole, pieces, blocks }: EntrySource,
  files?: Iterable<string>,
): AsyncGenerator<string> {
  const { record, header, snapshot, first, place } = whole;
  if (header === null) throw new StoreError('missing', `world ${record.id} has not begun: there is nothing in it`);
  const { name, key, pack, expires, head } = record;
  const about: ExportHeader = {
    sandbox: 'world',
    format: files === undefined ? FORMAT_WITHOUT_FILES : FORMAT,
    world: { name, key, pack, expires },
    head,
    header: JSON.parse(header) as LedgerHeader,
  };
  yield JSON.stringify(about);
  if (files !== undefined) yield* files;
  let lines: string[] = [];
  const written = async (): Promise<void> => {
    if (!snapshot) return;
    const { entry, size } = snapshot;
    lines.push(JSON.stringify({ snapshot: { entry, size, pieces: snapshot.last - snapshot.first + 1 } }));
    await eachText(pieces, snapshot.first, snapshot.last, (text) => void lines.push(`{"piece":${text}}`));
  };
  for (let at = first; at <= place;) {
    const texts = await blocks(at);
    if (texts.length === 0) throw new StoreError('damaged', `block ${at} of world ${record.id} is missing`);
    for (const text of texts) {
      lines = [];
      const own = text.split('\n');
      const cut = at === snapshot?.place ? snapshot.lines : own.length;
      lines.push(...own.slice(0, cut));
      if (at === snapshot?.place) await written();
      lines.push(...own.slice(cut));
      yield* lines;
      at++;
    }
  }
  if (!snapshot || snapshot.place <= place) return;
  lines = [];
  await written();
  yield* lines;
}

/**
 * Parses the lines of an exported world.
 * @param files receives the lines of files
 * @throws StoreError `format` if the lines aren't an exported world, `damaged`
 */
export async function readExport(lines: AsyncIterable<string> | Iterable<string>, files: FileLines): Promise<Exported> {
  let about: ExportHeader | undefined;
  const texts: string[] = [];
  const pieces: { world: number; number: number; text: string }[] = [];
  let snapshot: Snapshot | undefined;
  let waiting: string[] = [];
  let characters = 0;
  const flush = (): void => {
    if (waiting.length > 0) texts.push(waiting.join('\n'));
    waiting = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (about === undefined) {
      about = headOf(line);
    } else if (await files.take(line)) {
      continue;
    } else if (line.startsWith('{"piece":')) {
      pieces.push({ world: 0, number: pieces.length + 1, text: line.slice('{"piece":'.length, -1) });
    } else if (line.startsWith('{"snapshot":')) {
      flush();
      const mark = (JSON.parse(line) as { snapshot: { entry: number; size: number; pieces: number } }).snapshot;
      const place = texts.length + 1;
      snapshot = { world: 0, entry: mark.entry, size: mark.size, place, lines: 0, first: 1, last: mark.pieces };
    } else {
      waiting.push(line);
      characters += line.length;
      if (characters >= BLOCK_CHARACTERS) flush();
    }
  }
  await files.end();
  flush();
  if (about === undefined) throw new StoreError('format', 'the file is empty');
  const { world, header, head } = about;
  const contents = { pieces, snapshots: snapshot ? [snapshot] : [] };
  return { world, header: JSON.stringify(header), contents, texts, head };
}

function headOf(line: string): ExportHeader {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw notOne();
  }
  if (typeof parsed !== 'object' || parsed === null || !('sandbox' in parsed) || parsed.sandbox !== 'world')
    throw notOne();
  const head = parsed as ExportHeader;
  if (!(head.format >= OLDEST && head.format <= FORMAT))
    throw new StoreError('format', `the exported world has format ${head.format}; this version reads up to ${FORMAT}`);
  return head;
}

function notOne(): StoreError {
  return new StoreError('format', 'the file is no exported world');
}
