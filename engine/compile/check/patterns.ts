import { isObject, type Json, patternProblem } from '../../values/index.js';
import { inside, keyIn, type IdFormat, type SourceLocation, type ResourceDef } from '../../model/index.js';
import { USES } from '../../pack/index.js';
import type { CompiledPack } from '../pack.js';
import { RandomStream } from '../../world/index.js';

/** How many ids are generated for a comparison. */
const SAMPLES = 20;

/** Keys whose value is a regular expression. */
const PATTERNS = ['pattern', 'looks_like'];

/** Reports invalid regular expressions, and ids that can't be distinguished or don't match their own pattern. */
export function checkPatterns(pack: CompiledPack): void {
  for (const file of pack.model.source.files) {
    if (!USES.has(file.kind)) checkBelow(file.data, { file, path: [] }, pack);
  }
  const alike = new Map<ResourceDef, Alike[]>();
  for (const def of pack.model.resources) {
    const found = checkIds(def, pack);
    // Ids without a prefix, such as UUIDs, look alike; this matters only where one reference may contain either kind.
    if (found && (hasPrefix(def) || hasPrefix(found.other) || areNamedTogether(def, found.other, pack)))
      alike.set(found.other, [...(alike.get(found.other) ?? []), found]);
  }
  for (const [other, all] of alike) reportAlike(other, all, pack);
}

/** A resource whose ids could be those of another one. */
interface Alike {
  readonly def: ResourceDef;
  readonly other: ResourceDef;
  /** The location at which the problem is reported. */
  readonly place: SourceLocation;
  readonly id: string;
}

/** Maximum number of resources that one message lists. */
const NAMED = 3;

/** Reports all resources whose ids look like those of another in one warning: an imported pack may have hundreds. */
function reportAlike(other: ResourceDef, all: readonly Alike[], { model }: CompiledPack): void {
  const [{ place, id }] = all;
  const names = all.map(({ def }) => def.name);
  const more = names.length - NAMED;
  const shown = more > 1 ? [...names.slice(0, NAMED), `${more} more`] : names;
  const message =
    names.length === 1
      ? `ids of ${names[0]} and ${other.name} cannot be distinguished: '${id}' could be either`
      : `ids of ${other.name}, ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} cannot be distinguished: '${id}' could be any of them`;
  model.diagnostics.warning(place, 'ambiguous-ids', message);
}

function checkBelow(value: Json, place: SourceLocation, pack: CompiledPack): void {
  if (!isObject(value)) {
    if (Array.isArray(value))
      (value as readonly Json[]).forEach((item, index) => checkBelow(item, inside(place, index), pack));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const at = inside(place, key);
    // Columns of a pack's table may be called `pattern`; one is a regular expression only if a column `type` is beside it.
    const isPattern =
      place.file?.kind === 'table'
        ? key === 'pattern' && 'type' in value
        : PATTERNS.includes(key) || isOfVersions(key, place);
    if (isPattern && typeof item === 'string') checkPattern(item, at, pack);
    else checkBelow(item, at, pack);
  }
}

/** Whether a key is a pattern of version names: `versions.older` of pack.yaml, `later` of a version. */
function isOfVersions(key: string, { file, path }: SourceLocation): boolean {
  return file?.kind === 'version'
    ? key === 'later' && path.length === 0
    : key === 'older' && file?.kind === 'pack' && path.length === 1 && path[0] === 'versions';
}

function checkPattern(source: string, place: SourceLocation, { model }: CompiledPack): void {
  const problem = patternProblem(source);
  if (problem === undefined) return;
  if (problem.kind === 'broken')
    model.diagnostics.problem(place, 'bad-pattern', `not a regular expression: ${problem.message}`);
  else model.diagnostics.problem(place, 'unsafe-pattern', problem.message);
}

function checkIds(def: ResourceDef, { model }: CompiledPack): Alike | undefined {
  const idPlace = inside(def.place, 'id');
  if (def.singleton || def.file.id === undefined || def.file.id.key !== undefined) return undefined;
  // Skips invalid patterns, since they are reported where they are declared.
  if (patternProblem(def.ids.pattern.source)) return undefined;
  const own = sample(def.ids);
  const strange = own.find((id) => !def.ids.pattern.test(id));
  if (strange !== undefined) {
    model.diagnostics.problem(
      keyIn(idPlace),
      'id-pattern',
      `an id made here, such as '${strange}', does not match ${def.ids.pattern.source}`,
    );
    return undefined;
  }
  const other = model.resources.find(
    (each) =>
      each.index < def.index &&
      each.file.id !== undefined &&
      !each.singleton &&
      patternProblem(each.ids.pattern.source) === undefined &&
      own.every((id) => each.ids.pattern.test(id)) &&
      // An explicit pattern may match ids of other resources on purpose, so it isn't reported.
      (each.file.id.pattern === undefined ||
        (def.file.id?.pattern === undefined && sample(each.ids).every((id) => def.ids.pattern.test(id)))),
  );
  if (other === undefined) return undefined;
  return { def, other, id: own[0], place: def.file.id.prefix === undefined ? idPlace : inside(idPlace, 'prefix') };
}

function hasPrefix({ file }: ResourceDef): boolean {
  return file.id?.prefix !== undefined && file.id.prefix !== '';
}

/** Whether some type of the pack is a reference that may name objects of either resource. */
function areNamedTogether(a: ResourceDef, b: ResourceDef, { model }: CompiledPack): boolean {
  const isIn = (value: Json): boolean => {
    if (Array.isArray(value)) return (value as readonly Json[]).some(isIn);
    if (!isObject(value)) return false;
    const { ref } = value;
    return (Array.isArray(ref) && [a, b].every(({ name }) => ref.includes(name))) || Object.values(value).some(isIn);
  };
  return model.source.files.some(({ kind, data }) => !USES.has(kind) && isIn(data));
}

function sample(ids: IdFormat): string[] {
  const random = new RandomStream(1);
  return Array.from({ length: SAMPLES }, () => ids.make(random));
}
