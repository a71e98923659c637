import { appAddresses } from '../../tools/up/app-address.js';
import { Code } from '../../tools/up/routes/code.js';
import { routesFor, unsureFor, webhookRoutes } from '../../tools/up/webhook-routes.js';

/** At which addresses `sandbox up` finds that an application receives webhooks. */

function codeOf(files: Readonly<Record<string, string>>): Code {
  return new Code(Object.keys(files), (path) => files[path]);
}

function pathsFor(code: Code, vendor: Parameters<typeof routesFor>[1]): readonly string[] {
  return routesFor(webhookRoutes(code), vendor).map(({ path }) => path);
}

const STRIPE = { kind: 'payments', words: ['stripe'], isOnly: false };

/** Applications of several files, by their framework, with what `sandbox up` finds in them; `?` before the end of an address that isn't known whole. */
const ROUTES_OF_FRAMEWORKS: readonly (readonly [string, Record<string, string>, string[]])[] = [
  [
    'Express, a router of another file',
    {
      'app.js':
        "const app = express();\nconst hooks = require('./routes/stripe');\napp.use('/api/billing', cors(), hooks);\n",
      'routes/stripe.js':
        "const router = express.Router();\nrouter.post('/webhook', handler);\nmodule.exports = router;\n",
    },
    ['/api/billing/webhook'],
  ],
  [
    'Express, routers in routers, with names, aliases and constants',
    {
      'src/main.ts':
        "import { api } from '@/api/index.js';\nexport const PREFIX = '/v2';\nconst app = express();\napp.use(`${PREFIX}/in`, api);\n",
      'src/api/index.ts':
        "import * as hooks from './hooks';\nexport const api: Router = Router();\napi.use('/stripe', express.json(), hooks.router);\n",
      'src/api/hooks.ts': "export const router = Router();\nrouter\n  .route('/hooks')\n  .post(handler);\n",
    },
    ['/v2/in/stripe/hooks'],
  ],
  [
    'Express, functions and classes that are given or have a router',
    {
      'app.ts':
        "import { addHooks } from './a';\nimport Billing from './b';\nconst app = express();\naddHooks(app);\napp.use('/pay', new Billing().router);\n",
      'a.ts': "export function addHooks(router: Router) {\n  router.post('/stripe/webhook', handler);\n}\n",
      'b.ts':
        "export default class Billing {\n  public router = Router();\n  constructor() {\n    this.router.post('/stripe-webhook', handler);\n  }\n}\n",
    },
    ['/stripe/webhook', '/pay/stripe-webhook'],
  ],
  [
    'Express, a router that nothing mounts, at a prefix that only running code knows, and one in a comment',
    {
      'app.js':
        "const app = express();\napp.use(config.get('prefix'), require('./b'));\n// app.use('/old', require('./a'));\napp.use('/c', require('./c'));\n",
      'a.js': "const router = express.Router();\nrouter.post('/stripe/webhook', handler);\nmodule.exports = router;\n",
      'b.js': "const router = express.Router();\nrouter.post('/webhooks/stripe', handler);\nmodule.exports = router;\n",
      'c.js':
        "const other = express.Router();\nother.get('/webhook', handler);\nconst api = axios.create();\napi.post('/stripe/webhook', {});\n",
    },
    ['?/stripe/webhook', '?/webhooks/stripe'],
  ],
  [
    'Fastify, plugins at prefixes, and one in place',
    {
      'app.ts':
        "const app = Fastify();\napp.register(routes, { prefix: '/api' });\nasync function routes(instance: FastifyInstance) {\n  instance.register(import('./hooks.js'), { prefix: '/stripe' });\n}\napp.register(async (app) => {\n  app.route({ method: 'POST', url: '/stripe-hook', handler });\n}, { prefix: '/inner' });\n",
      'hooks.ts':
        "export default async function (fastify: FastifyInstance) {\n  fastify.post<{ Body: string }>('/webhook', handler);\n}\n",
      'lonely.ts':
        "export async function lonely(app: FastifyInstance) {\n  app.post('/webhooks/stripe', handler);\n}\n",
    },
    ['/inner/stripe-hook', '/api/stripe/webhook', '?/webhooks/stripe'],
  ],
  [
    'Express, routers that a loop over a list mounts',
    {
      'app.ts': "import routes from './routes';\nconst app = express();\napp.use('/api/v1', routes);\n",
      'routes/index.ts':
        "import { stripe } from './stripe';\nimport hooks from './hooks';\nconst router = express.Router();\nconst all: Route[] = [\n  { path: '/users', route: users },\n  { path: '/stripe', route: stripe },\n];\nall.forEach((each) => router.use(each.path, each.route));\nconst others = [{ path: '/in', router: hooks }];\nfor (const { path, router: made } of others) {\n  router.use(path, made);\n}\nload().forEach((each) => router.use(each.path, each.route));\nexport default router;\n",
      'routes/stripe.ts': "export const stripe = Router();\nstripe.post('/webhook', handler);\n",
      'routes/hooks.ts': "const router = Router();\nrouter.post('/stripe-hook', handler);\nexport default router;\n",
    },
    ['/api/v1/stripe/webhook', '/api/v1/in/stripe-hook'],
  ],
  [
    'Hono, chains and parts',
    {
      'index.ts':
        "import { hooks } from './hooks';\nconst app = new Hono<{ Bindings: Env }>().basePath('/api');\napp.route('/stripe', hooks);\nexport default app;\n",
      'hooks.ts': "export const hooks = new Hono()\n  .get('/', list)\n  .post('/webhook', handler);\n",
    },
    ['/api/stripe/webhook'],
  ],
  [
    'Koa, a prefix of the router, and one of `koa-mount`',
    {
      'app.js':
        "const app = new Koa();\nconst router = new Router({ prefix: '/stripe' });\nrouter.post('/webhook', handler);\napp.use(mount('/in', router.routes()));\n",
    },
    ['/in/stripe/webhook'],
  ],
  [
    'FastAPI, routers with prefixes, of settings too',
    {
      'app/main.py':
        'from app.api import webhooks\nfrom app.api.v1.api import api_router\nfrom app.core.config import settings\napp = FastAPI()\napp.include_router(webhooks.router)\napp.include_router(\n    api_router, prefix=settings.API_V1_STR\n)\n',
      'app/core/config.py': 'class Settings(BaseSettings):\n    API_V1_STR: str = "/api/v1"\n',
      'app/api/webhooks.py':
        'router = APIRouter(prefix="/hooks")\n\n@router.post("/stripe")\nasync def stripe(): ...\n',
      'app/api/v1/api.py':
        'from . import billing as pay, empty\napi_router = APIRouter()\napi_router.include_router(pay.router, prefix="/billing")\napi_router.include_router(empty.router, prefix="/hooks/stripe")\n',
      'app/api/v1/empty.py': 'router = APIRouter()\n\n@router.post("")\nasync def hook(): ...\n',
      'app/api/v1/billing.py':
        'router = APIRouter()\n\n@router.post(\n    "/stripe-webhook", status_code=200\n)\nasync def hook(): ...\n',
    },
    ['/hooks/stripe', '/api/v1/billing/stripe-webhook', '/api/v1/hooks/stripe'],
  ],
  [
    'Flask, blueprints: the prefix of the registration replaces their own',
    {
      'shop/__init__.py':
        'from shop.hooks import bp\nfrom .views import pages as views\n\ndef create_app():\n    app = Flask(__name__)\n    app.register_blueprint(bp, url_prefix="/in")\n    app.register_blueprint(views)\n    return app\n',
      'shop/hooks.py':
        "bp = Blueprint('hooks', __name__, url_prefix='/old')\n\n@bp.route('/stripe/webhook', methods=['GET', 'POST'])\ndef hook(): ...\n\n@bp.route('/stripe/webhooks')\ndef shown(): ...\n",
      'shop/more.py': 'from .views import pages\n\n@pages.post("/twilio-and-stripe/webhook")\ndef hook(): ...\n',
      'shop/views.py':
        "pages = Blueprint('pages', __name__, url_prefix='/pages')\n\n@pages.post('/stripe-hook')\ndef hook(): ...\n",
    },
    ['/in/stripe/webhook', '/pages/stripe-hook', '/pages/twilio-and-stripe/webhook'],
  ],
  [
    'NestJS, a prefix of all and a version',
    {
      'apps/api/src/main.ts': "app.setGlobalPrefix('api');\n",
      'apps/other/src/main.ts': "app.setGlobalPrefix('other');\n",
      'apps/api/src/stripe.controller.ts':
        "@Controller({ path: 'stripe', version: '1' })\nexport class A {\n  @Post('webhook')\n  take() {}\n}\n\n@Controller('hooks/stripe')\nexport class B {\n  @Post()\n  take() {}\n}\n",
    },
    ['/api/v1/stripe/webhook', '/api/hooks/stripe'],
  ],
  [
    'NestJS, a prefix that leaves out webhooks',
    {
      'src/main.ts': "app.setGlobalPrefix('api', { exclude: ['stripe/webhook'] });\n",
      'src/a.ts': "@Controller('stripe')\nexport class A {\n  @Post('webhook')\n  take() {}\n}\n",
    },
    ['/stripe/webhook'],
  ],
  [
    'NestJS, a prefix that leaves out webhooks by a pattern',
    {
      'src/main.ts': "app.setGlobalPrefix('api', { exclude: ['stripe/(.*)hook'] });\n",
      'src/a.ts': "@Controller('stripe')\nexport class A {\n  @Post('webhook')\n  take() {}\n}\n",
    },
    ['?/stripe/webhook'],
  ],
  [
    'NestJS, versions in paths with a default, and one that only running code knows',
    {
      'apps/a/src/main.ts': "app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });\n",
      'apps/b/src/main.ts': 'app.enableVersioning({ type: VersioningType.URI, defaultVersion: latest() });\n',
      'apps/c/src/main.ts':
        "app.enableVersioning({ type: VersioningType.HEADER, header: 'v', defaultVersion: '1' });\n",
      'apps/a/src/a.ts':
        "@Controller('stripe')\nexport class A {\n  @Post('webhook')\n  take() {}\n\n  @Version('3')\n  @Post('hook')\n  other() {}\n}\n",
      'apps/b/src/b.ts': "@Controller('stripe')\nexport class B {\n  @Post('hooks')\n  take() {}\n}\n",
      'apps/c/src/c.ts': "@Controller('stripe')\nexport class C {\n  @Post('webhooks')\n  take() {}\n}\n",
    },
    ['/v2/stripe/webhook', '?/stripe/hook', '?/stripe/hooks', '/stripe/webhooks'],
  ],
  [
    'NestJS, modules with paths',
    {
      'src/app.module.ts':
        "@Module({\n  imports: [\n    RouterModule.register([\n      { path: 'pay', module: PayModule, children: [{ path: '/in', module: HooksModule }] },\n      { path: '/', module: RootModule },\n    ]),\n  ],\n})\nexport class AppModule {}\n",
      'src/hooks.module.ts': '@Module({ controllers: [HooksController, Other] })\nexport class HooksModule {}\n',
      'src/root.module.ts': '@Module({ controllers: [RootController] })\nexport class RootModule {}\n',
      'src/hooks.ts': "@Controller('stripe')\nexport class HooksController {\n  @Post('webhook')\n  take() {}\n}\n",
      'src/root.ts': "@Controller()\nexport class RootController {\n  @Post('stripe-hook')\n  take() {}\n}\n",
    },
    ['/pay/in/stripe/webhook', '/stripe-hook'],
  ],
  [
    'Spring, with a context path',
    {
      'src/main/resources/application.yml': 'server:\n  servlet:\n    context-path: /shop\n',
      'src/main/java/com/example/shop/web/in/StripeController.java':
        '@RestController\n@RequestMapping("/stripe")\npublic class StripeController {\n  @PostMapping("/webhook")\n  void take() {}\n  @RequestMapping(value = "/hook", method = RequestMethod.POST)\n  void old() {}\n}\n',
    },
    ['/shop/stripe/webhook', '/stripe/hook'],
  ],
  [
    'ASP.NET, controllers',
    {
      'A.cs':
        '[Route("api/[controller]")]\npublic class StripeController : ControllerBase {\n  [HttpPost("webhook")]\n  public void Take() {}\n}\n',
    },
    ['/api/stripe/webhook'],
  ],
  [
    'Django, lists in lists and URLs of a package',
    {
      'site/settings.py': "ROOT_URLCONF = 'site.urls'\n",
      'requirements/base.txt': 'dj-stripe==2.8.4\n',
      'site/urls.py':
        "from pay import urls as pay_urls\napi = [path('pay/', include(pay_urls))]\nurlpatterns = [\n    path('api/', include((api, 'api'))),\n    re_path(r'^v1/', include([re_path(r'^stripe-hook/$', view), re_path(r'^stripe/(\\d+)/hook$', view)])),\n    path('stripe/', include('djstripe.urls', namespace='djstripe')),\n]\nif DEBUG:\n    urlpatterns += [path('debug/stripe/webhook', view)]\n",
      'pay/urls.py': "urlpatterns = [\n    path('stripe/webhook/', csrf_exempt(views.take), name='take'),\n]\n",
      'unused/urls.py': "urlpatterns = [path('stripe/hook/', view)]\n",
    },
    ['/api/pay/stripe/webhook/', '/v1/stripe-hook/', '/stripe/webhook/', '/debug/stripe/webhook'],
  ],
  [
    'Django, URLs of a package with an identifier, and lists that running code joins',
    {
      'site/settings.py': "ROOT_URLCONF = 'site.urls'\n",
      'requirements.txt': 'dj-stripe==2.9.0\n',
      'site/urls.py':
        "a = [path('stripe/', include('djstripe.urls'))]\nb = [path('stripe/hook/', view)]\nurlpatterns = reduce(add, [a, b])\n",
    },
    ['?/stripe/webhook/<uuid:uuid>/', '?/stripe/hook/'],
  ],
  [
    'Rails, blocks, drawn files and engines',
    {
      'config/routes.rb':
        "Rails.application.routes.draw do\n  namespace :webhooks do\n    post 'stripe'\n    resource :stripe_connect, only: :create\n  end\n  scope '/in', module: :in do\n    draw :hooks\n  end\n  resources :stripe_webhooks, only: [:create]\n  resources :stripe_hooks\n  resources :stripe do\n    post :webhook, on: :collection\n    post :hook\n    collection do\n      post 'hooks', to: 'x#y'\n    end\n  end\n  mount StripeEvent::Engine, at: '/events/stripe'\n  post 'stripe/:id/webhook', to: 'x#y'\nend\n",
      'config/routes/hooks.rb': "post '/stripe-hook' => 'x#y'\nmatch 'stripe/hook', via: %i[get post], to: 'x#y'\n",
    },
    [
      '/webhooks/stripe',
      '/webhooks/stripe_connect',
      '/in/stripe-hook',
      '/in/stripe/hook',
      '/stripe_webhooks',
      '/stripe/webhook',
      '/stripe/hooks',
      '/events/stripe',
      '?/stripe/:id/hook',
      '?/stripe/:id/webhook',
    ],
  ],
  [
    'Laravel, groups, files of a provider and of the bootstrap',
    {
      'bootstrap/app.php':
        "->withRouting(\n  web: __DIR__.'/../routes/web.php',\n  api: __DIR__.'/../routes/api.php',\n  apiPrefix: 'rest',\n)\n",
      'app/Providers/RouteServiceProvider.php': "Route::prefix('hooks')\n    ->group(base_path('routes/hooks.php'));\n",
      'routes/web.php':
        "Route::prefix('pay')->middleware('a')->group(function () {\n    Route::group(['prefix' => 'in'], function () {\n        Route::post('stripe/webhook', [A::class, 'take']);\n    });\n});\nRoute::middleware('x')->prefix('p')->post('/stripe-hook', A::class);\nRoute::get('/stripe/hook', A::class);\n",
      'routes/api.php': "Route::match(['get', 'post'], '/stripe/webhook', A::class);\n",
      'routes/hooks.php': "Route::post('/stripe', A::class);\n",
      'routes/other.php': "Route::post('/stripe/other-hook', A::class);\n",
    },
    ['/pay/in/stripe/webhook', '/p/stripe-hook', '/rest/stripe/webhook', '/hooks/stripe', '?/stripe/other-hook'],
  ],
  [
    "Laravel's Cashier, where the environment puts it",
    { 'composer.json': '{"require":{"laravel/cashier":"^15"}}', '.env.example': 'CASHIER_PATH=billing/stripe\n' },
    ['/billing/stripe/webhook'],
  ],
  [
    "Laravel's Cashier without its routes",
    {
      'composer.json': '{"require":{"laravel/cashier":"^15"}}',
      'app/Providers/AppServiceProvider.php': 'Cashier::ignoreRoutes();\n',
    },
    [],
  ],
  [
    'Gin, groups',
    { 'main.go': 'r := gin.Default()\napi := r.Group("/api")\napi.POST("/stripe/webhook", take)\n' },
    ['/api/stripe/webhook'],
  ],
  [
    'Go, patterns with a method, and a mock of the vendor',
    {
      'main.go':
        'mux := http.NewServeMux()\nmux.HandleFunc("POST /stripe/webhook", take)\nmux.HandleFunc("GET /stripe/hooks", list)\n',
      'devtools/mockstripe/server.go':
        'mux := http.NewServeMux()\nmux.HandleFunc("/v1/charges", sign("Stripe-Signature"))\n',
    },
    ['/stripe/webhook'],
  ],
  [
    'Phoenix, scopes and plugs of the endpoint',
    {
      'lib/shop_web/router.ex':
        'defmodule ShopWeb.Router do\n  use ShopWeb, :router\n\n  scope "/api", ShopWeb do\n    pipe_through :api\n\n    scope "/stripe" do\n      post "/hooks", StripeController, :take\n      get "/webhook", StripeController, :show\n    end\n  end\n\n  post "/stripe/:shop/webhook", StripeController, :take\nend\n',
      'lib/shop_web/endpoint.ex':
        'defmodule ShopWeb.Endpoint do\n  use Phoenix.Endpoint, otp_app: :shop\n\n  plug Stripe.WebhookPlug,\n    at: "/webhook/stripe",\n    handler: ShopWeb.StripeHandler\nend\n',
    },
    ['/api/stripe/hooks', '?/stripe/:shop/webhook', '/webhook/stripe'],
  ],
  [
    'functions of Netlify, Vercel and Supabase',
    {
      'netlify/functions/stripe-webhook.js': 'exports.handler = async (event) => {};\n',
      'netlify/functions/stripe-hook/stripe-hook.mts':
        "export default async (request) => {};\nexport const config: Config = { path: '/in/stripe-hook' };\n",
      'netlify/functions/lib/stripe-hooks.js': 'exports.handler = async (event) => {};\n',
      'site/netlify.toml': '[build]\n  functions = "lambda"\n',
      'site/lambda/stripe_webhook.ts': 'export const handler = async () => {};\n',
      'shop/vercel.json': '{}',
      'shop/api/stripe/webhook.ts': 'export default async function handler(req, res) {}\n',
      'shop/api/stripe/webhooks.ts': 'const router = express.Router();\nexport default router;\n',
      'supabase/functions/stripe-webhook/index.ts': 'Deno.serve(async (request) => {});\n',
      'supabase/functions/_shared/index.ts': '',
    },
    [
      '/.netlify/functions/stripe-webhook',
      '/in/stripe-hook',
      '/.netlify/functions/stripe_webhook',
      '/api/stripe/webhook',
      '/functions/v1/stripe-webhook',
    ],
  ],
  [
    'templates of SAM and Serverless',
    {
      'template.yaml':
        'Resources:\n  Hook:\n    Type: AWS::Serverless::Function\n    Properties:\n      CodeUri: !Ref Code\n      Events:\n        Take:\n          Type: HttpApi\n          Properties: { Path: /stripe/webhook, Method: post }\n        Show:\n          Type: Api\n          Properties: { Path: /stripe/hooks, Method: get }\n',
      'api/serverless.yml':
        "functions:\n  a:\n    events:\n      - httpApi: 'POST /webhooks/stripe'\n      - schedule: rate(1 day)\n  b:\n    events:\n      - http: { path: stripe/hook, method: post }\n",
    },
    ['/stripe/webhook', '/webhooks/stripe', '?/stripe/hook'],
  ],
  [
    'Workers that compare paths themselves, or by a router',
    {
      'a/wrangler.toml': '',
      'a/src/index.ts':
        "export default { async fetch(request, env) {\n  const url = new URL(request.url);\n  if (url.pathname === '/stripe/webhook') return take(request);\n} };\n",
      'b/src/index.ts':
        "import { AutoRouter } from 'itty-router';\nconst router = AutoRouter({ base: '/in' });\nrouter.post('/stripe-hook', take);\nexport default { ...router };\n",
    },
    ['/stripe/webhook', '/in/stripe-hook'],
  ],
  [
    'Remix, flat files',
    { 'app/routes/api+/stripe.webhook.ts': '', 'app/routes/_in.webhooks.stripe/route.tsx': '' },
    ['/api/stripe/webhook', '/webhooks/stripe'],
  ],
  [
    'a route that another vendor signs, and one that is only told by its signature',
    {
      'app/api/webhook/route.ts': "headers.get('svix-signature')",
      'app/api/in/route.ts': "headers.get('stripe-signature')",
      'public/settings.php': "if (!$_ENV['STRIPE_WEBHOOK_SECRET']) exit;",
      'app/api/stripe/checkout/route.ts': '',
    },
    ['/api/in'],
  ],
];

test.each<[string, string[]]>([
  ['app/api/webhooks/stripe/route.ts', ['/api/webhooks/stripe']],
  ['src/app/(shop)/api/stripe-webhook/route.js', ['/api/stripe-webhook']],
  ['pages/api/stripe/webhook.ts', ['/api/stripe/webhook']],
  ['src/routes/hooks/stripe/+server.ts', ['/hooks/stripe']],
  ['server/api/stripe/webhook.post.ts', ['/api/stripe/webhook']],
  ['public/hooks/stripe.php', ['/hooks/stripe.php']],
  ['app/api/webhooks/github/route.ts', []],
  ['app/api/stripe/checkout/route.ts', []],
  ['app/api/webhooks/[vendor]/stripe/route.ts', []],
])('%s takes webhooks at %j', (path, routes) => {
  expect(pathsFor(codeOf({ [path]: '' }), STRIPE)).toEqual(routes);
});

test.each([
  ['server.js', "app.post('/webhook', express.raw({ type: '*/*' }), async (request, response) => {", ['/webhook']],
  ['src/app.ts', 'fastify.post("/stripe/hooks", handler)', ['/stripe/hooks']],
  ['server.ts', "app.post(\n  '/webhook',\n  handler)", ['/webhook']],
  ['server.py', "@app.route('/webhook', methods=['POST'])", ['/webhook']],
  ['server.rb', "post '/webhook' do", ['/webhook']],
  ['routes/web.php', "Route::post('/webhooks/stripe', [Hooks::class, 'store']);", ['/webhooks/stripe']],
  ['index.php', "$app->post('/webhook', function (Request $request) {", ['/webhook']],
  ['main.go', '\thttp.HandleFunc("/webhook", handleWebhook)', ['/webhook']],
  ['src/main/java/Server.java', '        post("/webhook", (request, response) -> {', ['/webhook']],
  ['Program.cs', 'app.MapPost("/webhook", async (HttpContext context) => {', ['/webhook']],
  // Mounted elsewhere, of somebody else, called, only a test.
  ['routes/stripe.js', "router.post('/webhook', handler)", []],
  ['server.js', "app.post('/webhooks/github', handler)", []],
  ['client.js', "await fetch('/webhook', { method: 'POST' })", []],
  ['spec/server_spec.rb', "post '/webhook'", []],
])('%s declares %s', (path, line, routes) => {
  expect(pathsFor(codeOf({ [path]: `first line\n${line}\n` }), { ...STRIPE, isOnly: true })).toEqual(routes);
});

test.each(ROUTES_OF_FRAMEWORKS)('%s', (_, files, routes) => {
  const code = codeOf(files);
  const vendor = { ...STRIPE, isOnly: true };
  const unsure = unsureFor(webhookRoutes(code), vendor).map(({ path }) => `?${path}`);
  expect([...pathsFor(code, vendor), ...unsure].sort()).toEqual([...routes].sort());
});

test.each<[string, string, Record<string, string>, string | null]>([
  ['Next.js', 'app/api/hook/route.ts', { 'package.json': '{"scripts":{"dev":"next dev"}}' }, '3000'],
  [
    'Next.js at a port of its script',
    'apps/web/app/api/hook/route.ts',
    {
      'package.json': '{"scripts":{"dev":"turbo dev --port 1"}}',
      'apps/web/package.json':
        '{"scripts":{"dev":"generate && concurrently \\"next dev --turbopack --port 8888\\" \\"storybook dev -p 6006\\""}}',
    },
    '8888',
  ],
  ['SvelteKit', 'src/routes/hook/+server.ts', { 'package.json': '{"scripts":{"dev":"vite dev"}}' }, '5173'],
  [
    'Vite at a port of its settings',
    'src/routes/hook/+server.ts',
    {
      'package.json': '{"scripts":{"dev":"vite"}}',
      'vite.config.ts': 'export default { server: { host: true, port: 4000 } };',
    },
    '4000',
  ],
  [
    'a framework behind a server of its own, and a variable of the example environment',
    'app/routes/hook.ts',
    {
      'package.json': '{"scripts":{"dev":"pnpm run build:watch"}}',
      '.env.example': 'REMIX_APP_PORT=3030\n',
      'server.ts':
        'const port = process.env.REMIX_APP_PORT || process.env.PORT || 3000;\nserver.listen(port, () => {});\n',
    },
    '3030',
  ],
  ['Express', 'app.js', { 'package.json': '{}', 'app.js': 'app.listen(4242);\n' }, '4242'],
  [
    'Express with a constant, beside a server of pages',
    'server/app.ts',
    {
      'package.json': '{"scripts":{"dev":"concurrently \\"vite --port 5000\\" \\"tsx server/app.ts\\""}}',
      'server/app.ts': "const PORT: number = Number(process.env.PORT ?? '4001');\napp.listen(PORT, '0.0.0.0');\n",
    },
    '4001',
  ],
  [
    'Express beside another program with a port',
    'app.js',
    {
      'package.json': '{"scripts":{"dev":"concurrently \\"node app.js\\" \\"storybook dev -p 6006\\""}}',
      'app.js': 'app.listen(4003);\n',
    },
    '4003',
  ],
  [
    'Express beside a database and a tunnel',
    'app.js',
    {
      'package.json':
        '{"scripts":{"dev":"docker compose -p 4444 up -d && ngrok http --port 4040 & node app.js --port 4004"}}',
    },
    '4004',
  ],
  ['a number that is no port', 'app.js', { 'package.json': '{}', 'app.js': 'app.listen(99999);\n' }, null],
  [
    'Fastify with a port that is taken of the environment',
    'app.js',
    { 'package.json': '{}', 'app.js': 'const { PORT = 4002 } = process.env;\napp.listen({ port: PORT, host });\n' },
    '4002',
  ],
  [
    'a configuration of its own',
    'src/hooks.ts',
    {
      'package.json': '{}',
      'src/config.ts':
        "export default { port: String(process.env.API_PORT ?? '3001'), db: process.env.DB_PORT ?? 5432 };\n",
      'src/main.ts': "await app.listen(config.get('port'));\n",
    },
    '3001',
  ],
  [
    'a schema of the environment',
    'src/hooks.ts',
    {
      'package.json': '{}',
      'src/env.ts': 'z.object({ DB_PORT: z.string().default("5432"),\n  PORT: z.coerce.number().default(3333) });\n',
      'src/server.ts': "app.listen({ host: '0.0.0.0', port: env.PORT });\n",
    },
    '3333',
  ],
  [
    'NestJS, by its service of settings',
    'src/hooks.ts',
    { 'package.json': '{}', 'src/main.ts': "await app.listen(config.get<number>('PORT') ?? 3005);\n" },
    '3005',
  ],
  [
    'a port that only the environment has',
    'app.js',
    { 'package.json': '{}', 'app.js': 'app.listen(process.env.PORT);\n' },
    null,
  ],
  [
    'two servers',
    'app.js',
    { 'package.json': '{}', 'app.js': 'app.listen(1234);\n', 'b.js': 'b.listen(1235);\n' },
    null,
  ],
  ['nothing that listens', 'app.js', { 'app.js': '' }, '3000'],
  ['a Worker', 'src/index.ts', { 'package.json': '{}', 'wrangler.toml': '[dev]\nport = 8799\n' }, '8799'],
  ['functions of Netlify', 'netlify/functions/hook.js', {}, '8888'],
  ['Django', 'shop/urls.py', { 'manage.py': '' }, '8000'],
  [
    'FastAPI',
    'app/main.py',
    { 'app/main.py': 'uvicorn.run(app, host="0.0.0.0", port=int(os.getenv("PORT", 5050)))\n' },
    '5050',
  ],
  [
    'Flask at a port of its root',
    'app/hooks.py',
    { 'pyproject.toml': '', 'server.py': 'app = Flask(__name__)\napp.run(debug=True, port=7777)\n' },
    '7777',
  ],
  ['Flask', 'server.py', { 'server.py': 'app = Flask(__name__)\napp.run(debug=True)\n' }, '5000'],
  ['Rails', 'config/routes.rb', { 'config/puma.rb': 'port ENV.fetch("PORT") { 3010 }\n' }, '3010'],
  [
    'Rails that a Procfile starts',
    'backend/config/routes.rb',
    {
      'Procfile.dev': 'web: cd backend && ./bin/rails s -p 3001\nnext: next dev -p 3000\n',
      'backend/config/puma.rb': 'port 3000\n',
    },
    '3001',
  ],
  ['Laravel', 'routes/api.php', { artisan: '' }, '8000'],
  [
    'Spring',
    'src/main/java/A.java',
    { 'src/main/resources/application.yml': 'server:\n  servlet: {}\n  port: ${PORT:8085}\n' },
    '8085',
  ],
  [
    'Spring with long settings and no port',
    'src/main/java/A.java',
    { 'src/main/resources/application.yml': `server:\n${'        servlet: {}\n'.repeat(60)}spring: {}\n` },
    '8080',
  ],
  [
    'ASP.NET',
    'src/Pay/Controllers/A.cs',
    {
      'src/Pay/Properties/launchSettings.json':
        '{\n  "iisSettings": {\n    "iisExpress": { "applicationUrl": "http://localhost:1/" }\n  },\n  "profiles": { "Pay": { "applicationUrl": "https://localhost:7001;http://localhost:5001" } }\n}\n',
    },
    '5001',
  ],
  ['Go', 'web/hooks.go', { 'go.mod': '', 'main.go': 'log.Fatal(http.ListenAndServe(":8081", mux))\n' }, '8081'],
])('the port of %s', (_, file, files, port) => {
  const code = codeOf({ [file]: '', ...files });
  expect(appAddresses(code, {})(file)).toBe(port === null ? null : `http://localhost:${port}`);
});

test('a variable of the environment that starts the application overrides its port', () => {
  const code = codeOf({
    'package.json': '{}',
    'app.js': 'app.listen(process.env.PORT || 3000);\n',
    '.env': 'PORT=3001\n',
  });
  expect(appAddresses(code, { PORT: '4000' })('app.js')).toBe('http://localhost:4000');
});

test.each([
  ['spaces', `app.use(${' '.repeat(200_000)}`],
  ['brackets', `app.use(${'('.repeat(50_000)}`],
  ['names', `${'a'.repeat(200_000)}.post('/stripe/webhook')`],
  ['quotes', `app.post(${"'".repeat(100_000)}`],
  ['calls in calls', 'app.use(('.repeat(20_000)],
  ['quotes in calls', 'app.use(r, "'.repeat(20_000)],
  ['groups', 'Route::prefix("a")->group('.repeat(8000)],
  ['routes', 'router.post("/hook")\n'.repeat(10_000)],
  ['mounts', "app.use('/a', app);\n".repeat(2000)],
])('%s without end are read in a bounded time', (_, text) => {
  const before = process.cpuUsage();
  for (const path of ['a.js', 'a.py', 'a.go', 'a.java', 'a.cs', 'a.rb', 'routes/a.php', 'config/routes.rb'])
    webhookRoutes(codeOf({ [path]: text }));
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
});

test('an application with one vendor takes its webhooks at a generic path', () => {
  const paths = [
    'pages/api/webhooks/index.ts',
    'app/api/webhook/route.ts',
    'app/api/webhooks/github/route.ts',
    'public/webhook.php',
    'src/Webhook.php',
  ];
  const code = codeOf(Object.fromEntries(paths.map((path) => [path, ''])));
  expect(pathsFor(code, { ...STRIPE, isOnly: true })).toEqual(['/api/webhooks', '/api/webhook', '/webhook.php']);
  expect(pathsFor(code, STRIPE)).toEqual([]);
});
