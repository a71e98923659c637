import type { Json } from '../../engine/values/index.js';
/** Recognises ids in responses, and maps recorded ids to those of a sandbox. */

/** An id: a prefix, an underscore, and many letters and digits. */
export const ID = /^[a-z]{2,}(?:_[a-z]{2,})*_[0-9A-Za-z]{10,}$/;
export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Matches ids of two capital letters and 32 hexadecimal digits. */
const SID = /^[A-Z]{2}[0-9a-f]{32}$/;
/** Whether an id identifies one object everywhere, by its format. */
export function isGlobal(id: string): boolean {
  return ID.test(id) || UUID.test(id) || SID.test(id);
}

/** Matches keys whose values are ids. */
const NAMING = /^(?:id|sid|uuid|guid|number)$|_(?:id|sid|uuid|number)$|[a-z](?:Id|Sid|Uuid|Number)$/;
const STEM = /_?(?:id|sid|uuid|guid|number)$/i;

/**
 * Returns the kind of an id, by its format and key; null if the value isn't an id. Values of one kind may correspond. Digits are ids only under
 * certain keys.
 */
export function idKind(value: Json | undefined, key: string): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && NAMING.test(key) ? 'number' : null;
  if (typeof value !== 'string' || value === '') return null;
  if (ID.test(value)) return value.slice(0, value.lastIndexOf('_'));
  if (UUID.test(value)) return 'uuid';
  if (SID.test(value)) return value.slice(0, 2);
  if (!NAMING.test(key)) return null;
  if (/^\d+$/.test(value)) return 'digits';
  return /^[0-9A-Za-z_-]{8,}$/.test(value) && /\d/.test(value) ? 'text' : null;
}

/** Recorded ids, with the corresponding ones in the replay. */
export class RecordedIds extends Map<string, string> {
  readonly #near = new Map<string, string>();
  /** Recorded ids, by the corresponding ids in the replay. */
  readonly names = new Map<string, string>();

  /**
   * Pairs a recorded id with the id in the replay.
   * @param key the id's key, which distinguishes equal ids: `project_id`, or for `id` the collection in the path
   * @param path of the call
   */
  addId(recorded: string, ours: string, key: string, path: string): void {
    if (!this.has(recorded)) this.set(recorded, ours);
    if (!this.names.has(ours)) this.names.set(ours, recorded);
    const stem = stemOf(key) || stemOf(collectionOf(path));
    const near = `${stem}/${recorded}`;
    if (!this.#near.has(near)) this.#near.set(near, ours);
  }

  /** Whether an earlier response contained a recorded id. @param near a key, or the preceding segment of the path */
  includes(recorded: string, near: string): boolean {
    return this.has(recorded) || this.#near.has(`${stemOf(near)}/${recorded}`);
  }

  /** Returns the corresponding id in the replay; the id itself if unknown. @param near a key, or the preceding segment of the path */
  of(recorded: string, near: string): string {
    return this.#near.get(`${stemOf(near)}/${recorded}`) ?? this.get(recorded) ?? recorded;
  }

  /** Replaces recorded ids in a path with the replay's ids. */
  inPath(path: string): string {
    const parts = path.split('/');
    return parts.map((part, at) => (at > 0 ? this.of(part, parts[at - 1]) : part)).join('/');
  }

  /** Replaces recorded ids in a request value with the replay's ids. */
  inValue(value: Json, key = ''): Json {
    if (typeof value === 'number') return idKind(value, key) === null ? value : Number(this.of(String(value), key));
    if (typeof value === 'string')
      return idKind(value, key) === null ? (this.get(value) ?? renamed(value, this)) : this.of(value, key);
    if (Array.isArray(value)) return value.map((each: Json) => this.inValue(each, key.replace(/s$/, '')));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.inValue(each, name)]));
  }
}

/** Returns the last segment of a path that is a collection. */
function collectionOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.findLast((part) => !/\d/.test(part) || /^v\d+$/.test(part)) ?? '';
}

function stemOf(name: string): string {
  return name
    .replace(STEM, '')
    .replace(/(?:es|s)$/, '')
    .toLowerCase();
}

/** Replaces recorded ids in a text with the replay's ids, except ids that look like words. */
export function renamed(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(
    /[a-z]{2,}(?:_[0-9A-Za-z]+)+|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[A-Z]{2}[0-9a-f]{32}\b|\$\{\w+\}/gi,
    (id) => ids.get(id) ?? id,
  );
}

/** Decodes a part of a form; returns it unchanged if that fails. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
