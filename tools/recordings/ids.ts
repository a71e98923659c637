import type { Json } from '../../engine/values/index.js';
/** What names objects in responses, so that ids of a recording and ids of a sandbox can stand for each other. */

/** An id: a prefix, an underscore, and many letters and digits. */
export const ID = /^[a-z]{2,}(?:_[a-z]{2,})*_[0-9A-Za-z]{10,}$/;
export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Two letters and 32 hexadecimal digits. */
const SID = /^[A-Z]{2}[0-9a-f]{32}$/;
/** Whether an id names one object wherever it is, by its look. */
export function isGlobal(id: string): boolean {
  return ID.test(id) || UUID.test(id) || SID.test(id);
}

/** Keys whose values name objects. */
const NAMING = /^(?:id|sid|uuid|guid|number)$|_(?:id|sid|uuid|number)$|[a-z](?:Id|Sid|Uuid|Number)$/;
const STEM = /_?(?:id|sid|uuid|guid|number)$/i;

/**
 * What kind of id a value is, by its look and by the key where it is; null: none. Values of one kind may stand for each other.
 * Digits name objects only where a key says so.
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

/** Ids of a recording, and what they are called here. */
export class RecordedIds extends Map<string, string> {
  readonly #near = new Map<string, string>();
  /** Recorded ids by what they are called here. */
  readonly names = new Map<string, string>();

  /**
   * @param key where it is, which distinguishes equal names: `project_id`, or `id` below the path of its collection
   * @param path of the call
   */
  addId(recorded: string, ours: string, key: string, path: string): void {
    if (!this.has(recorded)) this.set(recorded, ours);
    if (!this.names.has(ours)) this.names.set(ours, recorded);
    const stem = stemOf(key) || stemOf(collectionOf(path));
    const near = `${stem}/${recorded}`;
    if (!this.#near.has(near)) this.#near.set(near, ours);
  }

  /** Whether a response has contained an id. */
  includes(recorded: string, near: string): boolean {
    return this.has(recorded) || this.#near.has(`${stemOf(near)}/${recorded}`);
  }

  /** What an id is called here; itself when nothing is known. @param near a key, or the part of a path before it */
  of(recorded: string, near: string): string {
    return this.#near.get(`${stemOf(near)}/${recorded}`) ?? this.get(recorded) ?? recorded;
  }

  /** A path with its ids as they are called here. */
  inPath(path: string): string {
    const parts = path.split('/');
    return parts.map((part, at) => (at > 0 ? this.of(part, parts[at - 1]) : part)).join('/');
  }

  /** A value that is sent, likewise. */
  inValue(value: Json, key = ''): Json {
    if (typeof value === 'number') return idKind(value, key) === null ? value : Number(this.of(String(value), key));
    if (typeof value === 'string')
      return idKind(value, key) === null ? (this.get(value) ?? renamed(value, this)) : this.of(value, key);
    if (Array.isArray(value)) return value.map((each: Json) => this.inValue(each, key.replace(/s$/, '')));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.inValue(each, name)]));
  }
}

/** The last part of a path that names a collection. */
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

/** A text with recorded ids as they are called here: those that differ from other words. */
export function renamed(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(
    /[a-z]{2,}(?:_[0-9A-Za-z]+)+|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[A-Z]{2}[0-9a-f]{32}\b|\$\{\w+\}/gi,
    (id) => ids.get(id) ?? id,
  );
}
