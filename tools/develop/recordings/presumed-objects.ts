import type { Sandbox } from '../../../engine/index.js';
import { misfit, type ResourceDef } from '../../../engine/model/index.js';
import type { JsonObject } from '../../../engine/values/index.js';
import { NUMBERED } from './presumed-tables.js';
import type { PresumedRow } from './presumed-values.js';

/** Collects the objects of a reconstructed world, and those that the recording created itself. */
export class PresumedObjects {
  readonly all = new Map<string, Map<string, PresumedRow>>();
  readonly made = new Set<string>();
  /** Ids in the world by recorded id. */
  readonly ids = new Map<string, string>();
  count = 900_000;

  constructor(private readonly sandbox: Sandbox) {}

  of(collection: string): Map<string, PresumedRow> {
    const known = this.all.get(collection) ?? new Map<string, PresumedRow>();
    this.all.set(collection, known);
    return known;
  }

  /** Adds an object, unless it exists. */
  add(collection: string, id: string, row: PresumedRow): void {
    const rows = this.of(collection);
    if (!rows.has(id)) rows.set(id, row);
  }

  /** Adds an object that a call needs, unless it exists or a call created it. */
  presume(collection: string, id: string, row: PresumedRow): void {
    if (!this.made.has(`${collection} ${id}`)) this.add(collection, id, row);
  }

  idOf(name: string, repo: string, part: string): string {
    if (!(name in NUMBERED)) return `${repo}/${part}`;
    const id = this.ids.get(part) ?? `${NUMBERED[name]}${this.count++}`;
    this.ids.set(part, id);
    return id;
  }

  /** Whether an object appeared before. */
  seen(name: string, repo: string, part: string): boolean {
    const rows = this.of(name);
    return rows.has(
      name === 'repos' || name === 'users' ? repo : name in NUMBERED ? (this.ids.get(part) ?? '') : `${repo}/${part}`,
    );
  }

  def(collection: string): ResourceDef {
    const def = this.sandbox.engine.model.byCollection.get(collection);
    if (!def) throw new Error(`the pack has no ${collection}`);
    return def;
  }

  /** Members of an object that the pack stores under the same name and with a compatible type. */
  fields(collection: string, value: JsonObject): JsonObject {
    const { time } = this.sandbox.engine.model.settings;
    const stored = [...this.def(collection).schema.fields].filter(
      ([key, schema]) =>
        key !== 'id' && schema.view === undefined && schema.kind !== 'const' && value[key] !== undefined,
    );
    return Object.fromEntries(
      stored.flatMap(([key, schema]) =>
        misfit(schema, value[key], key, time) === undefined ? [[key, value[key]]] : [],
      ),
    );
  }
}
