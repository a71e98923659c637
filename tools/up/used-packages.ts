import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isObject, type Json } from '../../engine/values/index.js';

/** The registry of a package. */
export type Ecosystem = 'npm' | 'pypi' | 'rubygems' | 'packagist' | 'go' | 'nuget' | 'maven';

/** A package that an application declares. */
export interface UsedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** The version of the package from the lockfile, or else the manifest; null if none is declared. */
  readonly version: string | null;
  /** The declaring file, relative to the application's folder. */
  readonly file: string;
}

/** The declarations in an application's folder. */
export interface ApplicationFiles {
  readonly packages: readonly UsedPackage[];
  /** Names in `.env.example` and similar files. */
  readonly environment: ReadonlySet<string>;
  /** All files that were read, relative to the folder. */
  readonly paths: readonly string[];
}

type Found = Pick<UsedPackage, 'name' | 'version'>;
interface Manifest {
  readonly name: RegExp;
  readonly ecosystem: Ecosystem;
  readonly packagesIn: (text: string, sibling: (name: string) => string | null) => readonly Found[];
}

const MANIFESTS: readonly Manifest[] = [
  { name: /^package\.json$/, ecosystem: 'npm', packagesIn: npmPackages },
  {
    name: /^requirements[\w.-]*\.txt$/,
    ecosystem: 'pypi',
    packagesIn: (text) => lines(text, /^\s*([\w.-]+)(?:\[[^\]]*\])?\s*(?:[=~><!]=?=?\s*([\w.]+))?/),
  },
  {
    name: /^(?:pyproject\.toml|Pipfile)$/,
    ecosystem: 'pypi',
    packagesIn: (text) =>
      lines(text, /^\s*["']?([A-Za-z][\w.-]*)["']?(?:\[[^\]]*\])?\s*(?:[=~><^!]=?\s*["'{]?[^\d"']*([\d.]*\d)?)?/),
  },
  { name: /^Gemfile$/, ecosystem: 'rubygems', packagesIn: gems },
  { name: /^composer\.json$/, ecosystem: 'packagist', packagesIn: composerPackages },
  {
    name: /^go\.mod$/,
    ecosystem: 'go',
    packagesIn: (text) => lines(text, /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+?)(?:\/v\d+)?\s+v(\S+)/),
  },
  {
    name: /\.(?:cs|fs|vb)proj$|^Directory\.Packages\.props$/,
    ecosystem: 'nuget',
    packagesIn: (text) => all(text, /<Package(?:Reference|Version)\s+Include="([^"]+)"(?:\s+Version="([^"]+)")?/g),
  },
  {
    name: /^pom\.xml$/,
    ecosystem: 'maven',
    packagesIn: (text) =>
      all(
        text,
        /<groupId>\s*([^<\s]+)\s*<\/groupId>\s*<artifactId>\s*([^<\s]+)\s*<\/artifactId>(?:\s*<version>\s*([^<\s]+))?/g,
        2,
      ),
  },
  {
    name: /^build\.gradle(?:\.kts)?$|^libs\.versions\.toml$/,
    ecosystem: 'maven',
    packagesIn: (text) => all(text, /["']([\w.-]+:[\w.-]+)(?::([\w.-]+))?["']/g),
  },
];

const ENVIRONMENT =
  /^\.env(?:\.\w+)*\.(?:example|sample|template|dist)$|^\.env\.(?:example|sample)$|^(?:example|sample)\.env$/;
const LOCKS = new Set(['package-lock.json', 'composer.lock', 'Gemfile.lock']);
/** Folders that aren't part of the application itself. */
const APART = new Set([
  'node_modules',
  'vendor',
  'dist',
  'build',
  'target',
  'out',
  'coverage',
  'venv',
  '__pycache__',
  'bin',
  'obj',
]);
const MAX_DEPTH = 6;
const MAX_FILES = 20_000;

/** Reads the manifests, lockfiles and example environments of an application, in its folder and its packages' folders. */
export function applicationFiles(folder: string): ApplicationFiles {
  const packages: UsedPackage[] = [];
  const environment = new Set<string>();
  const paths: string[] = [];
  const visit = (at: string, depth: number): void => {
    const entries = entriesOf(at, depth > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (paths.length >= MAX_FILES) return;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH && !entry.name.startsWith('.') && !APART.has(entry.name)) visit(path, depth + 1);
        continue;
      }
      if (!entry.isFile()) continue;
      const shown = relative(folder, path).replaceAll('\\', '/');
      paths.push(shown);
      if (ENVIRONMENT.test(entry.name))
        for (const [, name] of readFileSync(path, 'utf8').matchAll(/^\s*(?:export\s+)?#?\s*([A-Z][A-Z0-9_]*)\s*=/gm))
          environment.add(name);
      const manifest = MANIFESTS.find(({ name }) => name.test(entry.name));
      if (manifest === undefined) continue;
      const sibling = (name: string): string | null =>
        entries.some((each) => each.name === name) ? readFileSync(join(at, name), 'utf8') : null;
      for (const found of manifest.packagesIn(readFileSync(path, 'utf8'), sibling))
        packages.push({ ecosystem: manifest.ecosystem, ...found, file: shown });
    }
  };
  visit(folder, 0);
  return { packages, environment, paths };
}

/** Whether a file declares packages or variables, or locks versions. */
export function isDeclaration(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return ENVIRONMENT.test(name) || LOCKS.has(name) || MANIFESTS.some((each) => each.name.test(name));
}

/** @param isPart skips unreadable subfolders, such as a container's database files */
function entriesOf(folder: string, isPart: boolean): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isPart) return [];
    throw error;
  }
}

function npmPackages(text: string, sibling: (name: string) => string | null): readonly Found[] {
  const manifest = json(text);
  const locked = member(json(sibling('package-lock.json') ?? ''), 'packages');
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(member(manifest, kind)).map(([name, range]) => {
      const version = member(locked, `node_modules/${name}`)['version'] ?? range;
      return { name, version: plainVersion(version) };
    }),
  );
}

function composerPackages(text: string, sibling: (name: string) => string | null): readonly Found[] {
  const lock = json(sibling('composer.lock') ?? '')['packages'];
  const locked = Array.isArray(lock) ? (lock as readonly Json[]).filter(isObject) : [];
  const manifest = json(text);
  return ['require', 'require-dev'].flatMap((kind) =>
    Object.entries(member(manifest, kind)).map(([name, range]) => {
      const version = locked.find((each) => each['name'] === name)?.['version'] ?? range;
      return { name, version: plainVersion(version) };
    }),
  );
}

/** A version without its range operator. */
function plainVersion(version: Json): string | null {
  return typeof version === 'string' ? version.replace(/^[\^~>=v ]+/, '') : null;
}

function gems(text: string, sibling: (name: string) => string | null): readonly Found[] {
  const locked = new Map(
    all(sibling('Gemfile.lock') ?? '', /^ {4}([\w.-]+) \(([\d.]+)[^)]*\)$/gm).map(({ name, version }) => [
      name,
      version,
    ]),
  );
  return all(text, /^\s*gem\s+["']([\w.-]+)["'](?:\s*,\s*["'][^\d"']*([\d.]+)["'])?/gm).map(({ name, version }) => ({
    name,
    version: locked.get(name) ?? version,
  }));
}

/** The matches of a pattern in each line: the first group is the name, the second the version. */
function lines(text: string, pattern: RegExp): readonly Found[] {
  return text.split('\n').flatMap((line) => {
    const found = line.trim().startsWith('#') ? null : pattern.exec(line);
    return found === null ? [] : [{ name: found[1], version: found[2] ?? null }];
  });
}

/** @param parts number of groups that form the name, joined by `:` */
function all(text: string, pattern: RegExp, parts = 1): readonly Found[] {
  return [...text.matchAll(pattern)].map((found) => ({
    name: found.slice(1, 1 + parts).join(':'),
    version: (found[1 + parts] as string | undefined) ?? null,
  }));
}

function json(text: string): { readonly [key: string]: Json } {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function member(of: { readonly [key: string]: Json }, key: string): { readonly [key: string]: Json } {
  const value = of[key];
  return isObject(value) ? value : {};
}
