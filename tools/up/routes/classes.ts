import { dirname } from 'node:path';
import { argumentsAt, type Code, type DeclaredRoute, firstMatches, joined, splitArguments } from './code.js';

/** How a framework declares routes in classes: a prefix before the class, and a path before each method. */
interface ClassFramework {
  readonly files: RegExp;
  /** Matches the text of files that contain such classes. */
  readonly sign: RegExp;
  readonly prefix: RegExp;
  readonly route: RegExp;
  /** Matches the arguments of a route that accepts POST; if absent, all routes accept it. */
  readonly method?: RegExp;
  /** Matches the prefix of the whole application, in code or settings. */
  readonly base?: { readonly files: RegExp; readonly value: RegExp };
}

const CLASS = /(?:^|\s)(?:class|interface|object)\s{1,9}(\w{1,80})/g;

/** The NestJS framework. */
const NEST: ClassFramework = {
  files: /\.ts$/,
  sign: /@Controller\(/,
  prefix: /@Controller\(/g,
  route: /@(?:Post|All)\(/g,
  base: { files: /\.ts$/, value: /\.setGlobalPrefix\(/g },
};

/** The frameworks that declare routes in classes and are supported. */
const FRAMEWORKS: readonly ClassFramework[] = [
  NEST,
  {
    // The Spring framework.
    files: /\.(?:java|kt)$/,
    sign: /@(?:Post|Request)Mapping\b/,
    prefix: /@RequestMapping\(/g,
    route: /@PostMapping\b\(?/g,
    base: {
      files: /(?:^|\/)application[\w-]*\.(?:properties|ya?ml)$/,
      value:
        /(?:^server\.servlet\.context-path|^spring\.mvc\.servlet\.path|^spring\.webflux\.base-path|^[ \t]{1,9}(?:context-path|base-path))[ \t]*[=:][ \t]*["']?([^\s"'#]{1,200})/gm,
    },
  },
  {
    files: /\.(?:java|kt)$/,
    sign: /@RestController|@Controller/,
    prefix: /@RequestMapping\(/g,
    route: /@RequestMapping\(/g,
    method: /RequestMethod\.POST/,
  },
  // JAX-RS, which Quarkus and Dropwizard use.
  { files: /\.(?:java|kt)$/, sign: /@Path\(/, prefix: /@Path\(/g, route: /@POST\b/g },
  // The ASP.NET framework.
  { files: /\.cs$/, sign: /\[HttpPost/, prefix: /\[Route\(/g, route: /\[HttpPost\b\(?/g },
];

/** Finds routes declared in classes: NestJS, Spring, JAX-RS, ASP.NET. */
export function routesOfClasses(code: Code): readonly DeclaredRoute[] {
  return FRAMEWORKS.flatMap((framework) =>
    code.files
      .filter((file) => framework.files.test(file) && framework.sign.test(code.text(file)))
      .flatMap((file) => routesOfFile(code, framework, file)),
  );
}

function routesOfFile(code: Code, framework: ClassFramework, file: string): readonly DeclaredRoute[] {
  const text = code.text(file);
  const classes = [...text.matchAll(CLASS)].map(({ index, 1: name }) => ({ index, name }));
  return firstMatches(text, framework.route).flatMap((found) => {
    const at = classes.findLast(({ index }) => index < found.index);
    if (at === undefined) return [];
    const start = classes[classes.indexOf(at) - 1]?.index ?? 0;
    // The decorators of a class are after the last one's body; a route's own prefix of the same spelling is after the class.
    const declared = [...text.slice(start, at.index).matchAll(framework.prefix)].at(-1);
    const prefix = declared === undefined ? '' : pathIn(code, text, start + declared.index + declared[0].length);
    const args = found[0].endsWith('(') ? argumentsAt(text, found.index + found[0].length) : '';
    if (framework.method !== undefined && !framework.method.test(args)) return [];
    const own = found[0] === '@POST' ? besidePath(code, text, found.index) : args === '' ? '' : valueIn(code, args);
    const isNest = framework === NEST;
    const base = framework.base === undefined ? '' : baseOf(code, framework.base, file, isNest ? [prefix, own] : []);
    const before = isNest ? nestPrefix(code, file, at.name, text.slice(start, found.index)) : '';
    const isWhole = prefix !== null && own !== null && base !== null && before !== null;
    // Treats `@Post('/')` of NestJS as the controller's prefix itself.
    const last = own === '/' && file.endsWith('.ts') ? '' : (own ?? '');
    const name = at.name.replace(/Controller$/, '').toLowerCase();
    return [
      { path: joined(base ?? '', before ?? '', prefix ?? '', last).replace('[controller]', name), file, isWhole },
    ];
  });
}

/** Returns the `@Path` of a method, before or after `@POST`. */
function besidePath(code: Code, text: string, at: number): string | null {
  const found = /^[^{;]{0,300}?@Path\(/.exec(text.slice(at, at + 300));
  return found === null ? '' : pathIn(code, text, at + found[0].length);
}

function pathIn(code: Code, text: string, open: number): string | null {
  return valueIn(code, argumentsAt(text, open));
}

/** Returns the path in the arguments of a decorator, with NestJS's version prefix. */
function valueIn(code: Code, args: string): string | null {
  if (args.trim() === '') return '';
  const named = /\b(?:path|value|Name)\s*[:=]\s*\{?\s*("[^"\n]*"|'[^'\n]*'|[\w.]+)/.exec(args)?.[1];
  const version = /\bversion:\s*["'](\w{1,20})["']/.exec(args)?.[1];
  const isKeyed = /^\s*\{|^\s*\w+\s*=/.test(args);
  const value =
    named !== undefined && isKeyed
      ? code.valueOf(named)
      : isKeyed && !args.includes('path')
        ? ''
        : code.valueOf(args.split(',', 1)[0]);
  return value === null ? null : joined(version === undefined ? '' : `v${version}`, value);
}

/**
 * Finds the prefix of the application that contains a file: the one declared in the nearest folder above. Null if it isn't known.
 * @param path the parts of a route's path, which the prefix may exclude
 */
function baseOf(
  code: Code,
  { files, value }: NonNullable<ClassFramework['base']>,
  file: string,
  path: readonly (string | null)[],
): string | null {
  return nearestOf(
    code,
    files,
    value,
    file,
    (match, text) =>
      match[1] ??
      prefixIn(code, argumentsAt(text, match.index + match[0].length), joined(...path.map((each) => each ?? ''))),
  );
}

/** Finds the value that the files nearest to a file agree on; empty if no file has one, null if they differ or a value isn't known. */
function nearestOf(
  code: Code,
  files: RegExp,
  pattern: RegExp,
  file: string,
  valueOf: (match: RegExpExecArray, text: string) => string | null,
): string | null {
  const matches = once(code, `${files.source} ${pattern.source}`, () =>
    code.named(files).flatMap((each) => {
      const text = code.text(each);
      return [...text.matchAll(pattern)].map((match) => ({ folder: dirname(each), match, text }));
    }),
  );
  const found = matches.map(({ folder, match, text }) => ({ folder, value: valueOf(match, text) }));
  const shared = (folder: string): number => {
    const parts = file.split('/');
    const at = folder.split('/').findIndex((part, index) => part !== parts[index]);
    return at < 0 ? folder.split('/').length : at;
  };
  const most = Math.max(0, ...found.map(({ folder }) => shared(folder)));
  const nearest = new Set(found.filter(({ folder }) => shared(folder) === most).map(({ value }) => value));
  return nearest.size === 0 ? '' : nearest.size === 1 ? [...nearest][0] : null;
}

/** Returns the global prefix that a call sets; empty if the call excludes this path by name; null if it excludes webhook routes in another way. */
function prefixIn(code: Code, args: string, path: string): string | null {
  const excluded = /\bexclude\b([^]{0,2000})/.exec(args)?.[1];
  if (excluded !== undefined) {
    const names = [...excluded.matchAll(/["'`]\/?([\w/.-]{1,200})["'`]/g)].map(([, name]) => `/${name}`);
    if (names.includes(path)) return '';
    if (/hook/i.test(excluded)) return null;
  }
  return code.valueOf(args.split(',', 1)[0]);
}

/**
 * Finds the version and the module's path that precede the path of a NestJS controller; null if they aren't known.
 * @param declared text of the controller up to a route
 */
function nestPrefix(code: Code, file: string, controller: string, declared: string): string | null {
  const version = /@Version\(/.test(declared)
    ? null
    : /@Controller\(\{[^}]{0,300}\bversion:/.test(declared)
      ? ''
      : nearestOf(code, /\.ts$/, /\.enableVersioning\(/g, file, (match, text) =>
          versionIn(argumentsAt(text, match.index + match[0].length)),
        );
  const ofModule = modulePath(code, controller);
  return version === null || ofModule === null ? null : joined(version, ofModule);
}

/** Returns the path segment of the default version; empty if versions aren't in paths, or there is no default; null if it isn't known. */
function versionIn(args: string): string | null {
  const type = /\btype:\s*([\w.]{1,60})/.exec(args)?.[1];
  const value = /\bdefaultVersion:\s*([^]{1,300})/.exec(args)?.[1];
  if (value === undefined || (type !== undefined && !/URI$/.test(type))) return '';
  const literal = /^["'](\w{1,20})["']/.exec(value)?.[1];
  const prefix = /\bprefix:\s*["']([\w-]{0,20})["']/.exec(args)?.[1] ?? 'v';
  return literal === undefined ? null : prefix + literal;
}

/** Results of searches through all files, by code and search, since every route asks for them. */
const searched = new WeakMap<Code, Map<string, unknown>>();

/** Returns the result of a search through all files, which runs only once. */
function once<T>(code: Code, key: string, search: () => T): T {
  const known = searched.get(code) ?? new Map<string, unknown>();
  searched.set(code, known);
  if (!known.has(key)) known.set(key, search());
  return known.get(key) as T;
}

/** Finds the path that `RouterModule` assigns to the module of a controller; empty if there is none, null if it isn't known. */
function modulePath(code: Code, controller: string): string | null {
  const paths = once(code, 'RouterModule', () => pathsOfRouterModules(code));
  if (paths.length === 0) return '';
  const modules = once(code, `modules of ${controller}`, () =>
    code.files.filter((file) => file.endsWith('.ts')).flatMap((file) => modulesOf(code.text(file), controller)),
  );
  const found = new Set(paths.filter(({ module }) => modules.includes(module)).map(({ path }) => path));
  return found.size === 0 ? '' : found.size === 1 ? [...found][0] : null;
}

/** Lists the modules that `RouterModule` registers, with their paths. */
function pathsOfRouterModules(code: Code): ReturnType<typeof pathsOfModules> {
  return code.files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = code.text(file);
      return [...text.matchAll(/\bRouterModule\.register\(\s*\[/g)]
        .slice(0, 20)
        .flatMap((match) => pathsOfModules(code, argumentsAt(text, match.index + match[0].length), '', 0));
    });
}

/** Finds the modules of a file whose list of controllers contains a controller. */
function modulesOf(text: string, controller: string): readonly string[] {
  return firstMatches(text, /\bcontrollers:\s*\[/g).flatMap(({ index, 0: opening }) => {
    const end = index + opening.length;
    const list = argumentsAt(text, end);
    if (!list.split(/\W+/).includes(controller)) return [];
    return /\bclass\s+(\w{1,80})/.exec(text.slice(end + list.length, end + list.length + 4000))?.[1] ?? [];
  });
}

/** Lists the modules in an argument of `RouterModule.register`, with their paths. */
function pathsOfModules(
  code: Code,
  list: string,
  before: string | null,
  depth: number,
): readonly { readonly module: string; readonly path: string | null }[] {
  return splitArguments(list).flatMap((item) => {
    const children = /\bchildren:\s*\[/.exec(item);
    const inside = children === null ? '' : argumentsAt(item, children.index + children[0].length);
    const own = children === null ? item : item.slice(0, children.index);
    const after = children === null ? '' : item.slice(children.index + children[0].length + inside.length);
    const expression = /\bpath:\s*("[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[\w.]+)/.exec(own)?.[1];
    const value = expression === undefined ? '' : code.valueOf(expression);
    const path = before === null || value === null ? null : joined(before, value);
    const module = /\bmodule:\s*(\w{1,80})/.exec(`${own} ${after}`)?.[1];
    const inner = children === null || depth > 4 ? [] : pathsOfModules(code, inside, path, depth + 1);
    return [...(module === undefined ? [] : [{ module, path }]), ...inner];
  });
}
