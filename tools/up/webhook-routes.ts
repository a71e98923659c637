import { routesOfCashier, routesOfLaravel, routesOfRails, routesOfSinatra } from './routes/blocks.js';
import { routesOfClasses } from './routes/classes.js';
import { Code, type DeclaredRoute } from './routes/code.js';
import { routesOfDjango } from './routes/django.js';
import { routesOfRouters } from './routes/routers.js';

/** A route that may take webhooks. */
interface WebhookRoute extends DeclaredRoute {
  /** The vendors whose signatures or secrets its file names. */
  readonly signers: readonly string[];
  /** Whether its path itself speaks of webhooks. */
  readonly isNamed: boolean;
  /** Whether no other route of its file does. */
  readonly isAlone: boolean;
}

/** Paths for webhooks without a vendor's name. */
const GENERIC_PATH =
  /^\/?(?:(?:api|v\d+|public|events?|payments?|billing|subscriptions?|checkout|orders?|(?:web)?-?hooks?)(?:\/|\.php$|$))+$/i;
const NAMED = /hook|\/(?:events?|sms|voice|inbound|incoming)(?:\/|$)/i;
/** A path that is the same for all: without parameters and patterns. */
const PLAIN = /^\/[\w./-]*$/;
/** Headers, variables and settings that hold a vendor's signature or the secret for it: `Stripe-Signature`, `GITHUB_WEBHOOK_SECRET`. */
const SIGNED =
  /["'](?:x-)?([a-z]{2,20})-signature\b|\b(?:http_)?(?:x_)?([a-z]{2,20})[_.](?:signature|webhook[_.](?:signing[_.])?secret|signing[_.]secret)\b/gi;
/** Words in the same places that are no vendor's. */
const NO_SIGNER = /^(?:api|app|check|endpoint|event|expected|get|has|header|is|no|request|verify|webhooks?|x)$/;
const SIGNERS: Readonly<Record<string, string>> = { hub: 'github' };

/** Declarations of a route with its whole path: in Slim, Spark and the small endpoints of ASP.NET. */
const DECLARED = /^[ \t]*(?:\$?app(?:\.|->)(?:post|all|map_?post)|post)[\s(]+["'`](?:POST )?\/([\w./-]{0,200})["'`]/gim;

/**
 * Routes of an application that may take webhooks, as paths of its address: of routers that are files (Next.js, Nuxt, SvelteKit, Remix), of files of
 * PHP in a folder that is served, and of those that code declares.
 * @param textOf gives the text of a file
 */
export function webhookRoutes(paths: readonly string[], textOf: (path: string) => string): readonly WebhookRoute[] {
  const code = new Code(paths, textOf);
  const all = [
    ...code.files.flatMap((file) => routesOfFiles(file)),
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
  for (const route of all) {
    const { path, file } = route;
    if (!PLAIN.test(path)) continue;
    const signers = signersIn(code.text(file));
    const isNamed = NAMED.test(path);
    // A file with a single route that checks a signature: that is where the webhooks come, whatever it is called.
    if (!isNamed && (signers.length === 0 || inFile.get(file)?.size !== 1)) continue;
    const before = found.get(path);
    if (before === undefined || (!before.isWhole && route.isWhole)) {
      const isAlone = inFile.get(isNamed ? `${file}#named` : file)?.size === 1;
      found.set(path, { ...route, signers, isNamed, isAlone });
    }
  }
  return [...found.values()];
}

/** The route of a file whose place is its path. */
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

/** Remix and React Router: dots and folders divide a path, a part that begins with an underscore isn't in it. */
function flatRoute(name: string): string {
  const parts = name.replaceAll('+/', '/').split(/[./]/);
  return parts.filter((part) => part !== '' && !part.startsWith('_')).join('/');
}

function signersIn(text: string): readonly string[] {
  const names = [...text.matchAll(SIGNED)].map(([, header, name]) => (header ?? name).toLowerCase());
  return [...new Set(names.map((name) => SIGNERS[name] ?? name))].filter((name) => !NO_SIGNER.test(name));
}

/** How an application's routes may name a vendor. */
interface VendorNames {
  /** The pack's name, which other vendors of the kind may have in their paths too. */
  readonly kind: string;
  /** Names of the vendor, such as a client's. */
  readonly words: readonly string[];
  /** Whether the application calls no other vendor: then a path that names none (`/api/webhook`) counts too. */
  readonly isOnly: boolean;
}

/** The paths at which an application takes the webhooks of one vendor. */
export function routesFor(routes: readonly WebhookRoute[], vendor: VendorNames): readonly string[] {
  return routes.filter((route) => route.isWhole && isFor(route, vendor)).map(({ path }) => path);
}

/** The routes that seem to take a vendor's webhooks and whose address isn't known. */
export function unsureFor(routes: readonly WebhookRoute[], vendor: VendorNames): readonly DeclaredRoute[] {
  return routes.filter((route) => !route.isWhole && isFor(route, vendor));
}

function isFor({ path, signers, isNamed, isAlone }: WebhookRoute, { kind, words, isOnly }: VendorNames): boolean {
  const isSigned = words.some((word) => signers.includes(word));
  // `stripeWebhook` and `stripe_webhook` have the word, `mailchimp` doesn't have `mail`.
  const spelled = path.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
  if (words.some((word) => hasWord(spelled, word))) return isNamed || isSigned;
  if (!isNamed) return isSigned;
  const isOpen = isSigned || signers.length === 0;
  if (hasWord(spelled, kind)) return isOpen;
  if (!/hook/.test(spelled)) return false;
  return isSigned && isAlone && signers.length === 1 ? true : isOnly && isOpen && GENERIC_PATH.test(spelled);
}

function hasWord(path: string, word: string): boolean {
  const plain = word.replace(/[^\w-]/g, '.');
  return new RegExp(`(?:^|[^a-z])${plain}(?:(?![a-z])|(?:web)?hook)`).test(path);
}
