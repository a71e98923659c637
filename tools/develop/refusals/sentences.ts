import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A sentence in the types of a vendor's npm client that describes an invalid call. */
export interface DocumentedSentence {
  readonly text: string;
  /** Parameters that contain the sentence, such as `CouponCreateParams/currency#2`: the second such sentence of the parameter. */
  readonly at: readonly string[];
}

/** Matches sentences about limits, formats, and parameters that exclude or require each other. */
const FORBIDS = new RegExp(
  [
    String.raw`required (if|when|for \x60|only|and applicable|unless)|is required|are required|only required|(one|two) of .* required`,
    String.raw`(can|may|should) (be )?only|only (be )?(valid|applicable|allowed|supported|accepted|available|one of|used with|set if|with)`,
    String.raw`must|cannot|can't|may not|must not|has to be|not (allowed|supported|valid)|exclusive (with|of)|mutually exclusive`,
    String.raw`(maximum|minimum) (of|amount is|\d|length|precision|character)|max(imum)? length|at (most|least)|up to|limited to|limit the|longer than`,
    String.raw`no more than|either |one of|but not both|non-negative|positive (integer|decimal|float)|between \d|or equal|above`,
  ].join('|'),
  'i',
);

/** Matches sentences like those of `FORBIDS` that don't forbid anything. */
const OTHERS =
  /^(for example|a unique|unique|the unique|our|we|see|if neither|note that we)\b|we recommend|will be|would|you can optionally/i;

/**
 * Extracts sentences that forbid calls from the types below a folder, without duplicates, in file order. Reads types line by line: the client's files
 * are generated, with a comment above each parameter.
 */
export function sentencesOf(folder: string): DocumentedSentence[] {
  const found = new Map<string, string[]>();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
  for (const name of files.toSorted())
    for (const { path, comment } of documented(readFileSync(join(folder, name), 'utf8'))) {
      if (!path.some((each) => each.endsWith('Params'))) continue;
      const at = path.join('/');
      const own = sentences(comment).filter((text) => FORBIDS.test(text) && !OTHERS.test(text));
      for (const [index, text] of own.entries())
        found.set(text, [...(found.get(text) ?? []), index === 0 ? at : `${at}#${index + 1}`]);
    }
  return [...found].map(([text, at]) => ({ text, at: [...new Set(at)] }));
}

function sentences(comment: string): string[] {
  const plain = comment.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
  return plain.split(/(?<=[.!])\s+(?=[A-Z`])/).map((each) => each.trim());
}

interface Documented {
  readonly path: readonly string[];
  readonly comment: string;
}

/** Yields every commented property of a file with the names of the enclosing interfaces. */
function* documented(text: string): Generator<Documented> {
  const open: string[] = [];
  let comment: string[] = [];
  let isComment = false;
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line.startsWith('/**')) [comment, isComment] = [[], true];
    if (isComment) {
      comment.push(line.replaceAll(/^\/?\*+\/?|\*\/$/g, '').trim());
      isComment = !line.endsWith('*/');
      continue;
    }
    const property = /^(?:readonly )?'?(\w+)'?\??:/.exec(line)?.[1];
    const path = open.filter((name) => name !== '' && name !== 'Stripe');
    if (property !== undefined && comment.length > 0)
      yield { path: [...new Set(path), property], comment: comment.join(' ') };
    const scope = /(?:interface|namespace) (\w+).*\{$/.exec(line)?.[1];
    if (line.endsWith('{')) open.push(scope ?? '');
    if (line.startsWith('}')) open.pop();
    if (line !== '') comment = [];
  }
}
