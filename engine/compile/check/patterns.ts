import safeRegex from 'safe-regex2';
import { isObject, type Json } from '../../expression/index.js';
import { inside, type IdFormat, type Place, type ResourceDef } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';
import { RandomStream } from '../../world/index.js';

/** Ids that are made to look at. */
const SAMPLES = 20;

/** What makes a group optional or repeats it so many times is no loop, though safe-regex2 counts it as one. */
const OPTIONAL = /(?<=(?<!\\)\))(?:\?|\{\d+\})/g;
const MAX_REPETITIONS = 100;

/** What is wrong with regular expressions, and ids that cannot be told apart or do not match their own pattern. */
export function reviewPatterns(pack: CompiledPack): void {
  for (const file of pack.model.source.files) {
    if (file.kind !== 'example' && file.kind !== 'table') reviewBelow(file.data, { file, path: [] }, pack);
  }
  for (const def of pack.model.resources) reviewIds(def, pack);
}

function reviewBelow(value: Json, place: Place, pack: CompiledPack): void {
  if (!isObject(value)) {
    if (Array.isArray(value))
      (value as readonly Json[]).forEach((item, index) => reviewBelow(item, inside(place, index), pack));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const at = inside(place, key);
    if ((key === 'pattern' || key === 'looks_like') && typeof item === 'string') reviewPattern(item, at, pack);
    else reviewBelow(item, at, pack);
  }
}

function reviewPattern(source: string, place: Place, { model }: CompiledPack): void {
  if (isBroken(source)) {
    model.linking.problem(place, 'bad-pattern', `not a regular expression: ${reasonOf(source)}`);
  } else if (!safeRegex(source.replace(OPTIONAL, ''), { limit: MAX_REPETITIONS })) {
    model.linking.problem(
      place,
      'unsafe-pattern',
      'this pattern could take exponential time: a repetition stands inside another',
    );
  }
}

function isBroken(source: string): boolean {
  return reasonOf(source) !== '';
}

function reasonOf(source: string): string {
  try {
    new RegExp(source, 'u');
    return '';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
  }
}

function reviewIds(def: ResourceDef, { model }: CompiledPack): void {
  const idPlace = inside(def.place, 'id');
  if (def.singleton || def.file.id === undefined) return;
  const own = sample(def.ids);
  const strange = own.find((id) => !def.ids.pattern.test(id));
  if (strange !== undefined) {
    model.linking.problem(
      idPlace,
      'id-pattern',
      `an id made here, such as '${strange}', does not match ${def.ids.pattern.source}`,
      { at: 'key' },
    );
    return;
  }
  const other = model.resources.find(
    (each) =>
      each.index < def.index &&
      each.file.id !== undefined &&
      !each.singleton &&
      own.every((id) => each.ids.pattern.test(id)) &&
      // A pattern that was written to take another resource's ids beside its own takes them on purpose.
      (each.file.id.pattern === undefined || sample(each.ids).every((id) => def.ids.pattern.test(id))),
  );
  if (other !== undefined) {
    const message = `ids of ${def.name} and ${other.name} cannot be told apart: '${own[0]}' could be either`;
    model.linking.problem(
      def.file.id.prefix === undefined ? idPlace : inside(idPlace, 'prefix'),
      'ambiguous-ids',
      message,
      { severity: 'warning' },
    );
  }
}

function sample(ids: IdFormat): string[] {
  const random = new RandomStream(1);
  return Array.from({ length: SAMPLES }, () => ids.make(random));
}
