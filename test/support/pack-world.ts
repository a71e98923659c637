import type { Json, JsonObject } from '../../engine/values/index.js';
import { loadPack } from '../../engine/index.js';
import type { Program } from '../../engine/program/index.js';
import { type OperationResponse, Engine } from '../../engine/runtime/index.js';
import type { Problem } from '../../engine/pack/index.js';
import type { Row } from '../../engine/world/index.js';
import { packFolder, type PackFiles } from './sample-pack.js';

/** Loads a pack of these files. */
export function inspect(files: PackFiles): {
  readonly pack: Program | null;
  readonly problems: readonly Problem[];
} {
  return loadPack(packFolder(files));
}

/** `code file:line message`, one per problem. */
export function problemsOf(files: PackFiles): string[] {
  return inspect(files).problems.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`);
}

/** A world of a small pack. */
export class PackWorld {
  readonly engine: Engine;
  readonly defects: string[] = [];

  constructor(files: PackFiles, seed = 'bakery', errors = '') {
    const { pack, problems } = loadPack(packFolder(files, errors));
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
  call(
    key: string,
    given: JsonObject = {},
    path: Readonly<Record<string, string>> = {},
    text = false,
  ): OperationResponse {
    const operation = this.engine.pack.operations.find((each) => each.key === key);
    if (!operation) throw new Error(`there is no ${key}`);
    const request = {
      id: 'req_1',
      idempotency_key: null,
      method: 'POST',
      path: '/',
      version: null,
      key: null,
      token: null,
      headers: {},
    };
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

  /** Advances the clock and fires what is due. */
  advance(ms: number): void {
    const to = this.engine.world.nowMs + ms;
    while (this.engine.fireNext(to));
    this.engine.world.moveTo(to);
  }
}
