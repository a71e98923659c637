/** How the frameworks of a language declare routers in variables. All patterns have bounded repetitions, since the code is untrusted. */
export interface Language {
  readonly files: RegExp;
  /** Matches files that declare or mount routes. */
  readonly sign: RegExp;
  /** Matches the creation of a router: its name and the constructor. */
  readonly made: RegExp;
  /** Matches constructors of whole applications, as opposed to routers to be mounted. */
  readonly application: RegExp;
  /** Matches names of function parameters that are applications. */
  readonly applications: RegExp;
  /** Matches names of function parameters that are routers. */
  readonly parts: RegExp;
  /** Matches the prefix in the arguments of a constructor or a mount. */
  readonly prefix: RegExp;
  /** Matches the creation of a router from another one: its name, the other's name, the path's expression. */
  readonly derived: RegExp;
  /** Matches a route: the router's name, the method, the path's expression. */
  readonly route: RegExp;
  /** Matches methods that need "POST" in their arguments. */
  readonly needsMethod: RegExp;
  /** Matches the mount of a router: the parent's name and the method. */
  readonly mount: RegExp;
  /** Matches top-level declarations of a file, which are the scopes of the names in them. */
  readonly owner: RegExp;
  /** Whether the address of a route `/` below a prefix ends with a slash. */
  readonly keepsSlash: boolean;
}

const LITERAL = String.raw`[fr]?(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|${'`'}[^${'`'}\n]{0,200}${'`'})`;

/** The supported languages; `imports.ts` parses their imports. */
export const LANGUAGES: Readonly<Record<'script' | 'python' | 'go', Language>> = {
  // Patterns for Express, Fastify, Hono, Koa and similar frameworks.
  script: {
    files: /\.[cm]?[jt]sx?$/,
    sign: /\.(?:post|all|route|use|register|mount)(?:<[^\n()]{0,80}>)?\(/,
    made: /(?:const|let|var|public|private|protected|readonly|this\.)\s{0,9}([\w$]{1,60})(?:\s{0,9}:\s{0,9}[\w$.<>, ]{1,80})?\s{0,9}=\s{0,9}(?:await\s{1,9})?(?:new\s{1,9})?((?:[\w$]{1,40}\.)?\w{0,30}(?:Router|express|[fF]astify|Hono|Koa|polka))(?:<[^\n()]{0,120}>)?\(/g,
    application: /(?:express|[fF]astify|Hono|Koa|polka)$/,
    applications: /^(?:app|server|fastify)$/,
    parts: /router|routes|instance|fastify|^(?:app|server|api)$/i,
    prefix: new RegExp(String.raw`\b(?:prefix|base):\s{0,9}(${LITERAL}|[\w$.]{1,60})`, 'g'),
    derived: new RegExp(
      String.raw`\.basePath(?<=(?<![\w$])(?<name>[\w$]{1,60})\s{0,9}=\s{0,9}(?<of>[\w$]{1,60})\.basePath)\(\s{0,9}(?<path>${LITERAL})`,
      'g',
    ),
    route: new RegExp(
      String.raw`\.(?<method>post|all|route)(?<=(?:^|[^\w$.])(?:this\.)?(?<name>[\w$]{1,60})?(?:\.withTypeProvider<\w{1,60}>\(\))?\s{0,40}\.\w{1,9})(?:<[^\n()]{0,80}>)?\(\s{0,40}(?<path>${LITERAL})`,
      'gm',
    ),
    needsMethod: /^route$/,
    mount:
      /\.(?:use|register|route|mount)(?<=(?:^|[^\w$.])(?:this\.)?(?<name>[\w$]{1,60})?(?:\.withTypeProvider<\w{1,60}>\(\))?\s{0,40}\.\w{1,9})(?:<[^\n()]{0,80}>)?\(/gm,
    owner:
      /^(?:export[ \t]{1,9})?(?:(default)[ \t]{1,9}|module\.(exports)[ \t]{0,9}=[ \t]{0,9})?(?:async[ \t]{0,9})?(?:abstract[ \t]{1,9})?(?:(?:function\*?|class|const|let|var)[ \t]{1,9}([\w$]{1,60})|function[ \t]{0,9}\(|\()/gm,
    keepsSlash: false,
  },
  // Patterns for Flask, FastAPI and similar frameworks.
  python: {
    files: /\.py$/,
    sign: /\.(?:post|route|api_route|add_api_route|add_url_rule|include_router|register_blueprint|mount)\(/,
    made: /^[ \t]{0,80}(?:self\.)?(\w{1,60})(?:\s{0,9}:\s{0,9}[\w.]{1,60})?[ \t]{0,9}=[ \t]{0,9}([\w.]{0,60}(?:Router|Blueprint|FastAPI|Flask|Quart|Starlette))\(/gm,
    application: /(?:FastAPI|Flask|Quart|Starlette)$/,
    applications: /^(?:app|application)$/,
    parts: /router|blueprint|^bp$/i,
    prefix: new RegExp(String.raw`\b(?:url_)?prefix\s{0,9}=\s{0,9}(${LITERAL}|[\w.]{1,60})`, 'g'),
    derived: /(?!)/g,
    route: new RegExp(
      String.raw`^[ \t]{0,80}@?(?:self\.)?(?<name>\w{1,60})\.(?<method>post|route|api_route|add_api_route|add_url_rule)\(\s{0,40}(?:path=)?(?<path>${LITERAL})`,
      'gm',
    ),
    needsMethod: /route|rule/,
    mount: /^[ \t]{0,80}(?:self\.)?(?<name>\w{1,60})\.(?:include_router|register_blueprint|mount)\(/gm,
    owner: /^(?:async[ \t]{1,9})?(?:def|class)[ \t]{1,9}(\w{1,60})/gm,
    keepsSlash: true,
  },
  // Patterns for net/http, Gin, Echo, Chi, Fiber and Gorilla.
  go: {
    files: /\.go$/,
    sign: /\.(?:POST|Post|Any|All|HandleFunc|Handle|Mount|Route)\(/,
    made: /(?:^|[^\w.])(?:\w{1,20}\.)?(\w{1,60})\s{0,9}:?=\s{0,9}((?:gin|echo|chi|mux|http|fiber)\.(?:Default|New|NewRouter|NewServeMux))\(/gm,
    application: /./,
    applications: /^(?:app|server|http|mux)$/,
    parts: /^(?:router|r|e|g|rg|api|group|engine)$/,
    prefix: /(?!)/g,
    derived: new RegExp(
      String.raw`\.(?:Group|PathPrefix)(?<=(?<!\w)(?<name>\w{1,60})\s{0,9}:?=\s{0,9}(?<of>\w{1,60})\.\w{1,10})\(\s{0,9}(?<path>${LITERAL})`,
      'g',
    ),
    route: new RegExp(
      String.raw`\.(?<method>POST|Post|Any|All|HandleFunc|Handle)(?<=(?:^|[^\w.])(?:\w{1,20}\.)?(?<name>\w{1,60})\.\w{1,10})\(\s{0,40}(?<path>"(?:POST )?/[^"\n]{0,200}")`,
      'gm',
    ),
    needsMethod: /(?!)/,
    mount: /\.(?:Mount|Route)(?<=(?:^|[^\w.])(?<name>\w{1,60})\.\w{1,5})\(/gm,
    owner: /^func[ \t]{1,9}(?:\([^)\n]{0,80}\)[ \t]{0,9})?(\w{1,60})/gm,
    keepsSlash: true,
  },
};
