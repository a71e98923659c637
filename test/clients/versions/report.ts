import { appendFileSync } from 'node:fs';
import { NO_REQUEST } from '../../../engine/model/index.js';
import type { Engine } from '../../../engine/runtime/index.js';
import type { Row } from '../../../engine/world/index.js';
import type { Conformance } from '../conformance.js';
import { releaseOf } from '../conformance/releases.js';

/** A release of the client and the version of the API that it sends. */
export interface Judge {
  readonly folder: string;
  readonly version: string;
}

/**
 * Shows every object of worlds that tests have filled in versions of the API, and checks each against the declarations of the
 * release that sends the version. What it finds goes to a file: one line of JSON for each world.
 */
export class VersionsReport {
  readonly #judges: readonly { readonly version: string; readonly name: string; readonly conformance: Conformance }[];

  constructor(
    judges: readonly Judge[],
    private readonly file: string,
  ) {
    this.#judges = judges.map(({ folder, version }) => ({ ...releaseOf(folder), version }));
  }

  /** Checks all objects of a world. */
  check(engine: Engine): void {
    const { pack, runtime, world } = engine;
    const found: Record<string, { bodies: number; clean: number; problems: Record<string, string> }> = {};
    for (const { version, name, conformance } of this.#judges) {
      const tally = { bodies: 0, clean: 0, problems: {} as Record<string, string> };
      for (const collection of world.collections) {
        for (const row of collection.ordered().all()) {
          // What there is one of is answered by steps of its own.
          if (runtime.resources[row.resource].def.singleton) continue;
          if (typeof row.value['object'] !== 'string' || row.value['object'] === 'event') continue;
          const body = bodyOf(engine, version, row);
          const problems = conformance.of(body, { vendorWord: String(pack.model.env.vars.get('vendor')) });
          tally.bodies += 1;
          if (problems.length === 0) tally.clean += 1;
          for (const { type, at, message, code } of problems) tally.problems[`${type}.${at} ${code}`] ??= message;
        }
      }
      found[name] = tally;
    }
    appendFileSync(this.file, `${JSON.stringify(found)}\n`);
  }
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
      version: found,
    };
    const { status, body } = engine.call(call);
    if (status === 200 && body !== undefined) return JSON.parse(body) as unknown;
  }
  const plan = found?.shape?.plan(row.resource) ?? resource.answer();
  return JSON.parse(JSON.stringify(plan.value(runtime, row.value))) as unknown;
}

/** The report that `npm run test:versions` orders with the environment; undefined: nobody did. */
export function orderedReport(): VersionsReport | undefined {
  const { SANDBOX_VERSIONS_JUDGES: judges, SANDBOX_VERSIONS_REPORT: file } = process.env;
  return judges === undefined || file === undefined
    ? undefined
    : new VersionsReport(JSON.parse(judges) as Judge[], file);
}
