import { createSandbox, type Sandbox } from '../../engine/index.js';
import type { FactsFile, SeedFile } from '../../engine/model/index.js';
import type { PackSource } from '../../engine/pack/index.js';
import { EXAMPLES_T0, runExamples } from '../examples/index.js';
import type { Request } from './calls.js';
import type { Contract } from './contract.js';
import type { OperationFacts } from './facts.js';
import { NegativeCheck, type NegativeReport, type SentCall } from './negative.js';
import { depth, Session } from './session.js';

/** Maximum number of generated calls per operation until one succeeds. */
const TRIES = 3;

/** The operations of documents, with their constraints. */
export interface NegativeSource {
  readonly operations: ReadonlyMap<string, OperationFacts>;
  /** Generates calls that the pack's examples don't contain; null: only calls of examples are tested. */
  readonly contract: Contract | null;
}

/**
 * Violates the constraints of documents one at a time: in the calls of the pack's examples, then in documented or generated calls on the pack's seed
 * data.
 * @param source of a pack that is valid
 */
export async function breakConstraints(
  source: PackSource,
  documents: readonly NegativeSource[],
  seed: number,
): Promise<readonly NegativeReport[]> {
  const { differs = [] } = (source.one('facts')?.data ?? {}) as Partial<FactsFile>;
  const check = new NegativeCheck(new Map(documents.flatMap(({ operations }) => [...operations])), differs);
  await runExamples(source, { onCall: async (call, sandbox) => void (await check.probe(sandbox, call)) });
  const sandbox = await createSandbox({
    pack: source.dir,
    seed: `negative ${seed}`,
    t0: EXAMPLES_T0,
    onDefect: () => undefined,
  });
  try {
    const names = source.all('seed').map(({ data }) => (data as SeedFile).seed);
    for (const name of names.length > 0 ? names : [null]) {
      for (const { contract } of documents) {
        if (contract === null) continue;
        await sandbox.control.reset({ t0: EXAMPLES_T0 });
        if (name !== null) await sandbox.control.seed({ name });
        await breakMade(check, sandbox, contract, seed);
      }
    }
    return check.report(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Violates the constraints of documented or generated calls. */
async function breakMade(check: NegativeCheck, sandbox: Sandbox, contract: Contract, seed: number): Promise<void> {
  const session = new Session(sandbox, contract, seed);
  for (const [call, { operation, route }] of [...session.served].sort(([a], [b]) => depth(a) - depth(b))) {
    for (let nth = 0; nth < TRIES; nth++) {
      await session.provideFor(call);
      const made = sentCall(session.maker.make(call, operation, route.path, nth === 0));
      if (made === null || !check.needs(sandbox, made.method, made.path)) break;
      if (await check.probe(sandbox, made)) break;
    }
  }
}

/** Null for uploads, which aren't tested. */
function sentCall({ method, path, headers, body }: Request): SentCall | null {
  if (body instanceof FormData) return null;
  return { method, path, contentType: headers['content-type'], body };
}
