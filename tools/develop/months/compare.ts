import { createPatch } from 'diff';
import type { Played, RecordedMessage } from './play.js';

/** The first difference between two builds in a story. Later ones may follow from it and aren't compared. */
interface Divergence {
  /** Number of the call in the story, from 0. */
  readonly number: number;
  /** The call after which the builds differ. */
  readonly line: string;
  /** Lines of a patch from the messages of the earlier build to those of the later one. */
  readonly patch: readonly string[];
}

/** Compares a story byte for byte; null if it is equal. */
export function compareStories(before: readonly Played[], now: readonly Played[]): Divergence | null {
  for (const [number, old] of before.entries()) {
    const sides = [old, now[number]].map(({ response, deliveries }) => [response, ...deliveries]);
    const [one, other] = sides.map((messages) => messages.map((each) => textOf(each, each.body)).join('\n'));
    if (one === other) continue;
    const [left, right] = sides.map((messages) => messages.map((each) => textOf(each, indented(each.body))).join('\n'));
    const patch = left === right ? patchOf(one, other) : patchOf(left, right);
    return { number, line: old.response.line, patch };
  }
  return null;
}

function patchOf(before: string, now: string): string[] {
  return createPatch('story', before, now, undefined, undefined, { context: 2 }).trimEnd().split('\n').slice(4);
}

function textOf({ line, status, headers }: RecordedMessage, body: string): string {
  return [line, status, headers, body].join('\n');
}

/** Formats JSON with a line for each member; returns other bodies unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 1);
  } catch {
    return body;
  }
}
