import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { isObject, type Json } from '../../engine/values/index.js';
import { membersOf, parseObject } from './json.js';

/**
 * Returns the version of a package in a lockfile.
 * @param member folder of the package that depends on it, relative to the lockfile
 * @param range the range in the manifest
 */
type Versions = (name: string, member: string, range: string) => string | undefined;

type Parse = (text: string) => Versions;

/** Names and parsers of lockfiles, for JavaScript and (`OF_PYTHON`) for Python. The first one that exists is used; a workspace has it in its root. */
const OF_NPM: readonly (readonly [file: string, parse: Parse])[] = [
  ['package-lock.json', ofNpm],
  ['npm-shrinkwrap.json', ofNpm],
  ['pnpm-lock.yaml', ofPnpm],
  ['yarn.lock', ofYarn],
  ['bun.lock', ofBun],
];
const OF_PYTHON: readonly (readonly [file: string, parse: Parse])[] = [
  ['poetry.lock', ofPython],
  ['uv.lock', ofPython],
  ['pdm.lock', ofPython],
  ['Pipfile.lock', ofPipfile],
];

/** File names of the supported lockfiles. */
export const LOCK_NAMES: readonly string[] = [...OF_NPM, ...OF_PYTHON].map(([file]) => file);

/** Maximum size of a parsed lockfile, in characters. Beside a larger one, the ranges in the manifest are used. */
const MAX_LOCK = 32 * 1024 * 1024;

/** Finds locked versions in lockfiles beside a manifest or above it, up to the root of the repository. */
export class LockedVersions {
  private readonly parsed = new Map<string, Versions | null>();

  /** Creates a reader of lockfiles. @param application the folder in which manifests are read */
  constructor(private readonly application: string) {}

  /** Returns the locked version of a package that a package.json names; undefined if no lockfile has it. */
  ofNpm(folder: string, name: string, range: string): string | undefined {
    return this.find(OF_NPM, folder, name, range);
  }

  /** Returns the locked version of a Python package; undefined if no lockfile has it. */
  ofPython(folder: string, name: string): string | undefined {
    return this.find(OF_PYTHON, folder, plainName(name), '');
  }

  private find(
    locks: readonly (readonly [file: string, parse: Parse])[],
    folder: string,
    name: string,
    range: string,
  ): string | undefined {
    for (const at of this.foldersAbove(folder))
      for (const [file, parseLock] of locks) {
        const versions = this.versionsIn(join(at, file), parseLock);
        if (versions !== null) return versions(name, relative(at, folder).replaceAll('\\', '/'), range);
      }
    return undefined;
  }

  /** Lists a folder and those above it, up to the repository's root, or else up to the application's folder. */
  private foldersAbove(folder: string): readonly string[] {
    const found: string[] = [];
    for (let at = folder; ; at = dirname(at)) {
      found.push(at);
      if (existsSync(join(at, '.git'))) return found;
      if (at === dirname(at)) return found.slice(0, found.indexOf(this.application) + 1);
    }
  }

  private versionsIn(path: string, parseLock: Parse): Versions | null {
    const known = this.parsed.get(path);
    if (known !== undefined) return known;
    const read = readLock(path, parseLock);
    this.parsed.set(path, read);
    return read;
  }
}

function readLock(path: string, parseLock: Parse): Versions | null {
  try {
    const text = readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n');
    return text.length > MAX_LOCK ? null : parseLock(text);
  } catch {
    return null;
  }
}

function ofNpm(text: string): Versions {
  const lock = parseObject(text);
  const packages = membersOf(lock, 'packages');
  const dependencies = membersOf(lock, 'dependencies');
  return (name, member) =>
    versionOf(packages[`${member}/node_modules/${name}`]) ??
    versionOf(packages[`node_modules/${name}`]) ??
    versionOf(dependencies[name]);
}

/** Parses pnpm-lock.yaml: only the part with the workspace's packages, since the rest of the file is many times longer. */
function ofPnpm(text: string): Versions {
  const importers = membersOf(sectionOf(text, 'importers'), 'importers');
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const own = kinds.map((kind) => membersOf(sectionOf(text, kind), kind));
  return (name, member) => {
    const importer = importers[member === '' ? '.' : member] ?? null;
    const entries = [...kinds.map((kind) => membersOf(importer, kind)[name]), ...own.map((each) => each[name])];
    const entry = entries.find((each) => each !== undefined);
    // Matches the version in `15.1.0(peer@1)`, `8.1.0_peer@1`, and `name@15.1.0` of an alias.
    return /^\/?(?:(?:@[^/(]+\/)?[A-Za-z][^@/(]*[@/])?(\d[\d.A-Za-z+-]*)/.exec(
      versionOf(entry) ?? textOf(entry) ?? '',
    )?.[1];
  };
}

/** Parses one top-level section of a YAML file. */
function sectionOf(text: string, name: string): Json {
  const section = new RegExp(String.raw`^${name}:\n(?:(?:[ \t].*)?\n)*`, 'm').exec(text)?.[0];
  return section === undefined ? null : (parse(section, { logLevel: 'silent' }) as Json);
}

/** Parses both formats of yarn.lock: `stripe@^1.0.0:` and `"stripe@npm:^1.0.0":`, followed by the version. */
function ofYarn(text: string): Versions {
  const versions = new Map<string, string>();
  for (const [, names, version] of text.matchAll(/^("?[^\s#].*"?):\n[ \t]+version:? "?([^"\n]+)"?$/gm))
    for (const name of names.split(',')) versions.set(name.trim().replaceAll('"', '').replace('@npm:', '@'), version);
  return (name, _, range) => versions.get(`${name}@${range.replace(/^npm:/, '')}`);
}

function ofBun(text: string): Versions {
  const versions = new Map<string, string>();
  for (const [, name, version] of text.matchAll(/^\s+"([^"\n]+)": \["(?:@[^/"\n]+\/)?[^@"\n]+@(\d[^"\n]*)"/gm))
    versions.set(name, version);
  return (name) => versions.get(name);
}

function ofPython(text: string): Versions {
  const versions = new Map<string, string>();
  for (const [, name, version] of text.matchAll(/^name = "([^"\n]+)"\nversion = "([^"\n]+)"/gm))
    versions.set(plainName(name), version);
  return (name) => versions.get(name);
}

function ofPipfile(text: string): Versions {
  const packages = Object.entries(membersOf(parseObject(text), 'default'));
  const versions = new Map(packages.map(([name, entry]) => [plainName(name), versionOf(entry)]));
  return (name) => versions.get(name)?.replace(/^=+/, '');
}

/** Normalizes the name of a Python package, as its registry compares names. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Returns the version in an entry that is an object. */
function versionOf(entry: Json | undefined): string | undefined {
  return entry !== undefined && isObject(entry) ? textOf(entry['version']) : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
