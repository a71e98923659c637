import { dirname, normalize } from 'node:path';

/** Maximum number of characters of code that are read; the rest of a larger application is ignored. */
const MAX_CODE = 64 * 1024 * 1024;
/** Maximum number of characters of a call's arguments that are searched. */
const MAX_ARGUMENTS = 20_000;
/** Maximum number of calls of one kind that are read per file. */
const MAX_CALLS = 1000;

/** Matches paths of code files. `OF_TESTS` matches those that only tests run. */
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|php|go|java|kt|cs|exs?)$/;
const OF_TESTS =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|e2e|cypress|fixtures|mock[\w-]*)\/|[._-](?:test|spec|min)s?\.\w+$/;
/** Matches the part of a file's path that is the route's own address, in file-based routers. */
const ROUTE_PLACE = /((?:^|\/)(?:app|src\/routes)\/).*(?=\/(?:route|\+server)\.[jt]s$)/;
/** Matches comment lines. */
const COMMENTED = /^[ \t]*(?:\/\/|\/\*|\*|#(?!\[)).*$/gm;
/** Matches assignments of a literal to a name, such as a prefix in settings. */
const CONSTANTS =
  /^[ \t]*(?:export[ \t]+)?(?:const[ \t]+|let[ \t]+|var[ \t]+|static[ \t]+|readonly[ \t]+)?(\w{3,60})(?:[ \t]*:[ \t]*\w{1,20})?[ \t]*:?=[ \t]*(["'`])([^"'`\n]{0,200})\2/gm;

/** A route declared in code. */
export interface DeclaredRoute {
  readonly path: string;
  readonly file: string;
  /** Whether the path is whole; false if the router's own address wasn't found, so that only the end of the path is known. */
  readonly isWhole: boolean;
  /** A file that determines the port, if another file than the route's serves the route. */
  readonly server?: string;
}

/** The code of an application. Only its own files are read. */
export class Code {
  /** Paths of code files, without tests. */
  readonly files: readonly string[];
  /** Paths of code files in file-based routers, where a folder `test` below the router is a part of the route. */
  readonly routeFiles: readonly string[];
  private readonly all: ReadonlySet<string>;
  private readonly texts = new Map<string, string>();
  private constants: Map<string, string | null> | undefined;
  private left = MAX_CODE;

  /** Creates the view of an application's code. @param textOf returns the text of a file */
  constructor(
    paths: readonly string[],
    private readonly textOf: (path: string) => string,
  ) {
    this.all = new Set(paths);
    this.files = paths.filter((path) => CODE.test(path) && !OF_TESTS.test(path));
    this.routeFiles = paths.filter((path) => CODE.test(path) && !OF_TESTS.test(path.replace(ROUTE_PLACE, '$1')));
  }

  /** Reads one of the application's files, without comment lines. */
  text(path: string): string {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    const text = this.left > 0 && this.all.has(path) ? this.textOf(path).replace(COMMENTED, '') : '';
    this.left -= text.length;
    this.texts.set(path, text);
    return text;
  }

  /** Lists the code files in a folder and below it. */
  below(folder: string): readonly string[] {
    return folder === '.' ? this.files : this.files.filter((file) => file.startsWith(`${folder}/`));
  }

  /** Finds the first of some file names in a file's folder, or else in the nearest folder above; null if there is none. */
  above(file: string, names: readonly string[]): string | null {
    for (let folder = dirname(file); ; folder = dirname(folder)) {
      const found = names
        .map((name) => (folder === '.' ? name : `${folder}/${name}`))
        .find((path) => this.all.has(path));
      if (found !== undefined) return found;
      if (folder === '.' || folder === '/') return null;
    }
  }

  /** Finds files with a matching name, such as settings. */
  named(name: RegExp): readonly string[] {
    return [...this.all].filter((path) => name.test(path) && !OF_TESTS.test(path));
  }

  /** Finds the file that a JavaScript import refers to: relative to the importing file, or by an alias such as `@/`. */
  moduleOfScript(from: string, name: string): string | null {
    const bare = name.replace(/\.[cm]?[jt]sx?$/, '');
    const ends = ['.ts', '.js', '.mts', '.mjs', '.cjs', '.tsx', '/index.ts', '/index.js', '/index.mjs'];
    if (bare.startsWith('.')) return this.first(normalize(`${dirname(from)}/${bare}`).replace(/\/$/, ''), ends);
    const aliased = /^(?:[@~#]\w*\/|src\/)(.+)/.exec(bare)?.[1];
    return aliased === undefined ? null : this.nearest(from, aliased, ends);
  }

  /** Finds the file of a Python module with a dotted name; leading dots are relative to the importing file. */
  moduleOfPython(from: string, name: string): string | null {
    const [, dots, rest] = /^(\.*)(.*)$/.exec(name) ?? ['', '', ''];
    const path = rest.replaceAll('.', '/');
    const ends = ['.py', '/__init__.py'];
    if (dots === '') return this.nearest(from, path, ends);
    const base = normalize(`${dirname(from)}/${'../'.repeat(dots.length - 1)}${path}`).replace(/\/$/, '');
    return this.first(base === '.' ? '' : base, base === '.' ? ['__init__.py'] : ends);
  }

  /**
   * Evaluates an expression that is a literal, a name with one value in all of the code, or a template of both.
   * @returns null if the text can't be known without running the code
   */
  valueOf(expression: string): string | null {
    const literal = /^[fr]?(["'`])(.*)\1$/s.exec(expression.trim());
    if (literal === null) {
      const name = /^[\w$.]{0,80}?(\w+)$/.exec(expression.trim())?.[1];
      return name === undefined ? null : this.constant(name);
    }
    let isKnown = true;
    const value = literal[2].replace(/\$?\{([^{}]{1,80})\}/g, (whole, name: string) => {
      if (literal[1] !== '`' && !expression.trim().startsWith('f')) return whole;
      const found = this.valueOf(name);
      isKnown &&= found !== null;
      return found ?? '';
    });
    return isKnown ? value : null;
  }

  private constant(name: string): string | null {
    if (this.constants === undefined) {
      this.constants = new Map();
      for (const file of this.files)
        for (const [, key, , value] of this.text(file).matchAll(CONSTANTS)) {
          const before = this.constants.get(key);
          this.constants.set(key, before === undefined || before === value ? value : null);
        }
    }
    return this.constants.get(name) ?? null;
  }

  private first(base: string, ends: readonly string[]): string | null {
    return ends.map((end) => base + end).find((path) => this.all.has(path)) ?? null;
  }

  /** Finds the file whose path ends with a module's path, in the folder nearest to the importing file. */
  private nearest(from: string, path: string, ends: readonly string[]): string | null {
    for (let folder = dirname(from); ; folder = dirname(folder)) {
      for (const inner of ['', 'src/', 'app/']) {
        const found = this.first(`${folder === '.' ? '' : `${folder}/`}${inner}${path}`, ends);
        if (found !== null) return found;
      }
      if (folder === '.' || folder === '/') return null;
    }
  }
}

/** Finds the first matches of a pattern in a text. Their number is limited: a file with more calls wasn't written by hand. */
export function firstMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) {
    if (found.length === MAX_CALLS) break;
    found.push(match);
  }
  return found;
}

/** Returns the arguments of a call. @param open index after the opening bracket */
export function argumentsAt(text: string, open: number): string {
  const scope = text.slice(open, open + MAX_ARGUMENTS);
  let depth = 1;
  for (let at = 0; at < scope.length; at += 1) {
    const char = scope[at];
    if (char === '"' || char === "'" || char === '`') {
      const close = scope.indexOf(char, at + 1);
      // A quote without its pair on the line is an apostrophe; templates may have several lines.
      if (close > 0 && (char === '`' || !scope.slice(at, close).includes('\n'))) at = close;
    } else if (char === '(' || char === '[' || char === '{') depth += 1;
    else if ((char === ')' || char === ']' || char === '}') && --depth === 0) return scope.slice(0, at);
  }
  return scope;
}

/** Splits arguments at the commas outside of brackets. */
export function splitArguments(args: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < args.length; at += 1) {
    const char = args[at];
    if ('([{'.includes(char)) at += argumentsAt(args, at + 1).length + 1;
    else if (char === '"' || char === "'" || char === '`') {
      const close = args.indexOf(char, at + 1);
      if (close > 0) at = close;
    } else if (char === ',') {
      parts.push(args.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(args.slice(start).trim());
  return parts.filter((part) => part !== '');
}

/** Joins parts to a path, with one slash between them; empty parts are skipped. */
export function joined(...parts: readonly string[]): string {
  return `/${parts.filter((part) => part !== '').join('/')}`.replace(/\/{2,}/g, '/');
}
