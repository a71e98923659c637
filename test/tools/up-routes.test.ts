import { routesFor, unsureFor, webhookRoutes } from '../../tools/up/webhook-routes.js';

/** At which addresses `sandbox up` finds that an application receives webhooks. */

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
    ['?/stripe/webhook'],
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
      'site/urls.py':
        "from pay import urls as pay_urls\napi = [path('pay/', include(pay_urls))]\nurlpatterns = [\n    path('api/', include((api, 'api'))),\n    re_path(r'^v1/', include([re_path(r'^stripe-hook/$', view), re_path(r'^stripe/(\\d+)/hook$', view)])),\n    path('stripe/', include('djstripe.urls', namespace='djstripe')),\n]\nif DEBUG:\n    urlpatterns += [path('debug/stripe/webhook', view)]\n",
      'pay/urls.py': "urlpatterns = [\n    path('stripe/webhook/', csrf_exempt(views.take), name='take'),\n]\n",
      'unused/urls.py': "urlpatterns = [path('stripe/hook/', view)]\n",
    },
    ['/api/pay/stripe/webhook/', '/v1/stripe-hook/', '/stripe/webhook/', '/debug/stripe/webhook'],
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
    'Remix, flat files',
    { 'app/routes/api+/stripe.webhook.ts': '', 'app/routes/_in.webhooks.stripe/route.tsx': '' },
    ['/api/stripe/webhook', '/webhooks/stripe'],
  ],
  [
    'a route that another vendor signs, and one that is only told by its signature',
    {
      'app/api/webhook/route.ts': "headers.get('svix-signature')",
      'app/api/in/route.ts': "headers.get('stripe-signature')",
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
  expect(
    routesFor(
      webhookRoutes([path], () => ''),
      STRIPE,
    ),
  ).toEqual(routes);
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
  const found = webhookRoutes([path], () => `first line\n${line}\n`);
  expect(routesFor(found, { ...STRIPE, isOnly: true })).toEqual(routes);
});

test.each(ROUTES_OF_FRAMEWORKS)('%s', (_, files, routes) => {
  const found = webhookRoutes(Object.keys(files), (path) => files[path]);
  const vendor = { ...STRIPE, isOnly: true };
  expect([...routesFor(found, vendor), ...unsureFor(found, vendor).map(({ path }) => `?${path}`)].sort()).toEqual(
    [...routes].sort(),
  );
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
    webhookRoutes([path], () => text);
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
  const found = webhookRoutes(paths, () => '');
  expect(routesFor(found, { ...STRIPE, isOnly: true })).toEqual(['/api/webhooks', '/api/webhook', '/webhook.php']);
  expect(routesFor(found, STRIPE)).toEqual([]);
});
