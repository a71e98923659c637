import type { Sandbox } from '../../../engine/index.js';
import { misfit, type ResourceDef } from '../../../engine/model/index.js';
import type { Json, JsonObject } from '../../../engine/values/index.js';
import { KINDS, type ObjectAddress } from './presumed-kinds.js';
import { shownText, textAtPath } from './presumed-values.js';

/** An object of a seed while it is assembled. */
export type PresumedRow = Record<string, Json>;

/** An object in a response and its row in the seed. */
export interface ShownObject {
  readonly kind: string;
  readonly repo: string;
  /** Id of the object within its repository. */
  readonly part: string;
  readonly path: string;
  readonly value: JsonObject;
  readonly id: string;
  readonly row: PresumedRow;
}

/** Collects the objects of a reconstructed world, and those that the recording created itself. */
export class PresumedSeed {
  readonly all = new Map<string, Map<string, PresumedRow>>();
  readonly #made = new Set<string>();
  /** Ids in the reconstructed world, by recorded id. */
  readonly ids = new Map<string, string>();
  #count = 900_000;

  constructor(private readonly sandbox: Sandbox) {}

  of(collection: string): Map<string, PresumedRow> {
    const known = this.all.get(collection) ?? new Map<string, PresumedRow>();
    this.all.set(collection, known);
    return known;
  }

  get(collection: string, id: string): PresumedRow | undefined {
    return this.of(collection).get(id);
  }

  /** Adds an object, and replaces an existing one. */
  set(collection: string, id: string, row: PresumedRow): void {
    this.of(collection).set(id, { id, ...row });
  }

  /** Adds an object, unless it exists. */
  add(collection: string, id: string, row: PresumedRow): void {
    if (!this.of(collection).has(id)) this.set(collection, id, row);
  }

  /** Adds an object that a call needs, unless it exists or a call created it. */
  presume(collection: string, id: string, row: PresumedRow): void {
    if (!this.isMade(collection, id)) this.add(collection, id, row);
  }

  /** Notes that a call created an object. */
  make(collection: string, id: string): void {
    this.#made.add(`${collection} ${id}`);
  }

  /** Whether a call created an object. */
  isMade(collection: string, id: string): boolean {
    return this.#made.has(`${collection} ${id}`);
  }

  /** Returns the next number, which no object of this world has yet. */
  next(): number {
    return this.#count++;
  }

  /** Returns the id of an object in the world. @param part id in the repository; the recorded id if the pack numbers these objects */
  idOf(name: string, repo: string, part = String(this.#count)): string {
    const digits = KINDS[name]?.digits;
    if (digits === undefined) return `${repo}/${part}`;
    const id = this.ids.get(part) ?? `${digits}${this.next()}`;
    this.ids.set(part, id);
    return id;
  }

  /** Whether a response or call has already contained this object. */
  seen(name: string, repo: string, part: string): boolean {
    if (name === 'repos' || name === 'users') return this.of(name).has(repo);
    const isNumbered = KINDS[name]?.digits !== undefined;
    return this.of(name).has(isNumbered ? (this.ids.get(part) ?? '') : `${repo}/${part}`);
  }

  #def(collection: string): ResourceDef {
    const def = this.sandbox.engine.model.byCollection.get(collection);
    if (!def) throw new Error(`the pack has no ${collection}`);
    return def;
  }

  /** Members of an object that the pack stores under the same name and with a compatible type. */
  fields(collection: string, value: JsonObject): JsonObject {
    const { time } = this.sandbox.engine.model.settings;
    const stored = [...this.#def(collection).schema.fields].filter(
      ([key, schema]) =>
        key !== 'id' && schema.view === undefined && schema.kind !== 'const' && value[key] !== undefined,
    );
    return Object.fromEntries(
      stored.flatMap(([key, schema]) =>
        misfit(schema, value[key], key, time) === undefined ? [[key, value[key]]] : [],
      ),
    );
  }

  /** Converts an object in a response to a row, as far as its members are known. */
  shown([kind, repo, part, path]: ObjectAddress, value: JsonObject): ShownObject {
    const { digits, from = {} } = KINDS[kind];
    const id = this.idOf(kind, repo, kind === 'labels' ? shownText(value['name']) || part : part);
    const row: PresumedRow = { ...this.fields(kind, value), id, repo_id: repo };
    if (typeof value['id'] === 'number' && digits === undefined) row['num'] = value['id'];
    for (const [field, at] of Object.entries(from)) {
      const found = textAtPath(value, at);
      if (found !== null || field !== 'user_login') row[field] = found;
    }
    return { kind, repo, part, path, value, id, row };
  }

  /** Adds a row without members that the pack doesn't store. */
  put({ kind, id, row }: ShownObject): void {
    const { fields } = this.#def(kind).schema;
    this.set(kind, id, Object.fromEntries(Object.entries(row).filter(([key]) => fields.has(key))));
  }
}
