import { argumentsAt, type Code, type DeclaredRoute, firstMatches, joined } from './code.js';

interface Line {
  readonly text: string;
  readonly indent: number;
}

const STRING = String.raw`(?:"([^"\n#]{1,200})"|'([^'\n]{1,200})'|:(\w{1,80}))`;
const OPENED = new RegExp(String.raw`^(namespace|scope|resources?|collection|member|draw)\b[\s(]*(?:${STRING})?`);
const ROUTE = new RegExp(String.raw`^(?:post|match)[\s(]+${STRING}`);
const MOUNT = new RegExp(
  String.raw`^mount[\s(]+([\w:]{1,80})(?:\.\w{1,40})?\s*(?:=>|,\s*at:)\s*["']([^"'\n]{1,200})["']`,
);
const OPTION = /\b(?:path):\s*["']([^"'\n]{0,200})["']/;

/** `MEMBER`: path segment of a resource's object. `COLLECTION`: marker of a `collection` block, which removes the object's segment before it. */
const MEMBER = ':id';
const COLLECTION = ':all';

/** Rails engines that receive webhooks, with the path of their webhook route below the mount point. */
const ENGINES: Readonly<Record<string, string>> = {
  'StripeEvent::Engine': '',
  'Pay::Engine': 'webhooks/stripe',
  'ActionMailbox::Engine': '',
  'GithubWebhook::Engine': '',
};

/** Finds Rails' routes in `config/routes.rb` and the files that it draws. */
export function routesOfRails(code: Code): readonly DeclaredRoute[] {
  const roots = code.files.filter(
    (file) => /(?:^|\/)config\/routes\.rb$/.test(file) && /\bapplication\.routes\b/i.test(code.text(file)),
  );
  return roots.flatMap((file) => drawn(code, file, file, '', 0));
}

/** Finds Sinatra's routes, including namespaces of `sinatra-contrib`. */
export function routesOfSinatra(code: Code): readonly DeclaredRoute[] {
  return code.files
    .filter(
      (file) =>
        file.endsWith('.rb') &&
        !/(?:^|\/)config\/routes/.test(file) &&
        /^[ \t]*post[\s(]+["']\//m.test(code.text(file)),
    )
    .flatMap((file) => drawn(code, file, file, '', 0));
}

/** Parses a file of routes; a block ends where the indentation decreases. */
function drawn(code: Code, root: string, file: string, before: string, depth: number): readonly DeclaredRoute[] {
  const found: DeclaredRoute[] = [];
  const open: { readonly indent: number; readonly path: string }[] = [];
  const declare = (path: string): void => void found.push({ path: joined(path), file, isWhole: true });
  for (const { text, indent } of linesOf(code.text(file))) {
    while (open.length > 0 && indent <= open[open.length - 1].indent) open.pop();
    const isOfCollection = /\bon:\s*:collection\b/.test(text);
    const at = [before, ...open.map(({ path }) => path), ...(isOfCollection ? [COLLECTION] : [])]
      .join('/')
      .replaceAll(`/${MEMBER}/${COLLECTION}`, '');
    const [, engine, where] = MOUNT.exec(text) ?? [];
    if (engine !== undefined && Object.hasOwn(ENGINES, engine))
      declare(`${at}/${where}/${ENGINES[engine]}`.replace(/\/$/, ''));
    const route = ROUTE.exec(text);
    if (route !== null && (text.startsWith('post') || /via:.*(?:post|all)/.test(text))) {
      const own = route[1] ?? route[2] ?? route[3];
      declare(`${at}/${own}`);
    }
    const block = OPENED.exec(text);
    if (block === null) continue;
    const [, kind] = block;
    const name = block[2] ?? block[3] ?? block[4] ?? '';
    if (kind === 'draw' && depth < 4) {
      const drawnFile = code.files.find((each) => each === root.replace(/routes\.rb$/, `routes/${name}.rb`));
      if (drawnFile !== undefined) found.push(...drawn(code, root, drawnFile, at, depth + 1));
    }
    const path = OPTION.exec(text)?.[1] ?? name;
    const isResource = /^resource/.test(kind);
    if (isResource && name !== '' && takesCreateAlone(text)) declare(`${at}/${path}`);
    if (!/\bdo\b(?:\s*\|[^|]*\|)?\s*$/.test(text)) continue;
    if (kind === 'collection') open.push({ indent, path: COLLECTION });
    else if (kind !== 'member') open.push({ indent, path: kind === 'resources' ? `${path}/${MEMBER}` : path });
  }
  return found;
}

/** Whether a resource has only the `create` action. A resource with more actions is for people who manage webhooks, not for incoming ones. */
function takesCreateAlone(text: string): boolean {
  return /\bonly:\s*(?::create\b|\[\s*:create\s*\]|%i[[(]\s*create\s*[\])])/.test(text);
}

function linesOf(text: string): readonly Line[] {
  return text.split('\n').flatMap((line) => {
    const trimmed = line.trim();
    return trimmed === '' || trimmed === 'end' ? [] : [{ text: trimmed, indent: line.search(/\S/) }];
  });
}

const PHP_ROUTE = /(?:Route::|->)(post|any|match|stripeWebhooks|webhooks|githubWebhooks)\(/g;
const PHP_PREFIX = /(?:->|::)prefix\(\s{0,20}["']([^"'\n]{0,200})["']/g;

/** Finds Laravel's routes: `Route::post` in groups, and in files to which a provider adds a prefix. */
export function routesOfLaravel(code: Code): readonly DeclaredRoute[] {
  return code.files
    .filter((file) => /(?:^|\/)routes\/[\w/-]+\.php$/.test(file) && /\bRoute::/.test(code.text(file)))
    .flatMap((file) => {
      const text = code.text(file);
      const groups = groupsIn(text);
      const before = prefixOfFile(code, file);
      return firstMatches(text, PHP_ROUTE).flatMap((found) => {
        const args = argumentsAt(text, found.index + found[0].length);
        if (found[1] === 'match' && !/post/i.test(args.split(']', 1)[0])) return [];
        const own = /["']([^"'\n]{0,200})["']/.exec(
          found[1] === 'match' ? args.slice(args.indexOf(']')) : args.split(',', 1)[0],
        )?.[1];
        if (own === undefined) return [];
        const around = groups
          .filter(({ start, end }) => start <= found.index && found.index < end)
          .map(({ prefix }) => prefix);
        const chained = prefixesIn(statementBefore(text, found.index));
        return [{ path: joined(before ?? '', ...around, ...chained, own), file, isWhole: before !== null }];
      });
    });
}

/** Finds the route groups of a file, with their ranges and prefixes. */
function groupsIn(text: string): readonly { readonly start: number; readonly end: number; readonly prefix: string }[] {
  return firstMatches(text, /(?:->|::)group\(/g).map((found) => {
    const start = found.index + found[0].length;
    const args = argumentsAt(text, start);
    const option = /^\s*(?:\[|array\()[^\]{]*["']prefix["']\s*=>\s*["']([^"'\n]{0,200})["']/.exec(args)?.[1] ?? '';
    return {
      start,
      end: start + args.length,
      prefix: [...prefixesIn(statementBefore(text, found.index)), option].join('/'),
    };
  });
}

/** Returns the text of a statement before a chained call. */
function statementBefore(text: string, at: number): string {
  // Includes the call's own `Route::`, which may be the beginning of the statement.
  const before = text.slice(Math.max(0, at - 600), at + 'Route::'.length);
  return before.slice(Math.max(before.lastIndexOf('Route::'), before.lastIndexOf(';'), 0));
}

function prefixesIn(chain: string): readonly string[] {
  return [...chain.matchAll(PHP_PREFIX)].map(([, prefix]) => prefix);
}

/** Finds the prefix that a provider adds to a file of routes; null if no provider is found to use the file. */
function prefixOfFile(code: Code, file: string): string | null {
  const name = /(?:^|\/)(routes\/[\w/-]+\.php)$/.exec(file)?.[1] ?? '';
  const base = file.slice(0, file.length - name.length);
  for (const provider of code.files.filter(
    (each) => each.startsWith(base) && /(?:Providers\/\w+|bootstrap\/app)\.php$/.test(each),
  )) {
    const text = code.text(provider);
    const at = text.indexOf(name);
    if (at < 0) continue;
    if (/withRouting\([^;]{0,2000}$/.test(text.slice(0, at)) && !/group\([^;]{0,100}$/.test(text.slice(0, at)))
      return name.endsWith('/api.php') ? (/apiPrefix:\s*["']([^"'\n]{0,200})["']/.exec(text)?.[1] ?? 'api') : '';
    return prefixesIn(statementBefore(text, at)).join('/');
  }
  if (name.endsWith('/web.php')) return '';
  return name.endsWith('/api.php') ? 'api' : includedPrefix(code, file, base);
}

/** Finds the prefix of a file that `web.php` or `api.php` requires at its top level: that of the requiring file. */
function includedPrefix(code: Code, file: string, base: string): string | null {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const by = ['web', 'api'].find((each) =>
    new RegExp(String.raw`^require(?:_once)?\b.*\b${name.replace('.', '\\.')}`, 'm').test(
      code.text(`${base}routes/${each}.php`),
    ),
  );
  return by === undefined ? null : by === 'api' ? 'api' : '';
}

/** Finds the webhook route of Laravel Cashier; its path is set in the environment or in `config/cashier.php`. */
export function routesOfCashier(code: Code): readonly DeclaredRoute[] {
  const manifests = code.named(/(?:^|\/)composer\.json$/).filter((file) => /"laravel\/cashier"/.test(code.text(file)));
  return manifests.flatMap((file) => {
    const base = file.slice(0, file.length - 'composer.json'.length);
    if (code.files.some((each) => each.startsWith(base) && /Cashier::ignoreRoutes\(/.test(code.text(each)))) return [];
    const set = ['.env', '.env.example'].map(
      (each) => /^CASHIER_PATH=["']?([^\s"'#]{1,200})/m.exec(code.text(base + each))?.[1],
    );
    const config = /["']path["']\s*=>\s*(?:env\([^,]*,\s*)?["']([^"'\n]{1,200})["']/.exec(
      code.text(`${base}config/cashier.php`),
    )?.[1];
    return [{ path: joined(set.find(Boolean) ?? config ?? 'stripe', 'webhook'), file, isWhole: true }];
  });
}
