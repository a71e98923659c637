import { routesOfCashier, routesOfLaravel, routesOfRails, routesOfSinatra } from './routes/blocks.js';
import { routesOfClasses } from './routes/classes.js';
import { Code, type DeclaredRoute } from './routes/code.js';
import { routesOfDjango } from './routes/django.js';
import { routesOfPhoenix } from './routes/phoenix.js';
import { routesOfRouters } from './routes/routers.js';
import { routesOfFunctions } from './routes/functions.js';

/** A route that may receive webhooks. */
interface WebhookRoute extends DeclaredRoute {
  /** Vendors whose signatures or secrets occur in the route's file. */
  readonly signers: readonly string[];
  /** Whether the path mentions webhooks. */
  readonly isNamed: boolean;
  /** Whether the route is the only one of its file that may receive webhooks. */
  readonly isAlone: boolean;
  /** Whether the path contains parameters. */
  readonly hasParameters: boolean;
}

/** Matches paths that mention webhooks, without a vendor's name. */
const GENERIC_PATH =
  /^\/?(?:(?:api|v\d+|public|\.netlify|functions|events?|payments?|billing|subscriptions?|checkout|orders?|(?:web)?-?hooks?)(?:\/|\.php$|$))+$/i;
const NAMED = /hook|\/(?:events?|sms|voice|inbound|incoming)(?:\/|$)/i;
/** Matches a fixed path, without parameters and patterns. */
const PLAIN = /^\/[\w./-]*$/;
/** Matches a path with parameters, as frameworks write them: `:id`, `{id}`, `[id]`, `<uuid:id>`, `$id`. */
const PARAMETERS = /^\/(?:[\w./-]|[:$]\w+(?!\w)|\{[\w:.]+\}|\[[\w.]+\]|<[\w:]+>)*$/;
/** Matches headers, variables and settings that contain a vendor's signature or signing secret: `Stripe-Signature`, `GITHUB_WEBHOOK_SECRET`. */
const SIGNED =
  /["'](?:x-)?([a-z]{2,20})-signature\b|\b(?:http_)?(?:x_)?([a-z]{2,20})[_.](?:signature|webhook[_.](?:signing[_.])?secret|signing[_.]secret)\b/gi;
/** Matches the name of a signature, which only code that checks or makes one contains. */
const CHECKED = /["'](?:x-)?[a-z]{2,20}-signature\b|\b(?:http_)?(?:x_)?[a-z]{2,20}[_.]signature\b/i;
/** Words before `signature` or `secret` that don't name a vendor. */
const NO_SIGNER = /^(?:api|app|check|endpoint|event|expected|get|has|header|is|no|request|verify|webhooks?|x)$/;
const SIGNERS: Readonly<Record<string, string>> = { hub: 'github' };

/** Matches declarations of a route with its full path, in Slim, Spark and ASP.NET's minimal APIs. */
const DECLARED = /^[ \t]*(?:\$?app(?:\.|->)(?:post|all|map_?post)|post)[\s(]+["'`](?:POST )?\/([\w./-]{0,200})["'`]/gim;

/**
 * Finds an application's routes that may receive webhooks: files of file-based routers (Next.js, Nuxt, SvelteKit, Remix), PHP files in a served
 * folder, and routes declared in code.
 */
export function webhookRoutes(code: Code): readonly WebhookRoute[] {
  const all = [
    ...code.routeFiles.flatMap((file) => routesOfFiles(file)),
    ...routesOfFunctions(code),
    ...routesOfPhoenix(code),
    ...routesOfRouters(code),
    ...routesOfClasses(code),
    ...routesOfRails(code),
    ...routesOfSinatra(code),
    ...routesOfLaravel(code),
    ...routesOfCashier(code),
    ...routesOfDjango(code),
    ...code.files
      .filter((file) => /\.(?:php|java|kt|cs)$/.test(file) && !/(?:^|\/)routes\//.test(file))
      .flatMap((file) =>
        [...code.text(file).matchAll(DECLARED)].map(([, path]) => ({ path: `/${path}`, file, isWhole: true })),
      ),
  ];
  const inFile = new Map<string, Set<string>>();
  for (const { file, path } of all)
    for (const key of NAMED.test(path) ? [file, `${file}#named`] : [file])
      inFile.set(key, (inFile.get(key) ?? new Set()).add(path));
  const found = new Map<string, WebhookRoute>();
  const signersOf = new Map<string, readonly string[]>();
  for (const route of all) {
    const { path, file } = route;
    const isPlain = PLAIN.test(path);
    if (!isPlain && !PARAMETERS.test(path)) continue;
    const signers = signersOf.get(file) ?? signersIn(code.text(file));
    signersOf.set(file, signers);
    const isNamed = NAMED.test(path);
    // If a file has a single route and checks a signature, this route receives the webhooks, whatever its path is.
    // A file that mentions a secret alone, such as a check of the settings, receives no webhooks.
    const isChecking = signers.length > 0 && CHECKED.test(code.text(file));
    if (!isNamed && (!isChecking || inFile.get(file)?.size !== 1)) continue;
    const before = found.get(path);
    if (before === undefined || (!before.isWhole && route.isWhole)) {
      const isAlone = inFile.get(isNamed ? `${file}#named` : file)?.size === 1;
      found.set(path, {
        ...route,
        isWhole: route.isWhole && isPlain,
        hasParameters: !isPlain,
        signers,
        isNamed,
        isAlone,
      });
    }
  }
  return [...found.values()];
}

/** Finds the route of a file whose location determines the path. */
function routesOfFiles(file: string): readonly DeclaredRoute[] {
  const flat = /(?:^|\/)app\/routes\/(.+?)(?:\/(?:route|index))?\.[jt]sx?$/.exec(file)?.[1];
  const route =
    (flat === undefined ? undefined : flatRoute(flat)) ??
    /(?:^|\/)app\/(.*\/)?route\.[jt]sx?$/.exec(file)?.[1] ??
    /(?:^|\/)pages\/(api\/.*)\.[jt]sx?$/.exec(file)?.[1] ??
    /(?:^|\/)src\/routes\/(.*\/)?\+server\.[jt]s$/.exec(file)?.[1] ??
    /(?:^|\/)server\/((?:api|routes)\/.*?)(?:\.post)?\.[jt]s$/.exec(file)?.[1].replace(/^routes\//, '') ??
    /(?:^|\/)(?:public|web|htdocs)\/(.*\.php)$/.exec(file)?.[1];
  if (route === undefined) return [];
  const path = route.replace(/\([^)]*\)\//g, '').replace(/\/(?:index)?$/, '');
  return [{ path: `/${path}`, file, isWhole: true }];
}

/** Converts a file name of Remix and React Router to a path: dots and folders separate segments; segments with a leading underscore are omitted. */
function flatRoute(name: string): string {
  const parts = name.replaceAll('+/', '/').split(/[./]/);
  return parts.filter((part) => part !== '' && !part.startsWith('_')).join('/');
}

function signersIn(text: string): readonly string[] {
  const names = [...text.matchAll(SIGNED)].map(([, header, name]) => (header ?? name).toLowerCase());
  return [...new Set(names.map((name) => SIGNERS[name] ?? name))].filter((name) => !NO_SIGNER.test(name));
}

/** How an application's routes may refer to a vendor. */
interface VendorNames {
  /** Name of the pack, which may also occur in the paths of similar vendors. */
  readonly kind: string;
  /** Names by which paths refer to the vendor, such as that of its client library. */
  readonly words: readonly string[];
  /** Whether the application calls no other vendor: a path without a vendor's name (`/api/webhook`) then counts too. */
  readonly isOnly: boolean;
}

/** Finds the paths at which an application receives webhooks of a vendor. */
export function routesFor(routes: readonly WebhookRoute[], vendor: VendorNames): readonly WebhookRoute[] {
  return routes.filter((route) => route.isWhole && isFor(route, vendor));
}

/** Finds routes that probably receive a vendor's webhooks, but whose full address isn't known. */
export function unsureFor(routes: readonly WebhookRoute[], vendor: VendorNames): readonly WebhookRoute[] {
  return routes.filter((route) => !route.isWhole && isFor(route, vendor));
}

function isFor(
  { path, signers, isNamed, isAlone, hasParameters }: WebhookRoute,
  { kind, words, isOnly }: VendorNames,
): boolean {
  const isSigned = words.some((word) => signers.includes(word));
  // `stripeWebhook` and `stripe_webhook` contain the word; `mailchimp` doesn't contain `mail`.
  const spelled = path
    .replace(/[:$]\w+|\{[^}]*\}|\[[^\]]*\]|<[^>]*>/g, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase();
  if (words.some((word) => hasWord(spelled, word))) return isNamed || isSigned;
  if (!isNamed) return isSigned;
  const isOpen = isSigned || signers.length === 0;
  if (hasWord(spelled, kind)) return isOpen;
  if (!/hook/.test(spelled) || hasParameters) return false;
  return isSigned && isAlone && signers.length === 1 ? true : isOnly && isOpen && GENERIC_PATH.test(spelled);
}

function hasWord(path: string, word: string): boolean {
  const plain = word.replace(/[^\w-]/g, '.').replaceAll('-', '-?');
  return new RegExp(`(?:^|[^a-z])${plain}(?:(?![a-z])|(?:web)?hook|app(?![a-z]))`).test(path);
}
