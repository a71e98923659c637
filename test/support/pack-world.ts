import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Json, JsonObject } from '../../engine/expression/index.js';
import { loadPack } from '../../engine/index.js';
import { type Answer, type CompiledPack, Engine } from '../../engine/runtime/index.js';
import type { Problem } from '../../engine/pack/index.js';
import type { Row } from '../../engine/world/index.js';

/** What every small pack of these tests needs; an invented bakery that takes orders. */
export const BASE: Readonly<Record<string, string>> = {
  'pack.yaml': `name: bakery
version: 0.1.0
`,
  'errors.yaml': `errors:
  api_key_missing: { status: 401 }
  api_key_invalid: { status: 401 }
  unknown_route: { status: 404 }
  not_found: { status: 404, args: { id: any, param: string }, body: { error: not_found, id: "\${id}", param: "\${param}" } }
  parameter_missing: { status: 400, args: { param: string }, body: { error: missing, param: "\${param}" } }
  parameter_unknown: { status: 400, args: { param: string }, body: { error: unknown, param: "\${param}" } }
  parameter_invalid: { status: 400, args: { param: string, kind: any, value: any }, body: { error: invalid, param: "\${param}", kind: "\${kind}", value: "\${value}" } }
  wrong_state: { status: 409, args: { action: string, status: string }, body: { error: wrong_state, status: "\${status}" } }
  internal_error: { status: 500 }
  body_malformed: { status: 400 }
  fault: { status: "\${status}", args: { status: integer } }
`,
};

/** Files of a pack by name, beside or instead of the usual ones; text for `pack.yaml` is added to the usual head. */
export type PackFiles = Readonly<Record<string, string>>;

/** Writes a pack of these files, with more errors beside the usual ones. */
export function packFolder(files: PackFiles, errors = ''): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'bakery-'));
  const all = {
    ...BASE,
    'errors.yaml': `${BASE['errors.yaml']}${errors}`,
    ...files,
    'pack.yaml': `${BASE['pack.yaml']}${files['pack.yaml'] ?? ''}`,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** Loads a pack of these files. */
export function inspect(files: PackFiles): {
  readonly pack: CompiledPack | null;
  readonly problems: readonly Problem[];
} {
  const folder = packFolder(files);
  try {
    return loadPack(folder.path);
  } finally {
    folder.remove();
  }
}

/** `code file:line message`, one per problem. */
export function problemsOf(files: PackFiles): string[] {
  return inspect(files).problems.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`);
}

/** A world of a small pack. */
export class PackWorld {
  readonly engine: Engine;
  readonly defects: string[] = [];

  constructor(files: PackFiles, seed = 'bakery') {
    const { pack, problems } = inspect(files);
    if (!pack || problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
    this.engine = new Engine(pack, {
      seed,
      t0: Date.UTC(2026, 0, 1),
      ledgerLimit: 100,
      traceLimit: 100,
      onDefect: (error, what) => void this.defects.push(`${what}: ${String(error)}`),
    });
  }

  /** Calls an operation; `path` are the values of its route's names. Parameters count as text when `text` is set (queries). */
  call(key: string, given: JsonObject = {}, path: Readonly<Record<string, string>> = {}, text = false): Answer {
    const operation = this.engine.pack.operations.find((each) => each.key === key);
    if (!operation) throw new Error(`there is no ${key}`);
    const request = { id: 'req_1', idempotency_key: null, method: 'POST', path: '/', version: null, key: null };
    return this.engine.call({ operation, request, path, given, text, expand: [], scenario: null });
  }

  /** The body of a call that succeeds. */
  do(
    key: string,
    given: JsonObject = {},
    path: Readonly<Record<string, string>> = {},
    text = false,
  ): Record<string, Json> {
    const { status, body } = this.call(key, given, path, text);
    if (status >= 300) throw new Error(`${key}: ${status} ${body}; ${this.defects.join('; ')}`);
    return JSON.parse(body ?? '{}') as Record<string, Json>;
  }

  rows(collection: string): readonly Row[] {
    const def = this.engine.model.byCollection.get(collection);
    return def ? this.engine.world.collections[def.index].ordered().all() : [];
  }

  /** Moves the clock and fires what is due. */
  advance(ms: number): void {
    const to = this.engine.world.nowMs + ms;
    while (this.engine.fireNext(to));
    this.engine.world.moveTo(to);
  }
}
