import type { JSX } from 'preact';
import { labels } from './labels.js';
import { moneyText } from './money.js';
import { Id, toneOf } from './parts.js';
import { useStore } from './store.js';
import { msOf, plural, spanText } from './text.js';
import type { Row } from './timeline.js';
import { causeTitle, objectTitle, sentence, wordsOf } from './titles.js';
import type { Json, Pack } from './types.js';
import { useWorld } from './world.js';

/** A part of a sentence: text, an object by id, an emphasised text, or a status. */
type Piece = string | { readonly id: string } | { readonly strong: string } | { readonly bad: string };

/** Verbs that describe common operations; other operations are described by their name. */
const DONE: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Updated',
  retrieve: 'Read',
  list: 'Listed',
  search: 'Searched',
  delete: 'Deleted',
  confirm: 'Confirmed',
  cancel: 'Canceled',
  capture: 'Captured',
  attach: 'Attached',
  detach: 'Detached',
  pay: 'Paid',
  finalize: 'Finalized',
  start: 'Started',
  send: 'Sent',
};

/** Maximum number of kinds of events in the description of an advance. */
const MOST_KINDS = 3;

/** Describes a row of the timeline in words. */
export function Say({ row, links = true }: { row: Row; links?: boolean }): JSX.Element {
  useStore(labels);
  const { pack } = useWorld();
  return (
    <span class="say">
      {sentenceOf(row, pack).map((piece, at) => {
        if (typeof piece === 'string') return <span key={at}>{piece}</span>;
        if ('strong' in piece) return <strong key={at}>{piece.strong}</strong>;
        if ('bad' in piece)
          return (
            <strong key={at} class="bad-words">
              {piece.bad}
            </strong>
          );
        return <Who key={at} id={piece.id} link={links} />;
      })}
    </span>
  );
}

/** Shows an object by its display name and id. */
export function Who({ id, link = true }: { id: string; link?: boolean }): JSX.Element {
  useStore(labels);
  const name = labels.of(id)?.name ?? null;
  return (
    <span class="who">
      {name !== null && <strong>{name} </strong>}
      <Id id={id} plain={!link} />
    </span>
  );
}

function sentenceOf(row: Row, pack: Pack): Piece[] {
  switch (row.kind) {
    case 'call':
      return ofCall(row, pack);
    case 'clock':
      return ofClock(row, pack);
    case 'cause':
      return ofCause(row, pack);
    case 'seed':
    case 'gap':
      return [row.title];
    default:
      return [sentence(wordsOf(row.title.replace(/^arm /, 'add ')))];
  }
}

function ofCall(row: Row, pack: Pack): Piece[] {
  const { call } = row;
  if (!call) return [];
  const [collection, operation] = call.operation?.split('.') ?? [];
  const known = pack.resources.find((each) => each.collection === collection);
  if (!known || operation === undefined) return [{ bad: 'No such operation' }];
  const title = objectTitle(pack, collection);
  const id = subjectOf(row, collection);
  const whose = id === null ? [] : ownerOf(id);
  const money = id === null ? '' : moneyOf(id);
  if (call.status >= 400 || call.status === 0) {
    const reason = call.error === null ? `status ${call.status}` : wordsOf(call.error);
    const test = call.magic_values.at(0);
    return [
      `Could not ${wordsOf(operation)} `,
      ...whose,
      `${title}${money}: `,
      { bad: reason },
      test === undefined ? ' ' : ` (test value ${test}) `,
      ...(id === null ? [] : [{ id }]),
    ];
  }
  const verb = DONE[operation] ?? `${sentence(wordsOf(operation))}:`;
  if (operation === 'list' || operation === 'search') return [`${verb} ${wordsOf(known.collection)}`];
  const last = row.transitions.findLast((each) => each.id === id);
  return [
    `${verb} `,
    ...whose,
    `${title}${money} `,
    ...(id === null ? [] : [{ id }]),
    ...(last && last.to !== last.from ? [' → ', stateOf(last.to)] : []),
  ];
}

/** Finds the object of a call: the one in its path, the one that it created, or the first that it changed. */
function subjectOf({ call, entries, objects, transitions }: Row, collection: string | undefined): string | null {
  const path = call?.request.path ?? '';
  const changes = entries.flatMap((entry) => entry.changes);
  const inPath =
    [...objects].find((id) => path.includes(id)) ?? /\/([a-z]+(?:_[a-z]+)*_[0-9A-Za-z]{8,})/.exec(path)?.[1];
  const made = changes.find((each) => each.op === 'put' && each.collection === collection)?.id;
  return inPath ?? made ?? transitions.at(0)?.id ?? null;
}

function ofClock(row: Row, pack: Pack): Piece[] {
  const span = msOf(row.at) - msOf(row.since);
  const collections = new Map(
    row.entries.flatMap(({ changes }) => changes.map(({ id, collection }) => [id, collection] as const)),
  );
  const kinds = new Map<
    string,
    { readonly title: string; readonly to: string; readonly weight: number; readonly ids: Set<string> }
  >();
  for (const { id, to } of row.transitions) {
    const collection = collections.get(id);
    const tone = toneOf(to);
    if (collection === undefined || (tone !== 'good' && tone !== 'bad')) continue;
    const title = objectTitle(pack, collection);
    // Prefers resources with many operations, which are more relevant than others.
    const weight = pack.resources.find((each) => each.collection === collection)?.operations.length ?? 0;
    const kind = kinds.get(`${title} ${to}`) ?? { title, to, weight, ids: new Set() };
    kinds.set(`${title} ${to}`, kind);
    kind.ids.add(id);
  }
  const parts = [...kinds.values()]
    .sort((a, b) => Number(isBad(b.to)) - Number(isBad(a.to)) || b.weight - a.weight)
    .slice(0, MOST_KINDS);
  const rest = row.fired > 0 ? `: ${plural(row.fired, 'timer')} fired` : '';
  return [
    { strong: span > 0 ? `${spanText(span)} later` : 'Clock advanced' },
    ...(parts.length === 0 ? [rest] : []),
    ...parts.flatMap(({ title, to, ids }, at): Piece[] => {
      const [only] = ids;
      const who: Piece[] = ids.size === 1 ? [...ownerOf(only), `${title}${moneyOf(only)}`] : [plural(ids.size, title)];
      return [at === 0 ? ': ' : ', ', ...who, ' ', stateOf(to)];
    }),
  ];
}

function ofCause({ entries, transitions, eventsTotal, objects, title }: Row, pack: Pack): Piece[] {
  const args = entries.at(0)?.args ?? null;
  const id = idIn(args) ?? [...objects].at(0);
  const reason = /"\w*(?:code|reason)":"([a-z_]+)"/.exec(JSON.stringify(args))?.[1];
  const isLater = transitions.length === 0 && eventsTotal === 0 && objects.size === 0;
  return [
    isLater ? 'Set for later: ' : '',
    { strong: causeTitle(pack, title) },
    reason === undefined ? ' ' : ` (${wordsOf(reason)}) `,
    ...(id === undefined ? [] : [{ id }]),
  ];
}

/** Finds the first id in a command's arguments. */
function idIn(value: Json): string | undefined {
  if (typeof value === 'string') return /^[a-z]+(?:_[a-z]+)*_[0-9A-Za-z]{8,}$/.test(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value as Record<string, Json>)
    .map(idIn)
    .find((each) => each !== undefined);
}

function isBad(state: string): boolean {
  return toneOf(state) === 'bad';
}

function stateOf(state: string): Piece {
  return isBad(state) ? { bad: wordsOf(state) } : { strong: wordsOf(state) };
}

function ownerOf(id: string): Piece[] {
  const owner = labels.ownerOf(id);
  return owner === null ? [] : [{ strong: `${owner}’s ` }];
}

/** Formats the amount of an object, such as ` of $10.00`; empty if it has none. */
function moneyOf(id: string): string {
  const label = labels.of(id);
  return label?.amount == null || label.currency === null ? '' : ` of ${moneyText(label.amount, label.currency)}`;
}
