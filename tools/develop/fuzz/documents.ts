import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadPack } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import { writeFiles } from '../../commands/init-pack.js';
import { type Document, importDocument, readDocument } from '../../openapi/index.js';
import { Random } from '../../openapi/random.js';

/** Content of files that an import must not read. */
const SECRET = 'what no pack may hold';

/** Values that replace those of a document in a mutation. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  2 ** 63,
  1e300,
  '',
  '=1',
  '${now}',
  'a: b',
  '#/nowhere',
  [],
  {},
  [{}],
  { $ref: '#/nowhere' },
  { $ref: '#' },
  { type: 'array' },
  { enum: [] },
  { enum: [null, 1, {}] },
  { type: ['string', 'integer', 'null'], default: '=x' },
  { pattern: '(((' },
  { minimum: 5, maximum: 1, default: 9 },
];

/** References to files beside and above a document, which it must not read. `SECRET_FILE` is replaced with an absolute path. */
const REACHING = [
  '../secret.json',
  './link.json',
  './linked/secret.json',
  'file:SECRET_FILE',
  'SECRET_FILE',
  'x/../../secret.json#/text',
];

/** Mutates a document: changes values, removes and renames keys. @param rate mutates one of this many values */
export function mutilated(value: unknown, random: Random, rate: number, odd = ODD): unknown {
  if (random.below(rate) === 0) return random.pick(odd);
  if (Array.isArray(value)) return value.map((each) => mutilated(each, random, rate, odd));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      if (random.below(rate) === 0) return [];
      const name = random.below(rate) === 0 ? random.pick(['search', 'id', 'a b', '{x}', '__proto__', '']) : undefined;
      return [[name ?? key, mutilated(each, random, rate, odd)] as const];
    }),
  );
}

/** The results of importing mutated documents. */
interface DocumentCounts {
  rejected: number;
  imported: number;
  /** Violations: an error other than a rejection, a pack that doesn't load, a file that was read. */
  readonly findings: string[];
}

/**
 * Imports mutated documents: each must be rejected, or result in a pack that loads and contains nothing of other files.
 * @param seed of the mutations
 */
export async function fuzzDocuments(count: number, seed: number): Promise<DocumentCounts> {
  const originals = documents();
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-documents-'));
  const counts: DocumentCounts = { rejected: 0, imported: 0, findings: [] };
  try {
    const { own, odd } = surroundings(folder);
    for (let n = 0; n < count; n++) {
      const random = new Random(seed * 1_000_003 + n);
      const [name, original] = originals[random.below(originals.length)];
      const file = join(own, 'document.json');
      writeFileSync(file, JSON.stringify(mutilated(original, random, 12 + random.below(200), odd)));
      const what = await outcomeOf(file, join(folder, 'pack')).catch((error: unknown) => String(error));
      if (what === 'rejected' || what === 'imported') counts[what]++;
      else counts.findings.push(`document ${n} (${name}): ${what}`);
    }
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a folder for documents, files around it, and values that refer to those. */
function surroundings(folder: string): { readonly own: string; readonly odd: readonly unknown[] } {
  const own = join(folder, 'own');
  const secret = join(folder, 'secret.json');
  mkdirSync(own);
  writeFileSync(secret, JSON.stringify({ type: 'string', description: SECRET, example: SECRET, text: SECRET }));
  symlinkSync(secret, join(own, 'link.json'));
  symlinkSync(folder, join(own, 'linked'));
  return { own, odd: [...ODD, ...REACHING.map((each) => ({ $ref: each.replace('SECRET_FILE', secret) }))] };
}

async function outcomeOf(file: string, to: string): Promise<string> {
  let document: Document;
  try {
    document = await readDocument(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'openapi_invalid') return 'rejected';
    throw error;
  }
  const { files } = importDocument(document, 'imported');
  if (Object.values(files).some((text) => text.includes(SECRET))) return 'a file outside was read';
  rmSync(to, { recursive: true, force: true });
  writeFiles(to, files);
  const wrong = loadPack(to).problems.find(({ severity }) => severity === 'error');
  return wrong ? `the pack does not load: ${wrong.file}:${wrong.line} ${wrong.message}` : 'imported';
}

/** Reads the documents of the importer's tests. */
function documents(): readonly (readonly [name: string, document: unknown])[] {
  const folder = join(installation(), 'test', 'tools', 'openapi');
  return readdirSync(folder).map((name) => [name, parse(readFileSync(join(folder, name), 'utf8'))]);
}
