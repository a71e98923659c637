import { isList, isObject, type Json, type JsonObject } from '../values/index.js';
import { type SourceFile, STEP_KINDS, STEP_LISTS } from '../pack/index.js';
import type { StepFile, StepKind, StepKinds } from './files.js';
import { inside, type SourceLocation } from './diagnostics.js';

/** A step of a pack's file, with its location. */
export interface PlacedStep {
  readonly step: StepFile;
  readonly place: SourceLocation;
}

/** For each kind of step, the keys that contain nested steps. */
const INNER_LISTS: Readonly<Record<StepKind, { readonly steps: readonly string[] }>> = STEP_KINDS;

/** Names of all kinds of steps, in the order of the schemas. */
export const ALL_STEP_KINDS = Object.keys(INNER_LISTS) as readonly StepKind[];

/** Whether a step is of the given kind. */
export function isStep<K extends StepKind>(step: StepFile, kind: K): step is StepKinds[K] {
  return Object.hasOwn(step, kind);
}

/** Yields all steps of a file, including nested ones. The file must have passed its schema. */
export function* stepsOfFile(file: SourceFile): Generator<PlacedStep> {
  for (const keys of STEP_LISTS[file.kind] ?? []) {
    for (const { value, place } of valuesAt(file.data, keys, { file, path: [] })) yield* stepsBelow(value, place);
  }
}

/** Yields the steps of a list, each followed by its nested steps. */
export function* stepsBelow(list: Json, place: SourceLocation): Generator<PlacedStep> {
  if (!isList(list)) return;
  for (const [index, step] of (list as readonly StepFile[]).entries()) {
    const at = inside(place, index);
    yield { step, place: at };
    const members: JsonObject = step;
    for (const kind of ALL_STEP_KINDS) {
      if (!isStep(step, kind)) continue;
      for (const key of INNER_LISTS[kind].steps) yield* stepsBelow(members[key] ?? null, inside(at, key));
    }
  }
}

/** Yields the values at a path, in which `*` matches any key or index. */
function* valuesAt(
  value: Json,
  keys: readonly string[],
  place: SourceLocation,
): Generator<{ value: Json; place: SourceLocation }> {
  const [key, ...rest] = keys;
  if (key === undefined) yield { value, place };
  else if (isList(value) && key === '*') {
    for (const [index, item] of value.entries()) yield* valuesAt(item, rest, inside(place, index));
  } else if (isObject(value)) {
    for (const name of key === '*' ? Object.keys(value) : [key]) {
      if (Object.hasOwn(value, name)) yield* valuesAt(value[name], rest, inside(place, name));
    }
  }
}
