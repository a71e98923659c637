import type { Pair } from 'yaml';
import { type Draft, isBlank, isMap, isScalar, pairKey, pairsOf, type DraftPlace, plainest, WIDTH } from './draft.js';

/** Keys of an error besides its body. */
const OWN = new Set(['status', 'args', 'body', 'empty', 'envelope', 'headers', 'description']);
const INDENT = '  ';

/** A member of an error in its short form: `key: text`. */
type Part = readonly [key: string, text: string];

/** Default status and body of errors, as written in the file. */
interface Defaults {
  readonly status: string | undefined;
  /** Default members of error bodies by key, in the order of bodies; undefined: omitted by default. */
  readonly body: ReadonlyMap<string, string | undefined>;
}

/** Moves what most errors share to `defaults:`, writes an error on one line if that is shorter, and arguments by name. */
export function shortenErrors(draft: Draft, place: DraftPlace): void {
  const errors = draft.top.get('errors');
  if (!errors || !isMap(errors.value)) return;
  if (!draft.top.has('defaults')) withDefaults(draft, errors, place);
  for (const { value } of errors.value.items) {
    const args = pairsOf(value).get('args');
    if (args && isMap(args.value) && draft.isPlain(args.value) && !draft.touches(args.value))
      draft.edit(...draft.rangeOf(args.value), argsOf(draft, args, place));
  }
}

function withDefaults(draft: Draft, errors: Pair, place: DraftPlace): void {
  const shortened = isMap(errors.value)
    ? errors.value.items.filter((pair) => isMap(pair.value) && draft.isPlain(pair.value))
    : [];
  const defaults = defaultsOf(draft, shortened);
  if (defaults.body.size === 0) return;
  const edits: [from: number, to: number, text: string][] = [];
  let saved = 0;
  for (const pair of shortened) {
    const [from] = draft.rangeOf(pair.key);
    const [, to] = draft.rangeOf(pair.value);
    const made = written(draft, pair, defaults, place);
    const gain = made === undefined ? 0 : to - from - made.length;
    if (made === undefined || gain <= 0) continue;
    edits.push([from, to, made]);
    saved += gain;
  }
  const body = [...defaults.body].map(([key, text]) => `${key}: ${text ?? 'null'}`).join(', ');
  const status = defaults.status === undefined ? '' : `${INDENT}status: ${defaults.status}\n`;
  const header = `defaults:\n${status}${INDENT}body: { ${body} }\n\n`;
  if (saved <= header.length) return;
  const [top] = draft.rangeOf(errors.key);
  draft.edit(top, top, header);
  for (const edit of edits) draft.edit(...edit);
}

/** Finds defaults: the most frequent status, the keys in a fifth of the bodies, and the values that most bodies have. */
function defaultsOf(draft: Draft, errors: readonly Pair[]): Defaults {
  const bodies = errors.map(({ value }) => pairsOf(pairsOf(value).get('body')?.value)).filter(({ size }) => size > 0);
  const keys = new Map<string, { count: number; places: number; texts: string[] }>();
  for (const body of bodies)
    [...body].forEach(([key, { value }], at) => {
      const known = keys.get(key) ?? { count: 0, places: 0, texts: [] };
      keys.set(key, { count: known.count + 1, places: known.places + at, texts: [...known.texts, draft.slice(value)] });
    });
  const usual = [...keys]
    .filter(([key, { count }]) => !OWN.has(key) && count * 5 >= bodies.length)
    .toSorted(([, a], [, b]) => a.places / a.count - b.places / b.count)
    .map(([key, { texts }]) => [key, commonest(texts, bodies.length)] as const);
  const statuses = errors
    .map(({ value }) => draft.slice(pairsOf(value).get('status')?.value))
    .filter((each) => /^\d+$/.test(each));
  return { status: commonest(statuses, errors.length), body: new Map(usual) };
}

/** Returns the text that more than half of the errors have; undefined if there is none. */
function commonest(texts: readonly string[], of: number): string | undefined {
  const counts = new Map<string, number>();
  for (const each of texts) counts.set(each, (counts.get(each) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return best !== undefined && best[1] * 2 > of && !best[0].includes('\n') ? best[0] : undefined;
}

/** Writes the short form of an error; undefined if it has none, since its body is computed, in another order, or contains null. */
function written(draft: Draft, pair: Pair, { status, body: usual }: Defaults, place: DraftPlace): string | undefined {
  const own = pairsOf(pair.value);
  const { value } = own.get('body') ?? { value: undefined };
  if (own.has('empty') || (value !== undefined && !isMap(value))) return undefined;
  const body = pairsOf(value);
  const order = [...body.keys()].map((key) => [...usual.keys()].indexOf(key));
  if (order.some((at, index) => at < 0 || OWN.has([...body.keys()][index]) || (index > 0 && order[index - 1] > at)))
    return undefined;
  if (
    [...body.values()].some((each) => each.value === null || isBlank(each.value) || draft.slice(each.value) === 'null')
  )
    return undefined;
  const parts: Part[] = [];
  for (const [key, each] of own) {
    if (key === 'body') parts.push(...bodyParts(draft, body, usual, place));
    else if (key !== 'status')
      parts.push(key === 'args' ? ['args', argsOf(draft, each, place)] : partOf(draft, each, place));
    else if (draft.slice(each.value) !== status) parts.push(partOf(draft, each, place));
  }
  if (value === undefined) parts.push(...bodyParts(draft, body, usual, place));
  return laidOut(draft.slice(pair.key), parts);
}

function bodyParts(draft: Draft, body: ReadonlyMap<string, Pair>, usual: Defaults['body'], place: DraftPlace): Part[] {
  return [...usual].flatMap(([key, text]): Part[] => {
    const given = body.get(key);
    if (given === undefined) return text === undefined ? [] : [[key, 'null']];
    return draft.slice(given.value) === text ? [] : [partOf(draft, given, place)];
  });
}

function partOf(draft: Draft, pair: Pair, place: DraftPlace): Part {
  const { value } = pair;
  const isLong = isScalar(value) && draft.slice(value).includes('\n');
  return [
    draft.slice(pair.key),
    isLong ? plainest(String(value.value)) : draft.flow(value, { ...place, inFlow: true, key: pairKey(pair) }),
  ];
}

/** Formats arguments as `[a, b]` if all of them are texts, otherwise as a map on one line. */
function argsOf(draft: Draft, pair: Pair, place: DraftPlace): string {
  const args = isMap(pair.value) ? pair.value.items : [];
  return args.every((each) => isScalar(each.value) && each.value.value === 'string')
    ? `[${args.map(({ key }) => draft.slice(key)).join(', ')}]`
    : draft.flow(pair.value, { ...place, inFlow: true, key: 'args' });
}

function laidOut(name: string, parts: readonly Part[]): string {
  const alone = parts.length === 1 && parts[0][0] === 'message' ? parts[0][1] : undefined;
  const line =
    alone === undefined
      ? `${name}: { ${parts.map(([key, text]) => `${key}: ${text}`).join(', ')} }`
      : `${name}: ${alone}`;
  if (INDENT.length + line.length <= WIDTH) return line;
  if (alone !== undefined) return [`${name}:`, ...folded(alone, INDENT.repeat(2))].join('\n');
  const lines = parts.map(([key, text]) => {
    const whole = `${INDENT.repeat(2)}${key}: ${text}`;
    if (whole.length <= WIDTH || key !== 'message') return whole;
    return `${INDENT.repeat(2)}${key}:\n${folded(text, INDENT.repeat(3)).join('\n')}`;
  });
  return [`${name}:`, ...lines].join('\n');
}

/** Formats a long quoted text on several lines. */
function folded(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of (/^["']/.test(text) ? text : JSON.stringify(text)).split(' ')) {
    const next = line === indent ? `${line}${word}` : `${line} ${word}`;
    if (next.length > WIDTH) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = next;
  }
  return [...lines, line];
}
