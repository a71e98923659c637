import type { Json, JsonObject } from '../../engine/values/index.js';
import type { Program } from '../../engine/program/index.js';
import { Engine, type EngineOptions, type OperationResponse } from '../../engine/runtime/index.js';
import type { Row } from '../../engine/world/index.js';

/** A world of a pack without HTTP, which records defects. */
export class EngineWorld {
  readonly engine: Engine;
  readonly defects: string[] = [];

  constructor(pack: Program, options: Pick<EngineOptions, 'seed' | 't0'> & Partial<EngineOptions>) {
    const onDefect = (error: unknown, what: string): void => this.onDefect(error, what);
    this.engine = new Engine(pack, { ledgerLimit: 100, traceLimit: 100, onDefect, ...options });
  }

  /** Calls an operation. `path` contains the values of the route's parameters. With `text`, parameters are parsed as text, as in a query. */
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
      operation: key,
      version: null,
      key: null,
      token: null,
      headers: {},
      cookies: {},
      params: {},
    };
    return this.engine.call({ operation, request, path, given, text, expand: [], scenario: null });
  }

  /** Calls an operation that must succeed, and returns the response body. */
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

  /** Advances the clock and fires all due timers. */
  advance(ms: number): void {
    const to = this.engine.world.nowMs + ms;
    while (this.engine.fireNext(to));
    this.engine.world.moveTo(to);
  }

  protected onDefect(error: unknown, what: string): void {
    this.defects.push(`${what}: ${String(error)}`);
  }
}
