/**
 * `npm run test:imports:clients -- FOLDER --clients FOLDER`: imports the documents of vendors with npm clients, makes usual calls with those
 * unmodified clients on the imported packs, and prints how many work, with reasons. The programs in `programs/` are named after the documents; `npm
 * install` was run in the clients' folder.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import { writeFiles } from '../../commands/init-pack.js';
import { importDocument, readDocument } from '../../openapi/index.js';
import { proportion, servedFor } from '../../openapi/use/index.js';

/** A call with a client, and members that its result must have. */
type ClientCall = readonly [name: string, call: () => Promise<unknown>, wanted: Readonly<Record<string, unknown>>];
/** Makes the calls of a client in order; calls can use earlier responses. @param load loads a package */
type Program = (
  load: (name: string) => unknown,
  url: string,
  key: string,
) => AsyncGenerator<ClientCall> | Generator<ClientCall>;

const PROGRAMS = 'tools/develop/imports/programs';

const command = new Command('test:imports:clients')
  .description("Makes calls with vendors' npm clients on the packs of their documents.")
  .argument('<folder>', 'of the documents')
  .option('--clients <folder>', 'where the clients are installed', '.')
  .option('--packs <folder>', 'packs by the names of the documents, which a person changed: calls those')
  .parse();
const { clients, packs } = command.opts<{ readonly clients: string; readonly packs?: string }>();
const documents = readdirSync(command.args[0]);
const load = createRequire(join(resolve(clients), 'package.json'));

for (const file of readdirSync(PROGRAMS).sort()) {
  const name = basename(file, '.mjs');
  const document = documents.find((each) => each.replace(/\.\w+$/, '') === name);
  if (document === undefined || (packs !== undefined && !existsSync(join(packs, name)))) continue;
  const { default: program } = (await import(pathToFileURL(resolve(PROGRAMS, file)).href)) as {
    readonly default: Program;
  };
  const made = packs === undefined ? await packOf(join(command.args[0], document)) : undefined;
  const { calls, misses } = await missesOf(made ?? join(packs ?? '', name), program);
  if (made !== undefined) rmSync(made, { recursive: true });
  console.log(`${document}: ${proportion(calls - misses.length, calls)}`);
  for (const miss of misses) console.log(`  ${miss}`);
}

async function packOf(document: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  writeFiles(folder, importDocument(await readDocument(document), 'imported').files);
  return folder;
}

async function missesOf(
  pack: string,
  program: Program,
): Promise<{ readonly calls: number; readonly misses: string[] }> {
  const misses: string[] = [];
  let calls = 0;
  await servedFor(pack, async ({ url, key }) => {
    for await (const [name, call, wanted] of program(load, url, key)) {
      calls++;
      const problem = await wrongWith(call, wanted);
      if (problem !== null) misses.push(`${name}: ${problem}`);
    }
  });
  return { calls, misses };
}

async function wrongWith(
  call: () => Promise<unknown>,
  wanted: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  try {
    const result = (await call()) as Readonly<Record<string, unknown>> | undefined | null;
    for (const [name, value] of Object.entries(wanted)) {
      const got = result?.[name];
      if (value === String ? typeof got !== 'string' || got === '' : !isDeepStrictEqual(got, value))
        return `${name} is ${shown(got)}, not ${value === String ? 'a text' : shown(value)}`;
    }
    return null;
  } catch (error) {
    return (error instanceof Error && error.message !== '' ? error.message : shown(error)).slice(0, 300);
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? 'undefined';
}
