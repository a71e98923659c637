import { argumentsAt, type Code, type DeclaredRoute, joined, splitArguments } from './code.js';
import { type ImportedName, importsOf } from './imports.js';

/** A list of routes, stored in a variable of a file. */
interface List {
  readonly file: string;
  readonly name: string;
}

const LISTS =
  /^[ \t]{0,40}(\w{1,60})[ \t]{0,9}(?:\+?=|:[ \t]{0,9}[\w[\].]{1,60}[ \t]{0,9}=)[ \t]{0,9}[\w. +]{0,80}[[(]|^[ \t]{0,40}(\w{1,60})\.(?:append|extend|insert)\(/gm;
const ROUTE = /(?:^|[^\w.])(path|re_path|url)\(/g;
const MAX_DEPTH = 8;
const MAX_ROUTES = 20_000;

/** Webhook routes that Django packages define, below the path at which their URLs are included. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'pinax.stripe.urls': ['webhook/'],
  'anymail.urls': ['postmark/tracking/', 'resend/tracking/', 'sendgrid/tracking/'],
};

/** Returns the webhook route of dj-stripe. Since version 2.9, it contains the identifier of an endpoint in the application's database. */
function djStripe(code: Code): string {
  const versions = code
    .named(/(?:^|\/)(?:requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt|pyproject\.toml|Pipfile)$/)
    .flatMap((file) => [...code.text(file).matchAll(/\bdj-?stripe\b["'\s]*[=~<>^"'\s]{1,6}(\d{1,3})\.(\d{1,3})/g)])
    .map(([, major, minor]) => Number(major) * 1000 + Number(minor));
  return versions.length > 0 && versions.every((version) => version < 2009) ? 'webhook/' : 'webhook/<uuid:uuid>/';
}

/** Finds Django's routes: the lists of the root's `urls.py`, and the lists that these include. */
export function routesOfDjango(code: Code): readonly DeclaredRoute[] {
  return new Django(code).routes();
}

class Django {
  private readonly found: DeclaredRoute[] = [];
  /** The lists that are being read; used to skip a list that includes itself. */
  private readonly open = new Set<string>();

  constructor(private readonly code: Code) {}

  routes(): readonly DeclaredRoute[] {
    const roots = new Set<string>();
    for (const file of this.code.files) {
      const text = file.endsWith('.py') ? this.code.text(file) : '';
      const name = /\bROOT_URLCONF["']?(?:\s*:\s*str)?\s*[,=]\s*["']([\w.]{1,200})["']/.exec(text)?.[1];
      const root = name === undefined ? null : this.code.moduleOfPython(file, name);
      if (root !== null) roots.add(root);
    }
    for (const file of roots) {
      const before = this.found.length;
      this.read({ file, name: 'urlpatterns' }, '', true, 0);
      if (this.found.length > before) continue;
      // Reads all lists of the file, because only the running code decides which of them are in `urlpatterns`.
      for (const name of new Set([...this.code.text(file).matchAll(LISTS)].map(([, set, added]) => set ?? added)))
        this.read({ file, name }, '', false, 0);
    }
    return this.found;
  }

  private read({ file, name }: List, before: string, isWhole: boolean, depth: number): void {
    const key = `${file}#${name}`;
    if (depth > MAX_DEPTH || this.found.length > MAX_ROUTES || this.open.has(key)) return;
    this.open.add(key);
    const text = this.code.text(file);
    for (const found of text.matchAll(LISTS)) {
      if ((found[1] ?? found[2]) !== name) continue;
      const body = argumentsAt(text, found.index + found[0].length);
      // In `i18n_patterns`, the path is preceded by a language, so it isn't whole.
      this.readItems(file, body, before, isWhole && !/i18n_patterns\s*\($/.test(found[0].trimEnd()), depth);
    }
    this.open.delete(key);
  }

  private readItems(file: string, body: string, before: string, isWhole: boolean, depth: number): void {
    let end = 0;
    for (const found of body.matchAll(ROUTE)) {
      // Skips inner lists, which have already been read.
      if (found.index < end) continue;
      const start = found.index + found[0].length;
      const args = argumentsAt(body, start);
      end = start + args.length;
      const parts = splitArguments(args);
      if (parts.length < 2) continue;
      const value = this.code.valueOf(parts[0].replace(/^route\s*=\s*/, ''));
      const own = value === null ? null : found[1] === 'path' ? value : plain(value);
      const at = `${before}${own ?? ''}`;
      const included = /^(?:view\s*=\s*)?include\(/.exec(parts[1]);
      if (included === null) this.found.push({ path: joined(at), file, isWhole: isWhole && own !== null });
      else this.include(file, argumentsAt(parts[1], included[0].length).trim(), at, isWhole && own !== null, depth);
    }
  }

  private include(file: string, included: string, before: string, isWhole: boolean, depth: number): void {
    // Handles `include((patterns, "name"))`, where the list is inside of a tuple.
    const inner = included.startsWith('(') ? argumentsAt(included, 1).trim() : included;
    const [first = ''] = splitArguments(inner);
    const module = /^["']([\w.]{1,200})["']$/.exec(first)?.[1];
    const ofPackage =
      module === 'djstripe.urls'
        ? [djStripe(this.code)]
        : module !== undefined && Object.hasOwn(PACKAGES, module)
          ? PACKAGES[module]
          : [];
    for (const path of ofPackage) this.found.push({ path: joined(before + path), file, isWhole });
    if (first.startsWith('[')) return this.readItems(file, first.slice(1, -1), before, isWhole, depth + 1);
    // Handles `include(stripe_urls)` and `include(stripe.urls)` of a module, and `include(patterns)` of a list in this file or another.
    const [name, ...members] = first.split('.');
    const imported = importsOf(this.code, file).get(name) ?? importsOf(this.code, file).get(first);
    if (module !== undefined || imported?.member === '*') {
      const target = module === undefined ? (imported as ImportedName).file : this.code.moduleOfPython(file, module);
      const list = module === undefined && members.length > 0 ? members[members.length - 1] : 'urlpatterns';
      if (target !== null)
        this.read({ file: target, name: list === 'urls' ? 'urlpatterns' : list }, before, isWhole, depth + 1);
    } else if (/^\w+$/.test(first))
      this.read({ file: imported?.file ?? file, name: imported?.member ?? first }, before, isWhole, depth + 1);
  }
}

/** Converts a regular expression that matches only one path to that path; others keep special characters, which no plain path contains. */
function plain(pattern: string): string {
  return pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\/\?$/, '/')
    .replace(/\\([./-])/g, '$1');
}
