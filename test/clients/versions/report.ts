import { appendFileSync } from 'node:fs';
import type { Engine } from '../../../engine/runtime/index.js';
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
  check({ pack, runtime, world }: Engine): void {
    const found: Record<string, { bodies: number; clean: number; problems: Record<string, string> }> = {};
    for (const { version, name, conformance } of this.#judges) {
      const shape = pack.versions?.find(version, false)?.version.shape ?? null;
      const tally = { bodies: 0, clean: 0, problems: {} as Record<string, string> };
      for (const collection of world.collections) {
        for (const row of collection.ordered().all()) {
          // What there is one of is answered by steps of its own.
          if (runtime.resources[row.resource].def.singleton) continue;
          if (typeof row.value['object'] !== 'string' || row.value['object'] === 'event') continue;
          const plan = shape?.plan(row.resource) ?? runtime.resources[row.resource].answer();
          const body: unknown = JSON.parse(JSON.stringify(plan.value(runtime, row.value)));
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

/** The report that `npm run test:versions` orders with the environment; undefined: nobody did. */
export function orderedReport(): VersionsReport | undefined {
  const { SANDBOX_VERSIONS_JUDGES: judges, SANDBOX_VERSIONS_REPORT: file } = process.env;
  return judges === undefined || file === undefined
    ? undefined
    : new VersionsReport(JSON.parse(judges) as Judge[], file);
}
