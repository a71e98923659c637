import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, loadPack } from '../../../engine/index.js';
import { EXAMPLES_T0, runExamples } from '../../examples/index.js';
import { ContractCheck, type OperationReport } from '../../openapi/check.js';
import { Contract, readDocument } from '../../openapi/index.js';
import type { KeptResponse } from './keep-responses.js';

/** A pack's responses in its own examples and tests, compared with a document. */
interface OwnResponses {
  readonly judged: number;
  /** Number of responses that match the document. */
  readonly valid: number;
  /** Operations of the document that were called and that the pack serves. */
  readonly operations: readonly OperationReport[];
  /** Operations of the document that the pack serves. */
  readonly served: number;
}

/**
 * Runs the examples of a shipped pack and its suites in `test/packs/PACK`, and compares every response of a documented operation with the document.
 * @param pack name
 * @param file the vendor's OpenAPI document
 */
export async function judgeOwnResponses(pack: string, file: string): Promise<OwnResponses> {
  const dir = join('packs', pack);
  const responses = await responsesOfTests(pack);
  const { source } = loadPack(dir);
  await runExamples(source, { onResponse: (each) => void responses.push(each) });
  const sandbox = await createSandbox({ pack: dir, seed: 'contract', t0: EXAMPLES_T0 });
  const check = new ContractCheck(sandbox, new Contract(await readDocument(file)), 1);
  await sandbox.close();
  const verdicts = responses.map((each) => check.take(each.method, each.path, each));
  const served = check.report().operations.filter((each) => each.served);
  return {
    judged: verdicts.filter((each) => each !== undefined).length,
    valid: verdicts.filter((each) => each === true).length,
    operations: served.filter(({ calls }) => calls > 0),
    served: served.length,
  };
}

/** Responses of sandboxes in a pack's suites. @throws if a suite fails */
async function responsesOfTests(pack: string): Promise<KeptResponse[]> {
  const folder = mkdtempSync(join(tmpdir(), 'responses-'));
  const kept = join(folder, 'responses.jsonl');
  const hook = new URL('keep-responses.js', import.meta.url).href;
  const jest = [
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--runInBand',
    '--silent',
  ];
  const child = spawn(process.execPath, ['--import', hook, ...jest, `test/packs/${pack}/`], {
    env: { ...process.env, KEEP_RESPONSES: kept },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the suites of ${pack} fail: npm test -- test/packs/${pack}/`);
  const lines = readFileSync(kept, 'utf8').trimEnd().split('\n');
  rmSync(folder, { recursive: true });
  return lines.map((line) => JSON.parse(line) as KeptResponse);
}
