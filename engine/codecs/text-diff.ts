import { diffArrays } from 'diff';

/** Lines of context around a change in a hunk. */
const CONTEXT = 3;
/**
 * Limit of edits in the search for the shortest script; beyond it the differing part counts as replaced. The cost grows with
 * the square of the edits.
 */
const MAX_EDITS = 600;
const MAX_HEADING = 80;

/** A diff of two texts, in the format of `git diff`. */
interface TextDiff {
  readonly additions: number;
  readonly deletions: number;
  /** Hunks of a unified diff, without file names; empty if the texts are equal. */
  readonly patch: string;
}

/** A line of a patch. */
interface PatchLine {
  /** Line number below the first hunk's header, which is 0; headers of later hunks count. */
  readonly position: number;
  /** Index of the hunk that has the line, from 0. */
  readonly hunk: number;
  /** The number of the line before the change; null if it was added. */
  readonly before: number | null;
  /** The number of the line after the change; null if it was removed. */
  readonly after: number | null;
  /** The line with its sign: space, `+` or `-`. */
  readonly text: string;
}

interface Edit {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** Compares two texts by lines. */
export function textDiff(before: string, after: string): TextDiff {
  const edits = settled(editsOf(linesOf(before), linesOf(after)));
  return {
    additions: edits.filter(({ sign }) => sign === '+').length,
    deletions: edits.filter(({ sign }) => sign === '-').length,
    patch: hunksOf(edits).join('\n'),
  };
}

/** Returns the lines of a patch, without hunk headers and the marks of missing line ends. */
export function patchLines(patch: string): PatchLine[] {
  const found: PatchLine[] = [];
  let [hunk, before, after] = [-1, 0, 0];
  for (const [position, text] of (patch === '' ? [] : patch.split('\n')).entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header !== null) [hunk, before, after] = [hunk + 1, Number(header[1]), Number(header[2])];
    else if (text.startsWith('-')) found.push({ position, hunk, before: before++, after: null, text });
    else if (text.startsWith('+')) found.push({ position, hunk, before: null, after: after++, text });
    else if (!text.startsWith('\\')) found.push({ position, hunk, before: before++, after: after++, text });
  }
  return found;
}

/** Splits a text into lines, each with its line end; the last line may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const as = (sign: Edit['sign'], lines: readonly string[]): Edit[] => lines.map((line) => ({ sign, line }));
  const [old, made] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const parts = diffArrays(old, made, { maxEditLength: MAX_EDITS }) ?? [
    { value: old, added: false, removed: true },
    { value: made, added: true, removed: false },
  ];
  return [
    ...as(' ', before.slice(0, start)),
    ...parts.flatMap(({ value, added, removed }) => as(added ? '+' : removed ? '-' : ' ', value)),
    ...as(' ', before.slice(before.length - end)),
  ];
}

/** Places ambiguous changes as git does: removed lines come first, and a block moves down as far as possible. */
function settled(edits: readonly Edit[]): Edit[] {
  const list = ordered(edits);
  for (let end = list.length - 1; end >= 0; end--) {
    const { sign } = list[end];
    if (sign === ' ') continue;
    let start = end;
    while (start > 0 && list[start - 1].sign === sign) start--;
    const alone = list[start - 1]?.sign !== '-' || sign === '-';
    if (alone && list[end + 1]?.sign !== '+') {
      for (let to = end + 1; list[to]?.sign === ' ' && list[to].line === list[start].line; to++, start++) {
        list[to] = { sign, line: list[to].line };
        list[start] = { sign: ' ', line: list[start].line };
      }
    }
    end = Math.min(end, start);
  }
  return ordered(list);
}

/** The edits with the removed lines of each block before its added ones. */
function ordered(edits: readonly Edit[]): Edit[] {
  const list: Edit[] = [];
  let added: Edit[] = [];
  for (const edit of edits) {
    if (edit.sign === '+') added.push(edit);
    else {
      if (edit.sign === ' ') {
        list.push(...added);
        added = [];
      }
      list.push(edit);
    }
  }
  return [...list, ...added];
}

function hunksOf(edits: readonly Edit[]): string[] {
  const changed = edits.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const ranges: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && index - CONTEXT <= last.to) last.to = index + CONTEXT + 1;
    else ranges.push({ from: Math.max(0, index - CONTEXT), to: index + CONTEXT + 1 });
  }
  let [at, before, after, heading] = [0, 0, 0, ''];
  return ranges.map(({ from, to }) => {
    for (; at < from; at++) {
      const { sign, line } = edits[at];
      if (sign !== '+') before++;
      if (sign !== '-') after++;
      if (sign !== '+' && /^[A-Za-z_$]/.test(line)) heading = line.trimEnd().slice(0, MAX_HEADING);
    }
    const own = edits.slice(from, to);
    const count = (other: Edit['sign']) => own.filter(({ sign }) => sign !== other).length;
    const [old, made] = [count('+'), count('-')];
    const head = `@@ -${range(before, old)} +${range(after, made)} @@${heading === '' ? '' : ` ${heading}`}`;
    return [head, ...own.map(written)].join('\n');
  });
}

/** Formats `start,count` for a hunk header; a count of 1 is omitted, and an empty range starts at the line before it. */
function range(linesBefore: number, count: number): string {
  return count === 1 ? String(linesBefore + 1) : `${count === 0 ? linesBefore : linesBefore + 1},${count}`;
}

function written({ sign, line }: Edit): string {
  return line.endsWith('\n') ? sign + line.slice(0, -1) : `${sign}${line}\n\\ No newline at end of file`;
}
