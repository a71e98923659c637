import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isObject, type Json } from '../../engine/values/index.js';

/** Whose registry a package is from. */
export type Ecosystem = 'npm' | 'pypi' | 'rubygems' | 'packagist' | 'go' | 'nuget' | 'maven';

/** A package that an application says that it uses. */
export interface UsedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** As the lockfile or else the manifest has it; null: any. */
  readonly version: string | null;
  /** The file that says so, seen from the application's folder. */
  readonly file: string;
}

/** What an application's folder says about itself. */
export interface ApplicationFiles {
  readonly packages: readonly UsedPackage[];
  /** Names in `.env.example` and its kind. */
  readonly environment: ReadonlySet<string>;
  /** All files that were looked at, by their paths seen from the folder. */
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
/** What is no part of the application itself. */
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

/** Reads the manifests, lockfiles and examples of environments of an application, in its folder and the folders of its parts. */
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

/** @param isPart a part that may not be read, such as the data of a database in a container, is passed over */
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

/** A version without what a range has before it. */
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

/** What the first group of a pattern finds in each line, with the second as its version. */
function lines(text: string, pattern: RegExp): readonly Found[] {
  return text.split('\n').flatMap((line) => {
    const found = line.trim().startsWith('#') ? null : pattern.exec(line);
    return found === null ? [] : [{ name: found[1], version: found[2] ?? null }];
  });
}

/** @param parts how many groups make the name, with `:` between them */
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
