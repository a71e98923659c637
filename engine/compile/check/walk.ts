import { isList, isObject, type Json } from '../../values/index.js';
import { inside, type SourceLocation, type PlacedStep, stepsOfFile } from '../../model/index.js';
import { USES } from '../../pack/index.js';
import type { CompiledPack } from '../pack.js';

/** A text of the pack with its location. */
interface FoundText {
  readonly text: string;
  readonly place: SourceLocation;
}

const steps = new WeakMap<CompiledPack, readonly PlacedStep[]>();

/** Every step of a pack: of actions, operations, flows, causes and deliveries. */
export function allSteps(pack: CompiledPack): readonly PlacedStep[] {
  const found = steps.get(pack) ?? pack.model.source.files.flatMap((file) => [...stepsOfFile(file)]);
  steps.set(pack, found);
  return found;
}

const texts = new WeakMap<CompiledPack, readonly FoundText[]>();

/** Every text of a pack's files, apart from examples and seed data. */
export function allTexts(pack: CompiledPack): readonly FoundText[] {
  const found = texts.get(pack) ?? [...findTexts(pack)];
  texts.set(pack, found);
  return found;
}

function* findTexts({ model }: CompiledPack): Generator<FoundText> {
  for (const file of model.source.files) {
    if (!USES.has(file.kind)) yield* textsBelow(file.data, { file, path: [] });
  }
}

function* textsBelow(value: Json, place: SourceLocation): Generator<FoundText> {
  if (typeof value === 'string') yield { text: value, place };
  else if (isList(value)) for (const [index, item] of value.entries()) yield* textsBelow(item, inside(place, index));
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) yield* textsBelow(item, inside(place, key));
}

/** A name, a list of names, or nothing, as a list. */
export function names(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
