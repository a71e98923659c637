import { dirname } from 'node:path';
import { argumentsAt, type Code, type DeclaredRoute, firstMatches, joined } from './code.js';

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

/** The frameworks that declare routes in classes and are supported. */
const FRAMEWORKS: readonly ClassFramework[] = [
  {
    // The NestJS framework.
    files: /\.ts$/,
    sign: /@Controller\(/,
    prefix: /@Controller\(/g,
    route: /@(?:Post|All)\(/g,
    base: { files: /\.ts$/, value: /\.setGlobalPrefix\(/g },
  },
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
    const before = classes[classes.indexOf(at) - 1]?.index ?? 0;
    // The decorators of a class are after the last one's body; a route's own prefix of the same spelling is after the class.
    const declared = [...text.slice(before, at.index).matchAll(framework.prefix)].at(-1);
    const prefix = declared === undefined ? '' : pathIn(code, text, before + declared.index + declared[0].length);
    const args = found[0].endsWith('(') ? argumentsAt(text, found.index + found[0].length) : '';
    if (framework.method !== undefined && !framework.method.test(args)) return [];
    const own = found[0] === '@POST' ? besidePath(code, text, found.index) : args === '' ? '' : valueIn(code, args);
    const base = framework.base === undefined ? '' : baseOf(code, framework.base, file);
    const isWhole = prefix !== null && own !== null && base !== null;
    // Treats `@Post('/')` of NestJS as the controller's prefix itself.
    const last = own === '/' && file.endsWith('.ts') ? '' : (own ?? '');
    const name = at.name.replace(/Controller$/, '').toLowerCase();
    return [{ path: joined(base ?? '', prefix ?? '', last).replace('[controller]', name), file, isWhole }];
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

/** Finds the prefix of the application that contains a file: the one declared in the nearest folder above. Null if it isn't known. */
function baseOf(code: Code, { files, value }: NonNullable<ClassFramework['base']>, file: string): string | null {
  const found = code.named(files).flatMap((each) =>
    [...code.text(each).matchAll(value)].map((match) => ({
      folder: dirname(each),
      path: match[1] ?? valueOfBase(code, code.text(each), match.index + match[0].length),
    })),
  );
  const shared = (folder: string): number => {
    const parts = file.split('/');
    const at = folder.split('/').findIndex((part, index) => part !== parts[index]);
    return at < 0 ? folder.split('/').length : at;
  };
  const most = Math.max(0, ...found.map(({ folder }) => shared(folder)));
  const nearest = new Set(found.filter(({ folder }) => shared(folder) === most).map(({ path }) => path));
  return nearest.size === 0 ? '' : nearest.size === 1 ? [...nearest][0] : null;
}

/** Returns the global prefix that a call sets; null if the call excludes webhook routes from it. */
function valueOfBase(code: Code, text: string, open: number): string | null {
  const args = argumentsAt(text, open);
  return /exclude[^\]]{0,400}hook/i.test(args) ? null : code.valueOf(args.split(',', 1)[0]);
}
