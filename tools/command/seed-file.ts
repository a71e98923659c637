import type { Sandbox } from '../../engine/index.js';
import { readInputFile } from './input-file.js';
import { Exit, Failure } from './output.js';

/** Advice if the name of seed data was passed in place of a file. */
const BY_NAME = 'Seed data of the pack has names: `sandbox seed --name NAME`, `sandbox serve PACK --seed-data NAME`.';

/** The body of POST /__admin__/seed. */
export type SeedBody = Parameters<Sandbox['applySeedData']>[0];

/** Reads a file with the body of POST /__admin__/seed, as JSON or YAML. @throws Failure if it can't be read or is malformed */
export async function readSeedFile(file: string): Promise<SeedBody> {
  const data = await parse(
    file,
    readInputFile(file, 'seed_file_invalid', 'seed file ', /[./]/.test(file) ? '' : BY_NAME),
  );
  const given: SeedBody = typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {};
  if (!('resources' in given) && !('account' in given) && !('resource' in given && 'objects' in given)) {
    throw wrong(
      file,
      'needs `resource` and `objects`, or `resources` with a list of objects for each collection, or `account`',
    );
  }
  return given;
}

/** Where a server's initial objects come from: a file, or the pack's named seed data. */
export interface SeedOptions {
  readonly seedFile?: string;
  readonly seedData?: string;
}

/** Reads a server's initial objects; undefined if no option gives any. @throws Failure if the file can't be used */
export async function givenSeeds({ seedFile, seedData }: SeedOptions): Promise<SeedBody | undefined> {
  if (seedFile !== undefined) return readSeedFile(seedFile);
  return seedData === undefined ? undefined : { name: seedData };
}

/** Seeds a served world; later resets return to it. A continued world has its objects already. @throws Failure if the control API rejects them */
export async function seedSandbox(
  seeds: SeedBody,
  { seedFile, seedData }: SeedOptions,
  sandbox: Sandbox,
): Promise<void> {
  if (sandbox.continued !== null) return sandbox.resetTo(seeds);
  const { ControlError } = await import('../../engine/index.js');
  try {
    await sandbox.applySeedData(seeds);
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    const why = messageOf(error.body) ?? `was rejected with status ${error.status}`;
    if (seedFile !== undefined) throw wrong(seedFile, why);
    throw new Failure(Exit.wrongInput, 'seed_data_invalid', `seed data ${String(seedData)}: ${why}`);
  }
}

async function parse(file: string, text: string): Promise<unknown> {
  try {
    if (/\.json$/i.test(file)) return JSON.parse(text);
    const { parse } = await import('yaml');
    const data: unknown = parse(text);
    // `stringify` throws for a value that contains itself through an anchor.
    JSON.stringify(data);
    return data;
  } catch (error) {
    throw wrong(file, `cannot be parsed: ${error instanceof Error ? error.message.trimEnd() : String(error)}`);
  }
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined;
}

function wrong(file: string, what: string): Failure {
  return new Failure(Exit.wrongInput, 'seed_file_invalid', `seed file ${file}: ${what}`);
}
