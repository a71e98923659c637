import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isObject, type Json } from '../../engine/values/index.js';
import { membersOf, parseObject } from './json.js';
import { LOCK_NAMES, LockedVersions } from './locked-versions.js';

/** The package registry that a package comes from. */
export type Ecosystem = 'npm' | 'pypi' | 'rubygems' | 'packagist' | 'go' | 'nuget' | 'maven';

/** A package that an application declares. */
export interface UsedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** The version of the package from the lockfile, or else the manifest; null if none is declared. */
  readonly version: string | null;
  /** Path of the file that declares the package, relative to the application's folder. */
  readonly file: string;
}

/** The packages and variables that the files of an application declare. */
export interface ApplicationFiles {
  readonly packages: readonly UsedPackage[];
  /** Names of variables in `.env.example` and similar files. */
  readonly environment: ReadonlySet<string>;
  /** Paths of all files that were read, relative to the application's folder. */
  readonly paths: readonly string[];
  /** Manifests that can't be read or aren't valid, with the reason. */
  readonly broken: readonly string[];
}

type Found = Pick<UsedPackage, 'name' | 'version'>;

/** The folder and the neighbouring files of a manifest. */
interface Around {
  /** Folder that contains the manifest. */
  readonly folder: string;
  readonly locked: LockedVersions;
  /** Returns the text of another file in the manifest's folder; null if there is none. */
  readonly sibling: (name: string) => string | null;
}

interface Manifest {
  /** Matches paths of manifests of this kind. */
  readonly name: RegExp;
  readonly ecosystem: Ecosystem;
  readonly packagesIn: (text: string, around: Around) => readonly Found[];
}

const MANIFESTS: readonly Manifest[] = [
  { name: /(?:^|\/)package\.json$/, ecosystem: 'npm', packagesIn: npmPackages },
  {
    name: /(?:^|\/)(?:requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt)$/,
    ecosystem: 'pypi',
    packagesIn: (text) => lines(text, /^\s*([\w.-]+)(?:\[[^\]]*\])?\s*(?:[=~><!]=?=?\s*([\w.]+))?/),
  },
  {
    name: /(?:^|\/)(?:pyproject\.toml|Pipfile)$/,
    ecosystem: 'pypi',
    packagesIn: projectPackages,
  },
  { name: /(?:^|\/)Gemfile$/, ecosystem: 'rubygems', packagesIn: gems },
  { name: /(?:^|\/)composer\.json$/, ecosystem: 'packagist', packagesIn: composerPackages },
  {
    name: /(?:^|\/)go\.mod$/,
    ecosystem: 'go',
    packagesIn: (text) => lines(text, /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+?)(?:\/v\d+)?\s+v(\S+)/),
  },
  {
    name: /\.(?:cs|fs|vb)proj$|(?:^|\/)(?:Directory\.Packages\.props|packages\.config)$/,
    ecosystem: 'nuget',
    packagesIn: nugetPackages,
  },
  {
    name: /(?:^|\/)pom\.xml$/,
    ecosystem: 'maven',
    packagesIn: mavenPackages,
  },
  {
    name: /(?:^|\/)(?:build\.gradle(?:\.kts)?|libs\.versions\.toml)$/,
    ecosystem: 'maven',
    packagesIn: (text) => all(text, /["']([\w.-]+:[\w.-]+)(?::([\w.-]+))?["']/g),
  },
];

const ENVIRONMENT = /^\.?env(?:[.-]\w+)*[.-](?:example|sample|template|dist)$|^(?:example|sample)\.env$/;
const LOCKS = new Set([...LOCK_NAMES, 'composer.lock', 'Gemfile.lock']);
/** Matches folders of tests, whose manifests name packages that only tests use. */
const OF_TESTS = /(?:^|\/)(?:tests?|e2e|fixtures|__tests__|__fixtures__)\//;
/** Folders that aren't searched, because they aren't part of the application itself. */
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
  'site-packages',
  'bin',
  'obj',
]);
/** Maximum depth of searched folders; Java's classes are deep, such as `src/main/java/com/example/shop/web/hooks`. */
const MAX_DEPTH = 12;
const MAX_FILES = 20_000;

/**
 * Reads the manifests, lockfiles and example environments of an application, in its folder and its packages' folders. Folders closest to the
 * application's own are read first, so that large ones don't hide others.
 */
export function applicationFiles(folder: string): ApplicationFiles {
  const packages: UsedPackage[] = [];
  const environment = new Set<string>();
  const paths: string[] = [];
  const broken: string[] = [];
  const locked = new LockedVersions(folder);
  const shown = (path: string): string => relative(folder, path).replaceAll('\\', '/');
  const textOf = (path: string): string => {
    try {
      return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    } catch (error) {
      broken.push(`${shown(path)} can't be read: ${String((error as NodeJS.ErrnoException).code)}`);
      return '';
    }
  };
  const read = (at: string, entry: Dirent, entries: readonly Dirent[]): void => {
    const path = join(at, entry.name);
    const file = shown(path);
    paths.push(file);
    if (ENVIRONMENT.test(entry.name))
      for (const [, name] of textOf(path).matchAll(/^\s*(?:export\s+)?#?\s*([A-Z][A-Z0-9_]*)\s*=/gm))
        environment.add(name);
    const manifest = MANIFESTS.find(({ name }) => name.test(file));
    if (manifest === undefined || OF_TESTS.test(file)) return;
    const sibling = (name: string): string | null =>
      entries.some((each) => each.name === name && each.isFile()) ? textOf(join(at, name)) : null;
    const text = textOf(path);
    if (entry.name.endsWith('.json') && text.trim() !== '' && !isJson(text)) broken.push(`${file} isn't valid JSON`);
    for (const found of manifest.packagesIn(text, { folder: at, locked, sibling }))
      packages.push({ ecosystem: manifest.ecosystem, ...found, file });
  };
  let level = [folder];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const at of level) {
      const entries = entriesOf(at, depth > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
      // The packages of a virtual environment of Python; `env` is also a name for code.
      if (entries.some(({ name }) => name === 'pyvenv.cfg')) continue;
      for (const entry of entries) {
        if (paths.length >= MAX_FILES) return { packages, environment, paths, broken };
        if (entry.isFile()) read(at, entry, entries);
        else if (entry.isDirectory() && !entry.name.startsWith('.') && !APART.has(entry.name))
          next.push(join(at, entry.name));
      }
    }
    level = next;
  }
  return { packages, environment, paths, broken };
}

/** Whether a file declares packages or variables, or locks versions. */
export function isDeclaration(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return ENVIRONMENT.test(name) || LOCKS.has(name) || MANIFESTS.some((each) => each.name.test(path));
}

/** Lists a folder. @param isPart whether to skip an unreadable folder, such as a container's database files, instead of throwing */
function entriesOf(folder: string, isPart: boolean): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isPart) return [];
    throw error;
  }
}

function npmPackages(text: string, { folder, locked }: Around): readonly Found[] {
  const manifest = parseObject(text);
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(membersOf(manifest, kind)).map(([name, range]) => {
      const version = locked.ofNpm(folder, name, String(range));
      const [, own = name, wanted = range] = ALIAS.exec(String(range)) ?? [];
      return { name: own, version: plainVersion(version ?? wanted) };
    }),
  );
}

/** Matches an npm alias: another package under a name that the application chose. */
const ALIAS = /^npm:(@?[^@]+)(?:@(.+))?$/;

/** The packages in pyproject.toml and Pipfile: one name per line, or several in a list on one line. */
function projectPackages(text: string, { folder, locked }: Around): readonly Found[] {
  const named = /^\s*["']?([A-Za-z][\w.-]*)["']?(?:\[[^\]]*\])?\s*(?:[=~><^!]=?\s*["'{]?[^\d"']*([\d.]*\d)?)?/;
  const listed = [...text.matchAll(/^\s*(?!keywords|classifiers|authors)[\w.-]+\s*=\s*\[(.*)/gm)].flatMap(([, list]) =>
    all(list, /["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=~><^!]=?=?\s*([\d.]*\d))?/g),
  );
  return [...lines(text, named), ...listed].map(({ name, version }) => ({
    name,
    version: locked.ofPython(folder, name) ?? version,
  }));
}

/** Finds the packages of a pom.xml; a version may be the name of a property. */
function mavenPackages(text: string): readonly Found[] {
  const found = all(
    text,
    /<groupId>\s*([^<\s]+)\s*<\/groupId>\s*<artifactId>\s*([^<\s]+)\s*<\/artifactId>(?:\s*<version>\s*([^<\s]+))?/g,
    2,
  );
  return found.map(({ name, version }) => {
    const property = /^\$\{([\w.-]{1,100})\}$/.exec(version ?? '')?.[1];
    if (property === undefined) return { name, version };
    const value = new RegExp(String.raw`<${property.replaceAll('.', String.raw`\.`)}>\s*([^<\s]+)`).exec(text)?.[1];
    return { name, version: value ?? null };
  });
}

/** Finds the packages of a .NET project: attributes in any order, or the version as an element. */
function nugetPackages(text: string): readonly Found[] {
  const elements = text.matchAll(/<package(?:reference|version)?\s([^>]*)>(?:\s*<version>\s*([^<\s]+))?/gi);
  return [...elements].flatMap(([, attributes, element]) => {
    const attribute = (name: string): string | undefined =>
      new RegExp(`\\b${name}\\s*=\\s*["']([^"']+)`, 'i').exec(attributes)?.[1];
    const name = attribute('(?:include|id)');
    // Removes the brackets of `[1.2.3]`, which means exactly this version.
    const version = (attribute('version') ?? element)?.replace(/^\[([^,\]]*)\]$/, '$1');
    return name === undefined ? [] : [{ name, version: version ?? null }];
  });
}

function composerPackages(text: string, { sibling }: Around): readonly Found[] {
  const lock = parseObject(sibling('composer.lock') ?? '')['packages'];
  const locked = Array.isArray(lock) ? (lock as readonly Json[]).filter(isObject) : [];
  const manifest = parseObject(text);
  return ['require', 'require-dev'].flatMap((kind) =>
    Object.entries(membersOf(manifest, kind)).map(([name, range]) => {
      const version = locked.find((each) => each['name'] === name)?.['version'] ?? range;
      return { name, version: plainVersion(version) };
    }),
  );
}

/** Removes the range operator from a version. */
function plainVersion(version: Json): string | null {
  return typeof version === 'string' ? version.replace(/^[\^~>=v ]+/, '') : null;
}

function gems(text: string, { sibling }: Around): readonly Found[] {
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

/** Finds the match of a pattern in each line: the first group is the name, the second the version. */
function lines(text: string, pattern: RegExp): readonly Found[] {
  return text.split('\n').flatMap((line) => {
    const found = line.trim().startsWith('#') ? null : pattern.exec(line);
    return found === null ? [] : [{ name: found[1], version: found[2] ?? null }];
  });
}

/** Finds all matches of a pattern: groups for the name, then one for the version. @param parts number of groups that form the name, joined by `:` */
function all(text: string, pattern: RegExp, parts = 1): readonly Found[] {
  return [...text.matchAll(pattern)].map((found) => ({
    name: found.slice(1, 1 + parts).join(':'),
    version: (found[1 + parts] as string | undefined) ?? null,
  }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
