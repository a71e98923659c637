import { equal, isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { ID, idKind, isGlobal, renamed } from './ids.js';
import { isSecretName } from './secrets.js';

/** The reason why a difference is expected; null if it isn't. */
type ExpectedCause = 'random' | 'settings' | 'version' | null;

/** A difference between a recorded response and the pack's. */
export interface RecordingDifference {
  /** Path of keys; `*` for list indexes. */
  readonly path: string;
  readonly recorded: string;
  readonly ours: string;
  readonly expected: ExpectedCause;
  /** What differs: a member or item on one side only, the type, or the value. */
  readonly kind: 'missing' | 'more' | 'type' | 'value';
}

/** A path of values that may differ: in any way, or only if both values are in a list. */
export interface Setting {
  readonly path: RegExp;
  readonly either: readonly Json[] | null;
}

/** Parses the settings in a file of rules. */
export function settingsOf(
  named: readonly (string | { readonly path: string; readonly either: readonly Json[] })[],
): Setting[] {
  return named.map((each) =>
    typeof each === 'string'
      ? { path: pathPattern(each), either: null }
      : { path: pathPattern(each.path), either: each.either },
  );
}

export interface Rules {
  /** `random`: paths that differ in every run; `settings`: paths that depend on an account's settings. */
  readonly random: readonly RegExp[];
  readonly settings: readonly Setting[];
  /** Paths that the vendor sets a moment later, so that either value may be null. */
  readonly later?: readonly RegExp[];
  /** `isLater`: whether the recording may have keys that the pack lacks; `isEarlier`: whether the pack may have keys that the recording lacks. */
  readonly isLater: boolean;
  readonly isEarlier: boolean;
  /** Ids in the replay, by the corresponding recorded id. */
  readonly ids: ReadonlyMap<string, string>;
  /** Recorded ids, by the id in the replay. */
  readonly names?: ReadonlyMap<string, string>;
  /** Whether the recorded value at a path repeats a value in the request, so that account settings don't affect it. */
  readonly isEcho?: (path: string, recorded: Json) => boolean;
  /** Whether two values are equivalent; undefined: the default comparison applies. */
  readonly same?: (recorded: Json, ours: Json, key: string) => boolean | undefined;
}

/** Number of seconds by which times may differ. */
const TOLERANCE_SECONDS = 2 * 86_400;
/** Smallest integer that is compared as a time. */
const FIRST_INSTANT = 1_000_000_000;
const ABSENT = 'absent';

/** Matches an example's placeholder for any value, or for a saved one. */
const ANYTHING = /^\$\{[^}]*\}$/;

/** Yields the ids at equal paths in both responses, with the key. Lists may contain older items, which are skipped. */
export function* pairs(
  recorded: Json | undefined,
  ours: Json | undefined,
  key = '',
  isTop = true,
): Iterable<readonly [recorded: string, ours: string, key: string]> {
  if (isList(recorded) && isList(ours))
    for (const [index, each] of recorded.entries()) yield* pairs(each, ours[index], key, false);
  else if (isObject(recorded) && isObject(ours)) {
    if (!(isTop && isPage(recorded)))
      for (const [name, value] of Object.entries(recorded)) yield* pairs(value, ours[name], name, false);
  } else if (
    typeof recorded === 'string' &&
    typeof ours === 'string' &&
    /_secret_/.test(recorded) &&
    /_secret_/.test(ours)
  )
    yield [recorded, ours, key];
  else if (typeof recorded === 'string' && ANYTHING.test(recorded)) {
    if (typeof ours === 'string' || typeof ours === 'number') yield [recorded, String(ours), key];
  } else if (areIds(recorded, ours, key)) yield [String(recorded), String(ours), key];
}

/** Whether two values are ids of one kind, or secrets issued to the caller. */
function areIds(recorded: Json | undefined, ours: Json | undefined, key: string): boolean {
  if (isSecretName(key) && key !== 'number' && typeof recorded === 'string' && typeof ours === 'string')
    return recorded !== '' && ours !== '';
  const kind = idKind(recorded, key);
  return kind !== null && kind === idKind(ours, key);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Yields the differences of two responses: keys, types, and values that follow from the calls. */
export function* responseDifferences(
  recorded: Json,
  ours: Json,
  rules: Rules,
  path = '',
): Iterable<RecordingDifference> {
  const differs = (one: string, other: string, kind: RecordingDifference['kind']): RecordingDifference => ({
    path,
    kind,
    recorded: one,
    ours: other,
    expected: expectedCause(path, recorded, ours, kind, rules),
  });
  if (isPage(recorded) && isPage(ours)) yield* pageDifferences(recorded, ours, rules, path);
  else if (isList(recorded) && isList(ours)) {
    if (recorded.length !== ours.length)
      yield differs(`${recorded.length} items`, `${ours.length} items`, ours.length === 0 ? 'missing' : 'value');
    for (let i = 0; i < Math.min(recorded.length, ours.length); i++)
      yield* responseDifferences(recorded[i], ours[i], rules, `${path}.*`);
  } else if (isObject(recorded) && isObject(ours)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(ours)])) {
      const inside = path === '' ? key : `${path}.${key}`;
      const [one, other] = [recorded[key], ours[key]];
      if (one === undefined) yield oneSided(inside, undefined, other, rules);
      else if (other === undefined) yield oneSided(inside, one, undefined, rules);
      else yield* responseDifferences(one, other, rules, inside);
    }
  } else if (!isSame(recorded, ours, path.slice(path.lastIndexOf('.') + 1), rules))
    yield differs(shown(recorded), shown(ours), typeOf(recorded) === typeOf(ours) ? 'value' : 'type');
}

function typeOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

/** A response that is a page of a list, not embedded in an object. */
type Page = JsonObject & { readonly data: readonly Json[] };

function isPage(value: Json): value is Page {
  return isObject(value) && value['object'] === 'list' && isList(value['data']);
}

/** Compares pages. If a page also contains objects from before the recording, only objects created in it are compared. */
function* pageDifferences(recorded: Page, ours: Page, rules: Rules, path: string): Iterable<RecordingDifference> {
  const idOf = (each: Json): string => (isObject(each) && typeof each['id'] === 'string' ? each['id'] : '');
  const unrecorded = path === '' && recorded.data.some((each) => !rules.ids.has(idOf(each)));
  if (!unrecorded) {
    yield* responseDifferences({ ...recorded, object: '' }, { ...ours, object: '' }, rules, path);
    return;
  }
  for (const each of recorded.data) {
    const own = ours.data.find((other) => idOf(other) === rules.ids.get(idOf(each)));
    if (own !== undefined) yield* responseDifferences(each, own, rules, 'data.*');
  }
}

/** Yields the difference for a key on one side only. */
function oneSided(path: string, recorded: Json | undefined, ours: Json | undefined, rules: Rules): RecordingDifference {
  const kind = ours === undefined ? 'missing' : 'more';
  const byVersion = ours === undefined ? rules.isLater : rules.isEarlier;
  const expected = expectedCause(path, recorded, ours, kind, rules) ?? (byVersion ? 'version' : null);
  return { path, recorded: shown(recorded), ours: shown(ours), expected, kind };
}

/** Returns the reason why a difference is expected; null if it isn't. Random values must still have the same type. */
function expectedCause(
  path: string,
  recorded: Json | undefined,
  ours: Json | undefined,
  kind: RecordingDifference['kind'],
  { random, settings, later = [], isEcho }: Rules,
): ExpectedCause {
  if (later.some((each) => each.test(path))) return 'random';
  if (kind !== 'type' && random.some((each) => each.test(path))) return 'random';
  if (recorded !== undefined && isEcho?.(path, recorded) === true) return null;
  const isEither = (either: readonly Json[]): boolean =>
    recorded !== undefined &&
    ours !== undefined &&
    [recorded, ours].every((side) => either.some((each) => equal(each, side)));
  return settings.some((each) => each.path.test(path) && (each.either === null || isEither(each.either)))
    ? 'settings'
    : null;
}

function isSame(recorded: Json, ours: Json, key: string, { ids, names, same }: Rules): boolean {
  const known = same?.(recorded, ours, key);
  if (known !== undefined) return known;
  if (typeof recorded === 'string' && typeof ours === 'string' && names && ids.has(recorded) && isGlobal(recorded))
    return ids.get(recorded) === ours && names.get(ours) === recorded;
  if (recorded === ours || areIds(recorded, ours, key)) return true;
  if (typeof recorded === 'string' && ANYTHING.test(recorded)) return true;
  if (typeof recorded === 'number' && typeof ours === 'number')
    return recorded > FIRST_INSTANT && ours > FIRST_INSTANT && Math.abs(recorded - ours) < TOLERANCE_SECONDS;
  if (typeof recorded !== 'string' || typeof ours !== 'string') return false;
  if (ID.test(recorded) && ID.test(ours)) return false;
  // Texts are also equal if only an id in them differs, or the account in a URL.
  return renamed(recorded, ids) === ours || plain(recorded) === plain(ours);
}

function plain(text: string): string {
  return text
    .replace(/[a-z]{2,}_[0-9A-Za-z]{10,}/g, 'id')
    .replace(/https?:\/\/\S+/g, 'url')
    .replace(/\b[0-9a-z]{3}_test\w+/g, 'key');
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? ABSENT;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Compiles a path with wildcards (`**.fee`, `lines.*.id`), which also matches everything below it. */
export function pathPattern(path: string): RegExp {
  const source = path
    .split('.')
    .map((key) => (key === '**' ? '.*' : key === '*' ? '[^.]+' : key.replace(/[^\w]/g, '\\$&')))
    .join('\\.')
    .replaceAll('.*\\.', '(?:.*\\.)?')
    .replace(/\\\.\.\*$/, '(?:\\..*)?');
  return new RegExp(`^${source}(?:\\..*)?$`);
}
