import { isList, isObject, type Json, type JsonObject } from '../../expression/index.js';
import { inside, type Place, type ResourceDef } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';

/** A step of the pack, and the resource in whose file it stands. */
export interface FoundStep {
  readonly step: JsonObject;
  readonly place: Place;
  readonly owner: ResourceDef | null;
}

/** A text of the pack, and where it stands. */
export interface FoundText {
  readonly text: string;
  readonly place: Place;
}

const STEP_LISTS = new Set(['do', 'then', 'else']);

const steps = new WeakMap<CompiledPack, readonly FoundStep[]>();

/** Every step of a pack: of actions, operations, flows, causes and deliveries. */
export function allSteps(pack: CompiledPack): readonly FoundStep[] {
  const found = steps.get(pack) ?? [...findSteps(pack)];
  steps.set(pack, found);
  return found;
}

function* findSteps({ model }: CompiledPack): Generator<FoundStep> {
  const owners = new Map(model.resources.map((def) => [def.place.file, def]));
  for (const file of model.source.files) {
    if (file.kind === 'example' || file.kind === 'table') continue;
    const owner = owners.get(file) ?? null;
    for (const each of stepsBelow(file.data, { file, path: [] })) yield { ...each, owner };
  }
}

function* stepsBelow(value: Json, place: Place): Generator<{ readonly step: JsonObject; readonly place: Place }> {
  if (isList(value)) {
    for (const [index, item] of value.entries()) yield* stepsBelow(item, inside(place, index));
    return;
  }
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const at = inside(place, key);
    if (isList(item) && (STEP_LISTS.has(key) || isActionList(place, key) || key === 'exhausted')) {
      for (const [index, step] of item.entries()) if (isObject(step)) yield { step, place: inside(at, index) };
    }
    yield* stepsBelow(item, at);
  }
}

function isActionList({ file, path }: Place, key: string): boolean {
  return file.kind === 'resource' && path.length === 1 && path[0] === 'actions' && key !== '';
}

const texts = new WeakMap<CompiledPack, readonly FoundText[]>();

/** Every text of a pack's files, apart from examples. */
export function allTexts(pack: CompiledPack): readonly FoundText[] {
  const found = texts.get(pack) ?? [...findTexts(pack)];
  texts.set(pack, found);
  return found;
}

function* findTexts({ model }: CompiledPack): Generator<FoundText> {
  for (const file of model.source.files) {
    if (file.kind !== 'example') yield* textsBelow(file.data, { file, path: [] });
  }
}

function* textsBelow(value: Json, place: Place): Generator<FoundText> {
  if (typeof value === 'string') yield { text: value, place };
  else if (isList(value)) for (const [index, item] of value.entries()) yield* textsBelow(item, inside(place, index));
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) yield* textsBelow(item, inside(place, key));
}

/** A name, several, or none, as a list. */
export function names(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
