/**
 * Extracts calls and GraphQL documents from the code of public tools, and prints those that the code hosting pack doesn't serve. `--write` updates
 * docs/internals/asked.json and docs/internals/asked.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { buildSchema } from 'graphql';
import { parse } from 'yaml';
import { installation } from '../../command/installation.js';
import { objectOr } from '../../openapi/document.js';
import { FETCHED } from '../clients/program.js';
import { tableLines } from '../kit/table.js';
import { writeFigures } from '../prose/figures.js';
import { harvest, type VendorApi } from './harvest.js';
import { servedBy } from './served.js';
import { toolCode, packageFolder, type PublishedTool } from './sources.js';

const root = installation();
const own = join(root, 'tools', 'develop', 'asked');
const pack = join(root, 'packs', 'code-hosting');
const options = new Command('asked')
  .option('--fetch <folder>', 'where repositories are, or are fetched to', FETCHED)
  .option('--write', 'write docs/internals/asked.json and asked.md')
  .parse()
  .opts<{ fetch: string; write?: true }>();

const packages = join(tmpdir(), 'vendor-sandbox-clients', 'packages');
const tools = json(join(own, 'tools.json')) as PublishedTool[];
const outside = json(join(own, 'outside.json')) as Record<string, string>;
const api = await vendorApi();
const askers: Record<string, string[]> = {};
for (const tool of tools) {
  const { calls, fields } = harvest(toolCode(tool, packages, options.fetch), api);
  console.error(`${tool.name}: ${calls.size} calls, ${fields.size} fields`);
  for (const each of [...calls, ...fields]) (askers[each] ??= []).push(tool.name);
}
const isServed = servedBy(pack);
const missing = Object.entries(askers)
  .filter(([each]) => !isServed(each))
  .sort(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1));
for (const [each, names] of missing)
  console.log(`${names.length} ${each}: ${names.join(', ')}${each in outside ? ` (outside: ${outside[each]})` : ''}`);
console.log(`${Object.keys(askers).length} asked, ${missing.length} missing`);
if (options.write) {
  const sorted = Object.fromEntries(Object.entries(askers).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(root, 'docs', 'internals', 'asked.json'), `${JSON.stringify(sorted, null, 1)}\n`);
  writeFigures(root, 'asked.md', [sums(), lacking(), published()]);
}

/** Counts requests by kind: served, not served with a reason, and others. */
function sums(): string[] {
  const row = (kind: string, is: (asked: string) => boolean): unknown[] => {
    const all = Object.keys(askers).filter(is);
    const others = all.filter((each) => !isServed(each));
    const reasons = others.filter((each) => each in outside).length;
    return [kind, all.length, all.length - others.length, reasons, others.length - reasons];
  };
  return tableLines(
    ['Kind', 'Asked', 'Served', 'Outside, with a reason', 'Missing'],
    [
      row('Calls', (each) => each.includes(' ')),
      row('GraphQL fields', (each) => !each.includes(' ') && !each.includes('(')),
      row('GraphQL arguments', (each) => !each.includes(' ') && each.includes('(')),
    ],
  );
}

function lacking(): string[] {
  const rows = missing.map(([each, names]) => [`\`${each}\``, names.join(', '), outside[each] ?? '']);
  return tableLines(['Asked', 'Tools', 'Reason'], rows);
}

function published(): string[] {
  const rows = tools.map(({ name, version, commit }) => [name, version ?? `\`${commit?.slice(0, 8)}\``]);
  return tableLines(['Tool', 'Version or commit'], rows);
}

async function vendorApi(): Promise<VendorApi> {
  const schema = packageFolder('@octokit/graphql-schema', '15.26.1', packages);
  const client = packageFolder('@octokit/plugin-rest-endpoint-methods', '16.1.1', packages);
  const { default: groups } = (await import(
    pathToFileURL(join(client, 'dist-src', 'generated', 'endpoints.js')).href
  )) as { default: Record<string, Record<string, readonly [string]>> };
  const methods = Object.entries(groups).flatMap(([group, own]) =>
    Object.entries(own).map(([method, [route]]) => [`${group}.${method}`, route] as const),
  );
  return {
    // Skips the validation of the published schema, which declares some fields twice.
    schema: buildSchema(readFileSync(join(schema, 'schema.graphql'), 'utf8'), {
      assumeValid: true,
      assumeValidSDL: true,
    }),
    operations: Object.keys(objectOr(objectOr(parse(readFileSync(join(pack, 'facts.yaml'), 'utf8')))['operations'])),
    methods: new Map(methods),
  };
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
