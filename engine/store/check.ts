import type { StoredEntry } from '../world/index.js';
import { eachText, readContents, type EntrySource } from './reading.js';
import { StoreError } from './store.js';

/** Reads all data of a world, including its history. @returns problems, as sentences */
export async function checkWorld(source: EntrySource): Promise<string[]> {
  const { whole, blocks } = source;
  const { record, first, place, snapshot } = whole;
  const wrong: string[] = [];
  try {
    await readContents(source);
  } catch (error) {
    wrong.push(sentence(error));
  }
  const numbers: number[] = [];
  try {
    await eachText(blocks, first, place, (text) => {
      for (const line of text.split('\n')) {
        const record = JSON.parse(line) as object;
        if ('kind' in record) continue;
        const { n } = record as StoredEntry;
        const last = numbers.at(-1);
        if (last !== undefined && n !== last + 1) wrong.push(`entry ${last + 1} is missing: ${n} follows on ${last}`);
        numbers.push(n);
      }
    });
  } catch (error) {
    wrong.push(sentence(error));
  }
  const last = numbers.at(-1);
  if (wrong.length === 0 && last !== undefined && last !== record.head)
    wrong.push(`the last entry is ${last}, and not ${record.head}`);
  if (snapshot && snapshot.entry > record.head)
    wrong.push(`its snapshot is of entry ${snapshot.entry}, which is not there`);
  return [...new Set(wrong)];
}

function sentence(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  return error instanceof SyntaxError ? `a line isn't JSON: ${error.message}` : String(error);
}
