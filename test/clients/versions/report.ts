import { appendFileSync } from 'node:fs';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { type Host } from '../../../engine/expression/index.js';
import { NO_REQUEST } from '../../../engine/model/index.js';
import type { VersionShape } from '../../../engine/program/index.js';
import type { Engine } from '../../../engine/runtime/index.js';
import type { Row } from '../../../engine/world/index.js';
import { type Conformance, conformanceOf } from '../../../tools/develop/conformance/index.js';
import { releaseOf } from '../../../tools/develop/conformance/releases.js';
import { type Found, type Kind, Tally } from './tally.js';

/** A release of the client and the version of the API that it sends. */
export interface Judge {
  readonly version: string;
  /** Of the installed package; null: the one that the project itself is tested with. */
  readonly folder: string | null;
}

interface Judged {
  readonly version: string;
  readonly conformance: Pick<Conformance, 'of'>;
  readonly tally: Tally;
}

/** What only the base has: no later release declares it. */
const ONLY_BASE = new Set(['usage_record', 'usage_record_summary']);

/**
 * Shows everything that worlds of tests answer, tell and hold in versions of the API, and checks each body against the declarations of the
 * release that sends the version. What it finds goes to a file: one line of JSON for each world.
 */
export class VersionsReport {
  readonly #judges: readonly Judged[];

  constructor(
    judges: readonly Judge[],
    private readonly file: string,
  ) {
    this.#judges = judges.map(({ folder, version }) => ({
      version,
      conformance: folder === null ? { of: conformanceOf } : releaseOf(folder).conformance,
      tally: new Tally(),
    }));
  }

  /** Has every event of a world from now on written in all versions, as if endpoints wanted them. */
  follow({ runtime }: Engine): void {
    for (const { version } of this.#judges) runtime.endpoints?.alsoIn.add(version);
  }

  /**
   * Checks an answer as each version would have given it.
   * @param version as the answer names it: one in another version than the base is checked in that one alone
   */
  answered(engine: Engine, label: string, text: string, version: string | null, withoutId: boolean): void {
    const { pack, runtime } = engine;
    const body = JSON.parse(text) as Json;
    if (!isObject(body) || pack.versions === null) return;
    const own = version === null ? undefined : pack.versions.find(version, true)?.version;
    const isBase = own === undefined || own.shape === null;
    for (const judge of this.#judges) {
      const found = pack.versions.find(judge.version, false)?.version;
      const shape = found?.shape ?? null;
      if (!isBase && found !== own) continue;
      if (shape !== null && isOnlyBase(body)) continue;
      // Events are written once.
      const isWritten = isOfEvents(body);
      if (isWritten && found !== pack.versions.current) continue;
      const shown = isBase && !isWritten && shape !== null ? shownIn(shape, runtime.reader, body) : body;
      this.#judge(engine, judge, 'answers', label, shown, withoutId);
    }
  }

  /** Checks all objects and events of a world, and writes down what was found since the last time. */
  check(engine: Engine): void {
    const { runtime, world } = engine;
    const { events } = engine.model.settings;
    // What a tenant that is gone had nobody reads any more.
    const living = world.tenants.ids.filter((id) => world.collections[runtime.tenantResource].get(id) !== undefined);
    for (const collection of [...world.collections, ...living.flatMap((id) => world.tenants.of(id))]) {
      for (const row of collection.ordered().all()) {
        const { def } = runtime.resources[row.resource];
        if (def.name === events?.resource) {
          for (const judge of this.#judges) this.#event(engine, judge, row, events.renderings ?? '');
          continue;
        }
        // What there is one of is answered by steps of its own.
        if (def.singleton || typeof row.value['object'] !== 'string') continue;
        for (const judge of this.#judges) {
          const isGone =
            ONLY_BASE.has(row.value['object']) && engine.pack.versions?.find(judge.version, false)?.version.shape;
          if (!isGone) this.#judge(engine, judge, 'objects', def.name, bodyOf(engine, judge.version, row), false);
        }
      }
    }
    const found = Object.fromEntries(
      this.#judges.map(({ version, tally }): [string, Found] => [version, tally.take()]),
    );
    appendFileSync(this.file, `${JSON.stringify(found)}\n`);
  }

  #event(engine: Engine, judge: Judged, row: Row, renderings: string): void {
    const versions = row.value[renderings];
    const own = isObject(versions) ? versions[judge.version] : undefined;
    const { current } = engine.pack.versions ?? {};
    const isCurrent = engine.pack.versions?.find(judge.version, false)?.version === current;
    // Those of before the world was followed are written in the account's version only.
    if (own === undefined && !isCurrent) return;
    const value = isObject(own) ? { ...row.value, ...own } : row.value;
    const { runtime } = engine;
    const body = runtime.reader.within(row.tenant, () =>
      runtime.resources[row.resource].response().value(runtime.reader, value),
    );
    this.#judge(engine, judge, 'events', String(row.value['type']), JSON.parse(JSON.stringify(body)), false);
  }

  #judge(engine: Engine, judge: Judged, kind: Kind, label: string, body: unknown, withoutId: boolean): void {
    const vendorWord = String(engine.model.env.vars.get('vendor'));
    judge.tally.add(kind, label, judge.conformance.of(JSON.parse(JSON.stringify(body)), { vendorWord, withoutId }));
  }
}

/** An answer of the base as a version gives it. What stands expanded in a reference is shown by its own, as answers expand it. */
function shownIn(shape: VersionShape, host: Host, body: JsonObject): Json {
  const asBase = new Set<Json>();
  const collect = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    asBase.add(value);
    Object.values(value).forEach(collect);
  };
  collect(body);
  const finish = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(finish);
    if (!isObject(value)) return value;
    const isLeft = asBase.has(value) && shape.kindOf(value) !== undefined;
    const shown = isLeft ? shape.embed(host, value) : value;
    return Object.fromEntries(Object.entries(shown ?? {}).map(([key, part]) => [key, finish(part as Json)]));
  };
  return finish(shape.embed(host, body));
}

function isOnlyBase(body: JsonObject): boolean {
  const [first] = Array.isArray(body['data']) ? (body['data'] as Json[]) : [body];
  return isObject(first ?? null) && ONLY_BASE.has(String((first as JsonObject)['object']));
}

function isOfEvents(body: JsonObject): boolean {
  const [first] = Array.isArray(body['data']) ? (body['data'] as Json[]) : [body];
  return isObject(first ?? null) && (first as JsonObject)['object'] === 'event';
}

/** An object as a call that retrieves it is answered; as lists show it where there is no such call. */
function bodyOf(engine: Engine, version: string, row: Row): unknown {
  const { pack, runtime } = engine;
  const found = pack.versions?.find(version, false)?.version;
  const resource = runtime.resources[row.resource];
  const operation = resource.operations.get('retrieve');
  if (operation && operation.routes.every(({ names }) => names.length === 1 && names[0] === 'id')) {
    const request = { ...NO_REQUEST, method: 'GET', version };
    const call = {
      operation,
      request,
      path: { id: row.id },
      given: {},
      text: true,
      expand: [],
      scenario: null,
      tenant: row.tenant,
      version: found,
    };
    const { status, body } = engine.call(call);
    if (status === 200 && body !== undefined) return JSON.parse(body) as unknown;
  }
  const plan = found?.shape?.plan(row.resource) ?? resource.response();
  return runtime.reader.within(row.tenant, () => plan.value(runtime.reader, row.value));
}

/** The report that `npm run test:versions` orders with the environment; undefined: nobody did. */
export function orderedReport(): VersionsReport | undefined {
  const { SANDBOX_VERSIONS_JUDGES: judges, SANDBOX_VERSIONS_REPORT: file } = process.env;
  return judges === undefined || file === undefined
    ? undefined
    : new VersionsReport(JSON.parse(judges) as Judge[], file);
}
