import { dirname, resolve } from 'node:path';
import { PackInvalid } from '../hosting/index.js';
import { type CompanyFile, Diagnostics, inside, keyIn, type SourceLocation } from '../model/index.js';
import {
  hashOf,
  missingPack,
  packFolder,
  PackSource,
  type Problem,
  ProblemList,
  readFile,
  type SourceFile,
  suggest,
  validateFileSchema,
} from '../pack/index.js';
import { parseInstant } from '../world/index.js';
import type { MemberOptions } from './parts.js';

/** A valid company file. */
export interface ReadCompany {
  readonly file: SourceFile;
  readonly data: CompanyFile;
  /** The file, for printing problems. */
  readonly source: PackSource;
  readonly packs: readonly MemberOptions[];
}

/** Reads a company file and checks it against its schema. Checks that need its packs are in `planOf`. @throws PackInvalid */
export function readCompany(path: string): ReadCompany {
  const { file, problems: syntax } = readFile(path, 'company');
  const folder = dirname(resolve(path));
  const source = new PackSource(folder, [file], hashOf([file.text]));
  const problems = new ProblemList();
  problems.push(...syntax, ...validateFileSchema(file));
  requireNone(problems.all, source);
  const data = file.data as CompanyFile;
  const diagnostics = new Diagnostics(problems);
  const top: SourceLocation = { file, path: [] };
  if (data.t0 !== undefined && parseInstant(data.t0) === undefined)
    diagnostics.problem(inside(top, 't0'), 'invalid-value', 'invalid time: write ISO 8601 or Unix seconds');
  const keys = new Map<string, string>();
  const packs = Object.entries(data.vendors).map(([name, { pack, port, key, seed, vars }]): MemberOptions => {
    const place = inside(top, 'vendors', name);
    const other = key === undefined ? undefined : keys.get(key);
    if (other !== undefined) diagnostics.problem(inside(place, 'key'), 'invalid-value', `${other} has the same key`);
    if (key !== undefined) keys.set(key, name);
    const isPath = pack.startsWith('.') || pack.startsWith('/');
    const own = seed === undefined ? {} : { seed: String(seed) };
    const at = isPath ? resolve(folder, pack) : packFolder(pack);
    const missing = missingPack(at, pack);
    if (missing !== undefined) diagnostics.problem(inside(place, 'pack'), 'pack-unreadable', missing);
    return { name, pack: at, port, key, vars, ...own };
  });
  checkPeople(data, top, diagnostics);
  requireNone(problems.all, source);
  return { file, data, source, packs };
}

/** Checks that there are only warnings. @throws PackInvalid if one of the problems is an error */
export function requireNone(problems: readonly Problem[], source: PackSource): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new PackInvalid(problems, source);
}

/** Checks that each person has an object at some vendor. */
function checkPeople(
  { vendors, people = {}, identities = {} }: CompanyFile,
  top: SourceLocation,
  to: Diagnostics,
): void {
  const noVendor = (vendor: string, place: SourceLocation): void => {
    const suggestion = suggest(vendor, Object.keys(vendors));
    to.problem(place, 'unknown-name', `there is no vendor '${vendor}'`, { suggestion });
  };
  for (const vendor of Object.keys(identities))
    if (!Object.hasOwn(vendors, vendor)) noVendor(vendor, keyIn(top, 'identities', vendor));
  for (const [key, { is = {} }] of Object.entries(people))
    for (const [vendor, role] of Object.entries(is)) {
      const known = identities[vendor] ?? {};
      if (Object.hasOwn(known, role)) continue;
      const where = inside(top, 'people', key, 'is', vendor);
      if (!Object.hasOwn(vendors, vendor)) noVendor(vendor, keyIn(where));
      else
        to.problem(where, 'unknown-name', `'identities' does not say what '${role}' is for ${vendor}`, {
          suggestion: suggest(role, Object.keys(known)),
        });
    }
}
