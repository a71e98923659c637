import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { isObject, type Json } from '../../engine/values/index.js';

/** The versions in a lockfile. @param member the package's folder, relative to the lockfile's; @param range the range in the manifest */
type Versions = (name: string, member: string, range: string) => string | undefined;

type Parse = (text: string) => Versions;

/** Lockfiles of JavaScript, and of Python, which a workspace has in its root. The first one that exists counts. */
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

/** Names of the lockfiles that are read here. */
export const LOCK_NAMES: readonly string[] = [...OF_NPM, ...OF_PYTHON].map(([file]) => file);

/** Maximum size of a lockfile, in characters; the ranges of the manifest count beside a larger one. */
const MAX_LOCK = 32 * 1024 * 1024;

/** Finds the versions that lockfiles fix: those beside a manifest, or above it, up to the root of the repository. */
export class LockedVersions {
  private readonly parsed = new Map<string, Versions | null>();

  /** @param application the folder in which manifests are read */
  constructor(private readonly application: string) {}

  /** The version of a package that a package.json names; undefined if no lockfile has it. */
  ofNpm(folder: string, name: string, range: string): string | undefined {
    return this.find(OF_NPM, folder, name, range);
  }

  /** The version of a package of Python. */
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

  /** A folder and those above it, up to that of the repository, or else that of the application. */
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
    const text = readFileSync(path, 'utf8');
    return text.length > MAX_LOCK ? null : parseLock(text);
  } catch {
    return null;
  }
}

function ofNpm(text: string): Versions {
  const lock = JSON.parse(text) as Json;
  const packages = membersOf(lock, 'packages');
  const dependencies = membersOf(lock, 'dependencies');
  const versionOf = (of: Json | undefined): string | undefined =>
    textOf(isObject(of ?? null) ? (of as JsonObject)['version'] : undefined);
  return (name, member) =>
    versionOf(packages[`${member}/node_modules/${name}`]) ??
    versionOf(packages[`node_modules/${name}`]) ??
    versionOf(dependencies[name]);
}

/** Only the part with the workspace's packages is parsed; the rest of the file is many times longer. */
function ofPnpm(text: string): Versions {
  const importers = membersOf(sectionOf(text, 'importers'), 'importers');
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const own = kinds.map((kind) => membersOf(sectionOf(text, kind), kind));
  return (name, member) => {
    const importer = importers[member === '' ? '.' : member] ?? null;
    const entries = [...kinds.map((kind) => membersOf(importer, kind)[name]), ...own.map((each) => each[name])];
    const entry = entries.find((each) => each !== undefined);
    const version = isObject(entry ?? null) ? (entry as JsonObject)['version'] : entry;
    // `15.1.0(peer@1)`, `8.1.0_peer@1`, and `name@15.1.0` of an alias.
    return /^\/?(?:(?:@[^/(]+\/)?[A-Za-z][^@/(]*[@/])?(\d[\d.A-Za-z+-]*)/.exec(textOf(version) ?? '')?.[1];
  };
}

/** A top-level section of a file of YAML, parsed. */
function sectionOf(text: string, name: string): Json {
  const section = new RegExp(String.raw`^${name}:\n(?:(?:[ \t].*)?\n)*`, 'm').exec(text)?.[0];
  return section === undefined ? null : (parse(section, { logLevel: 'silent' }) as Json);
}

/** Both formats of Yarn: `stripe@^1.0.0:` and `"stripe@npm:^1.0.0":`, followed by the version. */
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
  const packages = Object.entries(membersOf(JSON.parse(text) as Json, 'default'));
  const versions = new Map(
    packages.map(([name, entry]) => [plainName(name), textOf(membersOf({ entry }, 'entry')['version'])]),
  );
  return (name) => versions.get(name)?.replace(/^=+/, '');
}

/** A name of Python as its registry compares it. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

type JsonObject = { readonly [key: string]: Json };

function membersOf(of: Json, key: string): JsonObject {
  const value = isObject(of) ? of[key] : null;
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
