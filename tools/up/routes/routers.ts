import { argumentsAt, type Code, type DeclaredRoute, firstMatches, joined, splitArguments } from './code.js';
import { type ImportedName, importsOf } from './imports.js';
import { type Language, LANGUAGES } from './languages.js';
import { isWorker } from './functions.js';
import { mountsOfLoop } from './loops.js';

/** A router that the code assigns to a variable. */
interface Router {
  readonly name: string;
  /** The top-level declaration that contains the router; empty if the router is itself at the top level. */
  readonly owner: string;
  readonly prefix: string | null;
  readonly isApplication: boolean;
  /** Mounts of the router: the parent routers and prefixes; null: the prefix isn't known. */
  readonly mounts: { readonly by: Router; readonly prefix: string | null; readonly replaces: boolean }[];
  /** If the router is a function's parameter, the range of the function's text. */
  readonly region?: readonly [start: number, end: number];
}

/** The named groups that a language's patterns match. */
interface Groups {
  readonly name?: string;
  readonly of?: string;
  readonly method: string;
  readonly path: string;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly language: Language;
  readonly owners: readonly { readonly at: number; readonly name: string }[];
  readonly routers: Router[];
  readonly imports: ReadonlyMap<string, ImportedName>;
  /** Names under which the file exports its local names. */
  readonly aliases: ReadonlyMap<string, string>;
}

const MAX_DEPTH = 10;
const MAX_ADDRESSES = 20;
const NAMES = /(?:require|import)\(\s*["']([^"'\n]{1,200})["']\s*\)|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;
/** Matches string literals, which contain no router names; excludes those passed to `require` and `import`. */
const STRINGS = /(?<!require\(\s{0,9}|import\(\s{0,9})(?:"[^"\n]*"|'[^'\n]*')/g;
const CALLED =
  /(?:^|[^\w$.])([\w$]{2,60}|require\(["'][^"'\n]{1,200}["']\))\(\s{0,9}(?:this\.|self\.)?([\w$]{1,40})\s{0,9}[,)]/gm;
const INLINE =
  /^(?:async\s+)?(?:function\b[\w$ ]{0,60}\(|func\(|\()?\s*([\w$]+)[^){\n]{0,120}\)?[^{}\n]{0,60}(?:=>|\{)/;
const EXPORTED_LISTS = /(?:export\s*|module\.exports\s*=\s*)\{([^}]{0,2000})\}/g;
/** Matches statements that assign the return value of a function to a name. */
const ASSIGNED = /^(?:export )?(?:const )?([\w$]{1,60})\s{0,9}=\s{0,9}(?:await\s{1,9})?([\w$]{1,60})\(/gm;
const EXPORTED_WHOLE = /(?:export default|module\.exports\s*=)\s+(?:[\w$]{1,40}\()?([\w$]{1,60})/;

/** Finds routes of routers in variables, and follows mounts across files: Express, Fastify, Hono, Koa, Flask, FastAPI and Go. */
export function routesOfRouters(code: Code): readonly DeclaredRoute[] {
  return Object.values(LANGUAGES).flatMap((language) => new Routers(code, language).routes());
}

class Routers {
  private readonly sources = new Map<string, Source>();
  private readonly withParameters = new Set<Source>();
  private readonly prefixes = new Map<Router, readonly string[]>();
  /** Paths of files that declare or mount routers. */
  private readonly used: readonly string[];

  constructor(
    private readonly code: Code,
    private readonly language: Language,
  ) {
    const used = code.files.filter((file) => language.files.test(file) && language.sign.test(code.text(file)));
    for (const file of used) this.readMounts(this.source(file));
    for (const file of used) this.readCalls(this.source(file));
    this.used = used;
  }

  /** Finds all routes that accept POST. */
  routes(): readonly DeclaredRoute[] {
    return this.used.flatMap((each): readonly DeclaredRoute[] => {
      const source = this.source(each);
      const { file, text } = source;
      const objects = [
        ...text.matchAll(/\.route(?<=(?:^|[^\w$.])(?:this\.)?([\w$]{1,60})\.route)\(\s{0,9}\{/gm),
      ].flatMap((found) => {
        const args = argumentsAt(text, found.index + found[0].length);
        const path = /\b(?:url|path):\s{0,9}(["'`])([^"'`\n]{0,200})\1/.exec(args)?.[2];
        return path === undefined || !/method:[^\n]{0,40}POST/i.test(args)
          ? []
          : [{ name: found[1], path, at: found.index }];
      });
      const called = firstMatches(text, this.language.route).flatMap((found) => {
        const { name, method, path: expression } = found.groups as unknown as Groups;
        // Removes the method, with which a pattern may begin since Go 1.22.
        const path = this.code.valueOf(expression)?.replace(/^POST /, '') ?? null;
        const end = found.index + found[0].length;
        return path === null || !this.takesPost(text, method, end) ? [] : [{ name, path, at: found.index }];
      });
      return [...objects, ...called].flatMap(({ name, path, at }): readonly DeclaredRoute[] => {
        const router = name === undefined ? this.chainedAt(source, at) : this.routerAt(source, name, at, true);
        if (router === null) return [];
        const prefixes = this.prefixesOf(router);
        const shown = path === '/' && !this.language.keepsSlash ? '' : path;
        return prefixes.length === 0
          ? [{ path: joined(this.endOf(router), shown), file, isWhole: false }]
          : prefixes.map((prefix) => ({ path: joined(prefix, shown), file, isWhole: true }));
      });
    });
  }

  private takesPost(text: string, method: string, end: number): boolean {
    if (!this.language.needsMethod.test(method)) return true;
    // Handles `router.route('/x').post(handler)`, and calls with the methods among the arguments.
    if (this.language === LANGUAGES.script)
      return (
        /^\s*\)/.test(text.slice(end, end + 40)) && /^[^;]{0,400}?\.(?:post|all)\(/.test(text.slice(end, end + 420))
      );
    return /methods\s*=[^)]*POST/.test(argumentsAt(text, end));
  }

  private source(file: string): Source {
    const source = this.sources.get(file) ?? this.sourceOf(file);
    this.sources.set(file, source);
    return source;
  }

  private sourceOf(file: string): Source {
    const { language } = this;
    const text = this.code.text(file);
    const owners = [...text.matchAll(language.owner)].map((found) => ({
      at: found.index,
      name: found.slice(1).find((name, group) => name && group >= 2) ?? (found.slice(1).find(Boolean) ? 'default' : ''),
    }));
    const aliases = new Map<string, string>();
    for (const [, list] of text.matchAll(EXPORTED_LISTS))
      for (const [, left, between, right] of list.matchAll(/([\w$]+)\s*(as|:)\s*([\w$]+)/g))
        if (between === 'as') aliases.set(right, left);
        else aliases.set(left, right);
    const whole = EXPORTED_WHOLE.exec(text)?.[1];
    if (whole !== undefined) aliases.set('default', whole);
    for (const [, name, made] of text.matchAll(ASSIGNED))
      if (owners.some((each) => each.name === made)) aliases.set(name, made);
    const source: Source = { file, text, language, owners, routers: [], imports: importsOf(this.code, file), aliases };
    for (const found of firstMatches(text, language.made)) {
      const args = argumentsAt(text, found.index + found[0].length);
      const based = /^\)\s{0,40}\.basePath\(\s{0,9}("[^"\n]*"|'[^'\n]*')/.exec(
        text.slice(found.index + found[0].length + args.length, found.index + found[0].length + args.length + 300),
      )?.[1];
      const later = new RegExp(
        String.raw`(?:^|[^\w$])${found[1].replaceAll('$', '\\$')}\.prefix\(\s*("[^"\n]*"|'[^'\n]*')`,
        'm',
      ).exec(text)?.[1];
      source.routers.push({
        name: found[1],
        owner: this.isAtTop(text, found.index) ? '' : this.ownerAt(source, found.index),
        prefix: based || later ? this.code.valueOf((based ?? later) as string) : this.prefixIn(args),
        isApplication:
          (language.application.test(found[2]) &&
            (language !== LANGUAGES.script || language.applications.test(found[1]))) ||
          isWorker(text, found[1]),
        mounts: [],
      });
    }
    return source;
  }

  private prefixIn(args: string): string | null {
    const expression = [...args.matchAll(this.language.prefix)].at(-1)?.[1];
    return expression === undefined ? '' : this.code.valueOf(expression);
  }

  private isAtTop(text: string, at: number): boolean {
    const start = text.lastIndexOf('\n', at) + 1;
    return !/[ \t]/.test(text[at === start ? at : start] ?? '');
  }

  private ownerAt({ owners }: Source, at: number): string {
    return owners.findLast((owner) => owner.at <= at)?.name ?? '';
  }

  private readMounts(source: Source): void {
    const { text } = source;
    for (const { groups } of text.matchAll(this.language.derived)) {
      const { name = '', of = '', path } = groups as unknown as Groups;
      const by = this.routerAt(source, of, 0, true);
      if (by === null) continue;
      source.routers.push({
        name,
        owner: '',
        prefix: '',
        isApplication: false,
        mounts: [{ by, prefix: this.code.valueOf(path), replaces: false }],
      });
    }
    for (const found of firstMatches(text, this.language.mount)) {
      const start = found.index + found[0].length;
      const { name } = found.groups as unknown as Groups;
      const by =
        name === undefined ? this.chainedAt(source, found.index) : this.routerAt(source, name, found.index, true);
      if (by === null) continue;
      const args = argumentsAt(text, start);
      const inner = /^\s*mount\(/.exec(args);
      const looped = mountsOfLoop(text, found.index, args);
      if (looped !== null) for (const each of looped) this.readMount(source, by, each, start);
      else this.readMount(source, by, inner === null ? args : argumentsAt(args, inner[0].length), start);
    }
  }

  private readMount(source: Source, by: Router, args: string, start: number): void {
    const parts = splitArguments(args);
    if (parts.length === 0) return;
    const isPath = parts.length > 1 && this.targetsOf(source, parts[0], start).length === 0 && this.isAddress(parts[0]);
    const rest = isPath ? parts.slice(1) : parts;
    const own = isPath ? this.code.valueOf(parts[0]) : '';
    const option = this.prefixIn(rest.filter((part) => /^\{|prefix\s*=/.test(part)).join(','));
    const prefix = own === null || option === null ? null : joined(own, option);
    // A prefix with which Flask registers a blueprint replaces the blueprint's own.
    const replaces = rest.some((part) => /^url_prefix\s*=/.test(part));
    for (const part of rest) {
      const inline = INLINE.exec(part);
      if (inline !== null) {
        const at = start + args.indexOf(part);
        source.routers.push({
          name: inline[1],
          owner: '',
          prefix: '',
          isApplication: false,
          mounts: [{ by, prefix, replaces: false }],
          region: [at, at + part.length],
        });
        continue;
      }
      for (const target of new Set(this.targetsOf(source, part, start)))
        if (target !== by) target.mounts.push({ by, prefix, replaces });
    }
  }

  /** Whether the first argument of a mount is its path; otherwise it is middleware. */
  private isAddress(part: string): boolean {
    return /^["'`]/.test(part) || this.code.valueOf(part) !== null || /prefix|path|base|root|url|version/i.test(part);
  }

  /** Finds the routers in an argument, also as members or in calls. */
  private targetsOf(source: Source, part: string, at: number): readonly Router[] {
    if (/^["'`{]|^\w+\s*=[^=>]/.test(part)) return [];
    const names = [...part.replace(STRINGS, '').slice(0, 2000).matchAll(NAMES)].slice(0, 20);
    return names.flatMap(([name, required]) => this.named(source, name, required as string | undefined, at));
  }

  /** Finds calls of functions with a router as an argument, such as `addWebhooks(app)`. */
  private readCalls(source: Source): void {
    for (const found of source.text.matchAll(CALLED)) {
      const required = /["']([^"']+)["']/.exec(found[1])?.[1];
      const name = found[1];
      const imported = required === undefined ? source.imports.get(name) : this.importedBy(source, required);
      if (imported === undefined || !this.language.sign.test(this.code.text(imported.file))) continue;
      const by = this.routerAt(source, found[2], found.index, true);
      if (by === null) continue;
      for (const target of this.exportedBy(imported.file, imported.member, 0))
        if (target !== by && target.region === undefined && !target.isApplication)
          target.mounts.push({ by, prefix: '', replaces: false });
    }
  }

  private importedBy({ file }: Source, name: string): ImportedName | undefined {
    const target = this.code.moduleOfScript(file, name);
    return target === null ? undefined : { file: target, member: '*' };
  }

  /** Finds the routers that a name refers to at a position. */
  private named(source: Source, name: string, required: string | undefined, at: number): readonly Router[] {
    if (required !== undefined) {
      const imported = this.importedBy(source, required);
      return imported === undefined ? [] : this.exportedBy(imported.file, imported.member, 0);
    }
    const [first, second] = name.split('.', 2);
    const local = this.routerAt(source, first, at, false);
    if (local !== null) return [local];
    const imported = source.imports.get(first) ?? source.imports.get(name.slice(0, Math.max(0, name.lastIndexOf('.'))));
    if (imported === undefined) {
      this.readParameters(source);
      return source.routers.filter((each) => each.owner === first && each.region === undefined);
    }
    const member =
      imported.member === '*' && second !== undefined
        ? source.imports.has(first)
          ? second
          : name.slice(name.lastIndexOf('.') + 1)
        : imported.member;
    return this.exportedBy(imported.file, member, 0);
  }

  /** Finds the routers that a file exports under a name; `*`: the file itself. */
  private exportedBy(file: string, member: string, depth: number): readonly Router[] {
    if (depth > MAX_DEPTH) return [];
    const source = this.source(file);
    this.readParameters(source);
    const routers = source.routers.filter(({ region }) => region === undefined);
    const top = routers.filter(({ name, owner }) => owner === '' && name === member);
    if (top.length > 0) return top;
    const owned = routers.filter(({ owner }) => owner === member);
    if (owned.length > 0) return owned.length === 1 ? owned : [];
    const alias = source.aliases.get(member === '*' ? 'default' : member);
    if (alias !== undefined && alias !== member) {
      const found = this.exportedBy(file, alias, depth + 1);
      if (found.length > 0) return found;
    }
    const imported = source.imports.get(member);
    if (imported !== undefined) return this.exportedBy(imported.file, imported.member, depth + 1);
    for (const [name, each] of source.imports)
      if (name.startsWith('*') && member !== '*') {
        const found = this.exportedBy(each.file, member, depth + 1);
        if (found.length > 0) return found;
      }
    const isWhole = member === '*' || member === 'default';
    return isWhole && routers.length === 1 ? routers : [];
  }

  /** Finds functions with a router as a parameter, to which they add routes or mounts. */
  private readParameters(source: Source): void {
    if (this.withParameters.has(source)) return;
    this.withParameters.add(source);
    for (const pattern of [this.language.route, this.language.mount])
      for (const { index, groups } of source.text.matchAll(pattern)) {
        const { name } = groups as unknown as Groups;
        if (name !== undefined) this.routerAt(source, name, index, true);
      }
  }

  /** Finds the router of a name at a position. @param isMade whether to create one if the name is a function's parameter */
  private routerAt(source: Source, name: string, at: number, isMade: boolean): Router | null {
    const { routers, language } = source;
    const inline = routers.findLast(
      ({ name: each, region }) => each === name && region !== undefined && region[0] <= at && at < region[1],
    );
    if (inline !== undefined) return inline;
    const owner = this.ownerAt(source, at);
    const known =
      routers.find((each) => each.region === undefined && each.name === name && each.owner === owner) ??
      routers.find((each) => each.region === undefined && each.name === name && each.owner === '');
    if (known !== undefined) return known;
    if (!isMade) return null;
    const imported = source.imports.get(name);
    if (imported !== undefined) return this.exportedBy(imported.file, imported.member, 0)[0] ?? null;
    if (!language.parts.test(name) && !language.applications.test(name)) return null;
    // A Fastify plugin is registered by code that wasn't found, perhaps with a prefix.
    const isPlugin =
      language === LANGUAGES.script &&
      /fastify/i.test(source.text) &&
      new RegExp(String.raw`\(\s*${name.replaceAll('$', '\\$')}\b[^()]{0,200}\)[^(){}\n]{0,80}(?:=>|\{)`).test(
        source.text,
      );
    const made: Router = {
      name,
      owner,
      prefix: '',
      isApplication: language.applications.test(name) && !isPlugin,
      mounts: [],
    };
    routers.push(made);
    return made;
  }

  /** Finds the router at the start of a chain of calls: the one created last. */
  private chainedAt(source: Source, at: number): Router | null {
    const before = source.text.slice(Math.max(0, at - 4000), at);
    const start = [...before.matchAll(this.language.made)].at(-1);
    return start === undefined ? null : this.routerAt(source, start[1], at, false);
  }

  /** Returns the known end of a router's address, if its beginning isn't known. */
  private endOf({ mounts: [mount], prefix }: Router, depth = 0): string {
    const before =
      mount === undefined || depth > MAX_DEPTH ? '' : joined(this.endOf(mount.by, depth + 1), mount.prefix ?? '');
    return joined(before, prefix ?? '');
  }

  /** Returns the addresses of a router; empty if they aren't known. */
  private prefixesOf(router: Router): readonly string[] {
    const known = this.prefixes.get(router);
    if (known !== undefined) return known;
    // Sets no prefixes first, so that a router that is mounted below itself gets no address from this mount.
    this.prefixes.set(router, []);
    const { mounts, prefix, isApplication } = router;
    const all = mounts.flatMap((each) =>
      each.prefix === null || prefix === null
        ? []
        : this.prefixesOf(each.by).map((before) => joined(before, each.prefix ?? '', each.replaces ? '' : prefix)),
    );
    const own = mounts.length === 0 && isApplication && prefix !== null ? [prefix] : [];
    const found = [...new Set([...all, ...own])].slice(0, MAX_ADDRESSES);
    this.prefixes.set(router, found);
    return found;
  }
}
