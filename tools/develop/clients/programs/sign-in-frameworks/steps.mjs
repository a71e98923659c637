import { createRequire } from 'node:module';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import express from 'express';
import session from 'express-session';
import { OidcClient } from 'oidc-client-ts';
import passport from 'passport';
import Auth0Strategy from 'passport-auth0';
import { callJson, equal, step, url } from './kit.mjs';

/* Unmodified sign-in libraries; a minimal browser follows their redirects. */

const require = createRequire(import.meta.url);
const EMAIL = 'ann@example.com';
const { user_id: id } = await callJson('POST', '/api/v2/users', {
  email: EMAIL,
  name: 'Ann',
  email_verified: true,
  connection: 'Username-Password-Authentication',
});

/** Stores the cookies of one origin. */
class Jar {
  cookies = new Map();
  header = () => ({ cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') });
  keep(response) {
    for (const each of response.headers.getSetCookie()) {
      const [name, ...value] = each.split(';')[0].split('=');
      this.cookies.set(name, value.join('='));
    }
    return response;
  }
}

/** Signs Ann in without showing a page. @returns the URL that the sandbox redirects to */
async function through(asked) {
  const to = new URL(asked);
  to.searchParams.set('sandbox_user', EMAIL);
  return (await fetch(to, { redirect: 'manual' })).headers.get('location');
}

async function served(app, run) {
  const listening = app.listen(0);
  try {
    return await run(`http://localhost:${listening.address().port}`);
  } finally {
    listening.close();
  }
}

await step('passport-auth0: a code, the profile, a session', async () => {
  const app = express();
  app.use(session({ secret: 'x', resave: false, saveUninitialized: false }), passport.session());
  passport.serializeUser((each, done) => done(null, each));
  passport.deserializeUser((each, done) => done(null, each));
  await served(app, async (own) => {
    const at = (path) => `${url}${path}`;
    passport.use(
      new Auth0Strategy(
        {
          domain: new URL(url).host,
          clientID: 'web',
          clientSecret: 'secret-of-web',
          callbackURL: `${own}/callback`,
          expectedIssuer: at('/'),
          authorizationURL: at('/authorize'),
          tokenURL: at('/oauth/token'),
          userInfoURL: at('/userinfo'),
        },
        (_access, _refresh, _extra, profile, done) => done(null, { id: profile.id, emails: profile.emails }),
      ),
    );
    app.get('/login', passport.authenticate('auth0', { scope: 'openid email profile' }));
    app.get('/callback', passport.authenticate('auth0'), (req, res) => res.json(req.user));
    const jar = new Jar();
    const first = jar.keep(await fetch(`${own}/login`, { redirect: 'manual' }));
    const back = await through(first.headers.get('location'));
    const person = await (await fetch(back, { headers: jar.header() })).json();
    equal([person.id, person.emails[0].value], [id, EMAIL]);
  });
});

await step('better-auth: the generic OAuth plugin, with discovery and PKCE', async () => {
  const auth = betterAuth({
    baseURL: 'http://localhost:3000',
    secret: 'a'.repeat(32),
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'sandbox',
            clientId: 'web',
            clientSecret: 'secret-of-web',
            discoveryUrl: `${url}/.well-known/openid-configuration`,
            scopes: ['openid', 'profile', 'email'],
            pkce: true,
          },
        ],
      }),
    ],
  });
  const jar = new Jar();
  const ask = async (path, init = {}) =>
    jar.keep(
      await auth.handler(
        new Request(`http://localhost:3000${path}`, {
          ...init,
          headers: { ...init.headers, ...jar.header(), origin: 'http://localhost:3000' },
        }),
      ),
    );
  const started = await ask('/api/auth/sign-in/social', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'sandbox', callbackURL: '/' }),
  });
  const { url: asked } = await started.json();
  const back = new URL(await through(asked));
  await ask(back.pathname + back.search);
  const { user } = await (await ask('/api/auth/get-session')).json();
  equal([user.email, user.name, user.emailVerified], [EMAIL, 'Ann', true]);
});

await step('next-auth: its provider for the vendor, callback, session', async () => {
  const { default: NextAuth } = require('next-auth');
  const { default: Auth0 } = require('next-auth/providers/auth0');
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  await served(app, async (own) => {
    process.env.NEXTAUTH_URL = own;
    const options = {
      secret: 'x',
      providers: [Auth0({ clientId: 'web', clientSecret: 'secret-of-web', issuer: url })],
    };
    app.use('/api/auth', (req, res) => {
      const nextauth = req.path.split('/').filter((part) => part !== '');
      // Express parses queries lazily; the library expects the object of a Next page.
      const query = { ...req.query, nextauth };
      const cookies = Object.fromEntries(
        (req.headers.cookie ?? '')
          .split('; ')
          .map((pair) => [pair.split('=')[0], decodeURIComponent(pair.split('=').slice(1).join('='))]),
      );
      return NextAuth(
        Object.assign(Object.create(req, { query: { value: query }, cookies: { value: cookies } })),
        res,
        options,
      );
    });
    const jar = new Jar();
    const ask = async (path, init = {}) =>
      jar.keep(
        await fetch(`${own}${path}`, { redirect: 'manual', ...init, headers: { ...init.headers, ...jar.header() } }),
      );
    const { csrfToken } = await (await ask('/api/auth/csrf')).json();
    const started = await ask('/api/auth/signin/auth0', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfToken, callbackUrl: own }).toString(),
    });
    const back = new URL(await through(started.headers.get('location')));
    await ask(back.pathname + back.search);
    equal((await (await ask('/api/auth/session')).json()).user?.email, EMAIL);
  });
});

await step('oidc-client-ts: a single-page application, with PKCE and without a secret', async () => {
  const kept = new Map();
  const stateStore = {
    set: async (key, value) => void kept.set(key, value),
    get: async (key) => kept.get(key) ?? null,
    remove: async (key) => {
      const value = kept.get(key) ?? null;
      kept.delete(key);
      return value;
    },
    getAllKeys: async () => [...kept.keys()],
  };
  const client = new OidcClient({
    authority: `${url}/`,
    client_id: 'spa',
    redirect_uri: 'http://localhost:3000/callback',
    scope: 'openid profile email',
    stateStore,
    loadUserInfo: true,
  });
  const { url: asked } = await client.createSigninRequest({});
  const { profile } = await client.processSigninResponse(await through(asked));
  equal([profile.sub, profile.email], [id, EMAIL]);
});
