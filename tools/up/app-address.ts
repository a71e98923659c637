import { dirname } from 'node:path';
import { membersOf, parseObject } from './json.js';
import { argumentsAt, type Code } from './routes/code.js';

/** The port on which an application listens; null if only the running code decides it. */
type Port = number | null;

/** The code of an application, and the environment variables with which it is started. */
interface Context {
  readonly code: Code;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A kind of application, by its files, and how to find its port. */
interface Kind {
  /** Matches paths of files that serve routes in this kind of application. */
  readonly files: RegExp;
  /** Names of files of which one must be in the route's folder or above it; if absent, none is needed. */
  readonly beside?: readonly string[];
  /** Finds the port; undefined if the application isn't of this kind. @param beside path of the found file of `beside`, or else the route's file */
  readonly port: (context: Context, beside: string) => Port | undefined;
}

/** Port of applications about which nothing is known. */
const ASSUMED = 3000;

/** Commands that start a server, with the port that they use by default. */
const SERVERS: Readonly<Record<string, number>> = {
  next: 3000,
  nuxt: 3000,
  nuxi: 3000,
  vinxi: 3000,
  vite: 5173,
  'svelte-kit': 5173,
  'react-router': 5173,
  remix: 3000,
  astro: 4321,
  wrangler: 8787,
};
const SERVER = new RegExp(String.raw`(?:^|[\s/])(${Object.keys(SERVERS).join('|')})\b(?!-)`);
/** Matches commands that start other programs beside the application's server, with ports of their own. */
const OTHER_SERVER =
  /(?:^|[\s/])(?:storybook|json-server|prisma|drizzle-kit|webpack(?:-dev-server)?|vue-cli-service|ng|parcel|http-server|maildev|mailhog|redis-server|mongod|email|docker(?:-compose)?|podman|kill-port|ngrok|cloudflared|stripe|supabase|firebase)\s/;
const FLAG = /(?:--port[= ]|\s-p[= ]?|\bPORT=)(\d{2,5})\b/;
const FILE_ROUTES =
  /(?:^|\/)(?:app\/(?:.*\/)?route|pages\/api\/.*|src\/routes\/(?:.*\/)?\+server|server\/(?:api|routes)\/.*|app\/routes\/.*)\.[jt]sx?$/;
const JS = /\.[cm]?[jt]sx?$/;
const ENVIRONMENT_FILES = ['.env', '.env.local', '.env.development', '.env.example', '.env.sample', '.env.template'];
/** Matches variables that contain the application's own address. */
const OWN_ADDRESS =
  /^(?:NEXT_PUBLIC_|PUBLIC_|NUXT_PUBLIC_|VITE_)?(?:APP|BASE|SITE|WEB|NEXTAUTH|AUTH)_(?:URL|ORIGIN|BASE_URL)=["']?https?:\/\/(?:localhost|127\.0\.0\.1):(\d{2,5})/m;
/** Matches names of variables that contain the port of an application's server. */
const PORT_VARIABLES = /^(?:(?:API|APP|SERVER|BACKEND|HTTP|HOST|NODE|WEB)_)?PORT$/;

/** Variables of the environment with a default, in code, in a schema, and as NestJS reads them. */
const DEFAULTS = [
  /process\.env(?:\.|\[["'])(\w{1,40})["'\]]{0,2}(?:[^\n;]{0,60}?(?:\|\||\?\?|,|:)\s*["'`]?(\d{2,5})\b)?/g,
  /\b(\w{0,30}PORT)["']?:\s*[^\n]{0,100}?\bdefault(?:\(|:)\s*["']?(\d{2,5})\b/g,
  /\.get(?:OrThrow)?(?:<\w{1,20}>)?\(\s*["'](\w{1,40})["']\s*(?:,\s*["']?(\d{2,5})|\)\s*(?:\|\||\?\?)\s*["']?(\d{2,5}))?/g,
];

/** The kinds of applications, most specific first. */
const KINDS: readonly Kind[] = [
  { files: /(?:^|\/)supabase\/functions\//, port: () => 54321 },
  { files: /(?:^|\/)netlify\/functions\//, port: () => 8888 },
  { files: /(?:^|\/)(?:template|serverless)\.ya?ml$/, port: () => 3000 },
  { files: FILE_ROUTES, beside: ['package.json'], port: ofFileRoutes },
  {
    files: JS,
    beside: ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'],
    port: ({ code }, file) => numberOf(/^[ \t]*"?port"?[ \t]*[=:]\s*(\d{2,5})/m.exec(code.text(file))?.[1]) ?? 8787,
  },
  { files: JS, beside: ['package.json'], port: ofScript },
  { files: /\.py$/, beside: ['manage.py'], port: () => 8000 },
  { files: /\.py$/, port: ofPython },
  { files: /(?:^|\/)config\/routes(?:\.rb$|\/)/, port: ofRails },
  { files: /\.rb$/, port: (context, file) => oneOf(context, dirname(file), /\.rb$/, SINATRA) ?? 4567 },
  { files: /\.(?:php|json)$/, beside: ['artisan'], port: () => 8000 },
  { files: /\.(?:java|kt)$/, port: ofJava },
  { files: /\.cs$/, beside: ['Properties/launchSettings.json'], port: ofLaunchSettings },
  { files: /\.cs$/, port: () => 5000 },
  { files: /\.go$/, port: ofGo },
  { files: /\.exs?$/, port: () => 4000 },
];

/**
 * Returns a function that finds the address of the application that serves a route, by the file that serves it: from its scripts, settings and code,
 * or else its framework's usual port; null if only the running code decides the port.
 * @param environment the variables with which the application is started
 */
export function appAddresses(code: Code, environment: Context['environment']): (file: string) => string | null {
  const known = new Map<string, Port | undefined>();
  return (file) => {
    const port = portOf({ code, environment }, file, known);
    return port === null ? null : `http://localhost:${port}`;
  };
}

/** Finds the port of a route's file. @param ports the ports found before, by kind and file, since several routes share them; new ones are added */
function portOf(context: Context, file: string, ports: Map<string, Port | undefined>): Port {
  for (const [kind, { files, beside, port }] of KINDS.entries()) {
    if (!files.test(file)) continue;
    const at = beside === undefined ? file : context.code.above(file, beside);
    if (at === null) continue;
    const key = `${kind} ${at}`;
    if (!ports.has(key)) ports.set(key, port(context, at));
    const found = ports.get(key);
    if (found !== undefined) return found === null || (found > 0 && found < 65_536) ? found : null;
  }
  return ASSUMED;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Returns the script of a package.json that starts the application for development; empty if there is none. */
function scriptOf(code: Code, manifest: string): string {
  const scripts = membersOf(parseObject(code.text(manifest)), 'scripts');
  for (const name of ['dev', 'start:dev', 'develop', 'start', 'serve']) {
    const script = scripts[name];
    if (typeof script === 'string') return script;
  }
  return '';
}

/** Splits a script into its commands. */
function partsOf(script: string): readonly string[] {
  return script.split(/&&?|\|\|?|[;"']/);
}

/** Finds the port of a framework whose own server serves the routes: Next.js, Nuxt, SvelteKit, Remix and others. */
function ofFileRoutes(context: Context, manifest: string): Port | undefined {
  const { code, environment } = context;
  const serving = partsOf(scriptOf(code, manifest)).find((part) => SERVER.test(part));
  const flag = FLAG.exec(serving ?? '')?.[1];
  if (flag !== undefined) return numberOf(flag);
  const command = SERVER.exec(serving ?? '')?.[1];
  // No command of the framework: the application's own server starts it.
  if (command === undefined) return ofScript(context, manifest) ?? ofOwnAddress(context, manifest);
  const given = SERVERS[command] === 3000 ? environment['PORT'] : undefined;
  if (given !== undefined && /^\d+$/.test(given)) return Number(given);
  const settings = code.above(manifest, ['vite.config.ts', 'vite.config.js', 'nuxt.config.ts', 'astro.config.mjs']);
  const set =
    settings === null
      ? undefined
      : /\b(?:server|devServer):\s*\{[^}]*?\bport:\s*(\d{2,5})/.exec(code.text(settings))?.[1];
  const isVite = command === 'remix' && settings !== null;
  return numberOf(set) ?? (isVite ? 5173 : SERVERS[command]);
}

/** Finds the port in the application's own address, from an environment file. */
function ofOwnAddress({ code }: Context, manifest: string): Port | undefined {
  for (const name of ENVIRONMENT_FILES) {
    const file = code.above(manifest, [name]);
    const port = file === null ? undefined : OWN_ADDRESS.exec(code.text(file))?.[1];
    if (file !== null && port !== undefined) return numberOf(port);
  }
  return undefined;
}

/** Finds the port of a server in JavaScript that the application's own code starts. */
function ofScript(context: Context, manifest: string): Port | undefined {
  const { code } = context;
  // Ignores commands that serve only pages, or another program, beside this server.
  const parts = partsOf(scriptOf(code, manifest)).filter((part) => !SERVER.test(part) && !OTHER_SERVER.test(part));
  const flag = parts.map((part) => FLAG.exec(` ${part}`)?.[1]).find((each) => each !== undefined);
  if (flag !== undefined) return numberOf(flag);
  const folder = dirname(manifest);
  const files = code.below(folder).filter((file) => JS.test(file));
  const found = files.flatMap((file) => portsIn(context, file));
  if (found.length === 0) return undefined;
  const numbers = found.filter((port) => port !== null);
  if (numbers.length > 0) return one(numbers);
  // Searches the application's own configuration for a variable with a default.
  const variables = files.flatMap((file) => variablesIn(context, file));
  return one(variables);
}

/** Returns the only port of a list; null if there are several or none. */
function one(ports: readonly Port[]): Port {
  return new Set(ports).size === 1 ? ports[0] : null;
}

/** Lists the ports on which a file listens; null for a port that the file doesn't name. */
function portsIn(context: Context, file: string): readonly Port[] {
  const text = context.code.text(file);
  const calls = [...text.matchAll(/(?:\.listen|\bserve)\(/g)].slice(0, 20).flatMap(({ index, 0: call }) => {
    const args = argumentsAt(text, index + call.length).trim();
    const isServe = call.startsWith('serve');
    const member = /^\{[^]*?\bport\s*(?::\s*([^,}\n]+))?/.exec(args);
    if (isServe && member === null) return [];
    const expression = args.startsWith('{') ? (member?.[1] ?? 'port') : args.split(',', 1)[0];
    return args === '' || /^(?:\d{1,1}|server|app)$/.test(expression) ? [] : [expression];
  });
  return calls.map((expression) => valueOfPort(context, text, file, expression, 0));
}

/** Evaluates an expression for a port: a number, an environment variable with a default, or a constant of the file. */
function valueOfPort(context: Context, text: string, file: string, expression: string, depth: number): Port {
  const plain = expression.trim();
  if (/^["'`]?\d{2,5}["'`]?$/.test(plain)) return Number(plain.replace(/\D/g, ''));
  const variable = /process\.env(?:\.|\[["'])(\w{1,40})/.exec(plain)?.[1];
  if (variable !== undefined) {
    const set = variableOf(context, file, variable);
    const otherwise = /(?:\|\||\?\?|,|:)\s*["'`]?(\d{2,5})\b/.exec(plain)?.[1];
    return set ?? (otherwise === undefined ? null : Number(otherwise));
  }
  const name = /^(?:Number|parseInt|\+)?\(?([A-Za-z_$][\w$]{0,40})\b(?!\s*[.(])/.exec(plain)?.[1];
  if (name === undefined || depth > 3) return null;
  const own = new RegExp(
    String.raw`(?:const|let|var)\s+${name.replaceAll('$', '\\$')}(?::[\w |]{1,60})?\s{0,9}=\s*([^\n;]{1,200})`,
  ).exec(text)?.[1];
  if (own !== undefined) return valueOfPort(context, text, file, own, depth + 1);
  const taken = new RegExp(
    String.raw`\b${name.replaceAll('$', '\\$')}\s*=\s*["']?(\d{2,5})["']?[^}]{0,200}\}\s*=\s*process\.env`,
  ).exec(text)?.[1];
  return taken === undefined ? null : (variableOf(context, file, name) ?? Number(taken));
}

/** Lists the values of a file's environment variables for a port: as set, or the default in the file. */
function variablesIn(context: Context, file: string): readonly Port[] {
  const text = context.code.text(file);
  return DEFAULTS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, name, ...defaults]): readonly Port[] => {
      if (!PORT_VARIABLES.test(name)) return [];
      const set = variableOf(context, file, name);
      const otherwise = defaults.find((each) => each !== undefined);
      return set === null && otherwise === undefined ? [] : [set ?? Number(otherwise)];
    }),
  );
}

/** Returns the number in a variable: of this process, or in an environment file beside the application. */
function variableOf({ code, environment }: Context, file: string, name: string): Port {
  const given = environment[name];
  if (given !== undefined && /^\d{2,5}$/.test(given)) return Number(given);
  const pattern = new RegExp(
    String.raw`^[ \t]*(?:export[ \t]+)?${name}[ \t]*=[ \t]*["']?(\d{2,5})["']?\s*(?:#.*)?$`,
    'm',
  );
  for (const each of ENVIRONMENT_FILES) {
    const at = code.above(file, [each]);
    const found = at === null ? undefined : pattern.exec(code.text(at))?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}

/** Returns the only port that patterns match in a folder's files; undefined if there is none, null if there are several. */
function oneOf({ code }: Context, folder: string, files: RegExp, patterns: readonly RegExp[]): Port | undefined {
  const found = code
    .below(folder)
    .filter((file) => files.test(file))
    .flatMap((file) =>
      patterns.flatMap((pattern) => [...code.text(file).matchAll(pattern)].map(([, port]) => Number(port))),
    );
  return found.length === 0 ? undefined : one(found);
}

const SINATRA = [/\bset[ (]:port,\s*(\d{2,5})/g];
const UVICORN = [/\buvicorn\.run\([^)]{0,300}?\bport\s*=\s*(?:int\([^)]{0,100}?,\s{0,9})?["']?(\d{2,5})/g];
const FLASK = [/\.run\([^)]{0,300}?\bport\s*=\s*(?:int\([^)]{0,100}?,\s{0,9})?["']?(\d{2,5})/g];
const GO = [
  /\b(?:ListenAndServe(?:TLS)?|Run|Start|Listen)\(\s*"[^"\n]{0,60}:(\d{2,5})"/g,
  /\b(?:Listen)?Addr:\s*"[^"\n]{0,60}:(\d{2,5})"/g,
];

function ofPython(context: Context, file: string): Port | undefined {
  const { code } = context;
  const manifest = code.above(file, ['pyproject.toml', 'requirements.txt', 'Pipfile', 'setup.py']);
  const root = manifest === null ? (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.') : dirname(manifest);
  const isFlask = code.below(root).some((each) => each.endsWith('.py') && /\b(?:Flask|Quart)\(/.test(code.text(each)));
  return isFlask ? (oneOf(context, root, /\.py$/, FLASK) ?? 5000) : (oneOf(context, root, /\.py$/, UVICORN) ?? 8000);
}

function ofRails({ code }: Context, file: string): Port {
  const base = file.slice(0, file.lastIndexOf('config/routes'));
  const procfile = code.above(file, ['Procfile.dev']);
  const started =
    procfile === null
      ? undefined
      : /\b(?:rails s(?:erver)?|puma)\b[^\n]{0,200}?\s-p\s?(\d{2,5})/.exec(code.text(procfile))?.[1];
  const port = /^[ \t]*port[ \t(]{1,9}(?:ENV\.fetch\(["']\w+["']\)?[^\d\n]{0,10})?["']?(\d{2,5})/m.exec(
    code.text(`${base}config/puma.rb`),
  )?.[1];
  return numberOf(started ?? port) ?? 3000;
}

function ofJava({ code }: Context, file: string): Port {
  const base = file.slice(0, Math.max(0, file.indexOf('src/main/')));
  const settings = code.named(/(?:^|\/)application\.(?:properties|ya?ml)$/).filter((each) => each.startsWith(base));
  for (const each of settings) {
    const port =
      /^(?:server|quarkus\.http)\.port\s*[=:]\s*(?:\$\{\w+:)?(\d{2,5})|^server:[ \t\r]*\n(?:[ \t].*\n){0,200}?[ \t]+port:[ \t]*["']?(?:\$\{\w+:)?(\d{2,5})/m.exec(
        code.text(each),
      );
    if (port !== null) return Number(port[1] ?? port[2]);
  }
  return 8080;
}

function ofLaunchSettings({ code }: Context, file: string): Port {
  const profiles = code.text(file).replace(/"iisSettings"\s*:\s*\{[^]*?\n {2}\}/, '');
  const port = /"applicationUrl"\s*:\s*"[^"]*?http:\/\/[\w.*+-]+:(\d{2,5})/.exec(profiles)?.[1];
  return numberOf(port) ?? null;
}

function ofGo(context: Context, file: string): Port | undefined {
  const module = context.code.above(file, ['go.mod']);
  return oneOf(context, module === null ? dirname(file) : dirname(module), /\.go$/, GO) ?? null;
}
