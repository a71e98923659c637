import { Auth } from '@auth/core';
import { ManagementClient } from 'auth0';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { callJson, equal, step, url, withCookies } from './kit.mjs';

/* The vendor's client for its management API. It supports only https and a domain, so its requests are redirected to the sandbox. */

const management = new ManagementClient({
  domain: 'tenant.example',
  clientId: 'service',
  clientSecret: 'secret-of-service',
  telemetry: false,
  maxRetries: 0,
  fetch: (asked, init) => fetch(String(asked?.url ?? asked).replace('https://tenant.example', url), init),
});
// The client requests tokens with the global `fetch`, so that is redirected, too.
const plain = globalThis.fetch;
globalThis.fetch = (asked, init) =>
  plain(typeof asked === 'string' ? asked.replace('https://tenant.example', url) : asked, init);

async function allOf(pages) {
  const all = [];
  for await (const each of await pages) all.push(each);
  return all;
}

const EMAIL = 'ann@example.com';
const user = await step('users.create', () =>
  management.users.create({ connection: 'Username-Password-Authentication', email: EMAIL, password: 'Correct-1' }),
);
const { user_id: id } = user;
const role = await step('roles.create', () => management.roles.create({ name: 'admin' }));
const org = await step('organizations.create', () => management.organizations.create({ name: 'acme' }));
const app = await step('clients.create', () => management.clients.create({ name: 'App', callbacks: [] }));
const api = await step('resourceServers.create', () =>
  management.resourceServers.create({ identifier: 'https://x.example' }),
);
const permissions = [{ permission_name: 'read:orders', resource_server_identifier: 'https://api.example.com' }];
const sink = {
  httpEndpoint: 'http://127.0.0.1:1',
  httpAuthorization: 'x',
  httpContentFormat: 'JSONLINES',
  httpContentType: 'application/json',
};

const CALLS = {
  'users.get': async () => equal((await management.users.get(id)).email, EMAIL),
  'users.update': async () =>
    equal((await management.users.update(id, { user_metadata: { a: 1 } })).user_metadata, { a: 1 }),
  'users.list': async () => equal((await allOf(management.users.list())).length, 1),
  'users.listUsersByEmail': async () => equal((await management.users.listUsersByEmail({ email: EMAIL })).length, 1),
  'users.roles.assign': () => management.users.roles.assign(id, { roles: [role.id] }),
  'users.roles.list': async () => equal((await allOf(management.users.roles.list(id)))[0].name, 'admin'),
  'roles.list': async () => equal((await allOf(management.roles.list())).length, 1),
  'roles.update': () => management.roles.update(role.id, { description: 'x' }),
  'roles.users.list': async () => equal((await allOf(management.roles.users.list(role.id)))[0].email, EMAIL),
  'roles.permissions.add': () => management.roles.permissions.add(role.id, { permissions }),
  'roles.permissions.list': async () => equal((await allOf(management.roles.permissions.list(role.id))).length, 1),
  'users.roles.delete': () => management.users.roles.delete(id, { roles: [role.id] }),
  'organizations.get': () => management.organizations.get(org.id),
  'organizations.getByName': async () => equal((await management.organizations.getByName('acme')).id, org.id),
  'organizations.list': async () => equal((await allOf(management.organizations.list())).length, 1),
  'organizations.members.create': () => management.organizations.members.create(org.id, { members: [id] }),
  'organizations.members.list': async () =>
    equal((await allOf(management.organizations.members.list(org.id)))[0].email, EMAIL),
  'organizations.invitations.create': () =>
    management.organizations.invitations.create(org.id, {
      client_id: 'web',
      inviter: { name: 'A' },
      invitee: { email: 'b@example.com' },
    }),
  'organizations.invitations.list': async () =>
    equal((await allOf(management.organizations.invitations.list(org.id))).length, 1),
  'users.organizations.list': async () => equal((await allOf(management.users.organizations.list(id)))[0].name, 'acme'),
  'clients.get': async () => equal((await management.clients.get(app.client_id)).name, 'App'),
  'clients.list': async () => equal((await allOf(management.clients.list())).length, 5),
  'clients.update': () => management.clients.update(app.client_id, { name: 'App 2' }),
  'clients.rotateSecret': () => management.clients.rotateSecret(app.client_id),
  'clients.delete': () => management.clients.delete(app.client_id),
  'resourceServers.list': async () => equal((await allOf(management.resourceServers.list())).length, 2),
  'resourceServers.get': () => management.resourceServers.get(api.id),
  'resourceServers.update': () => management.resourceServers.update(api.id, { name: 'Y' }),
  'resourceServers.delete': () => management.resourceServers.delete(api.id),
  'connections.list': async () => equal((await allOf(management.connections.list())).length, 1),
  'logs.list, logs.get': async () => management.logs.get((await allOf(management.logs.list()))[0].log_id),
  'logStreams.create': () => management.logStreams.create({ name: 's', type: 'http', sink }),
  'logStreams.list': async () => equal((await management.logStreams.list()).length, 1),
  'keys.signing.list': async () => equal((await management.keys.signing.list()).length, 2),
  'keys.signing.rotate': () => management.keys.signing.rotate(),
  'userGrants.list': () => allOf(management.userGrants.list()),
  'users.sessions.list': () => allOf(management.users.sessions.list(id)),
  'users.logs.list': () => allOf(management.users.logs.list(id)),
  'users.refreshToken.list': () => allOf(management.users.refreshToken.list(id)),
  'tenants.settings.get': () => management.tenants.settings.get(),
  'tenants.settings.update': () => management.tenants.settings.update({ friendly_name: 'x' }),
  'tickets.changePassword': () => management.tickets.changePassword({ user_id: id }),
  'tickets.verifyEmail': () => management.tickets.verifyEmail({ user_id: id }),
  'userBlocks.list': () => management.userBlocks.list(id),
  'userBlocks.delete': () => management.userBlocks.delete(id),
  'an unknown user is a NotFoundError': () =>
    management.users.get('auth0|nobody').then(
      () => equal('found', 'not found'),
      ({ statusCode }) => equal(statusCode, 404),
    ),
};
for (const [name, run] of Object.entries(CALLS)) await step(`auth0: ${name}`, run);

/** Makes a request, and returns the URL that the response redirects to. */
const led = async (to, init = {}) =>
  new URL((await plain(to, { redirect: 'manual', ...init })).headers.get('location'), to);

await step('passport-openidconnect: a code, the profile, a session', async () => {
  const server = express();
  server.use(session({ secret: 'x', resave: false, saveUninitialized: false }), passport.session());
  passport.serializeUser((each, done) => done(null, each));
  passport.deserializeUser((each, done) => done(null, each));
  const listening = server.listen(0);
  const own = `http://localhost:${listening.address().port}`;
  passport.use(
    new OpenIDConnectStrategy(
      {
        issuer: `${url}/`,
        authorizationURL: `${url}/authorize`,
        tokenURL: `${url}/oauth/token`,
        userInfoURL: `${url}/userinfo`,
        clientID: 'web',
        clientSecret: 'secret-of-web',
        callbackURL: `${own}/callback`,
        scope: 'profile email',
      },
      (_issuer, profile, done) => done(null, { id: profile.id, emails: profile.emails }),
    ),
  );
  server.get('/login', passport.authenticate('openidconnect'));
  server.get('/callback', passport.authenticate('openidconnect'), (req, res) => res.json(req.user));
  try {
    const first = await plain(`${own}/login`, { redirect: 'manual' });
    const cookie = first.headers.getSetCookie()[0].split(';')[0];
    const back = await led(`${first.headers.get('location')}&sandbox_user=${EMAIL}`);
    const response = await plain(back, { headers: { cookie } });
    const person = await response.json();
    equal([person.id, person.emails[0].value], [id, EMAIL]);
  } finally {
    listening.close();
  }
});

await step('@auth/core: sign-in, callback, session', async () => {
  const config = {
    secret: 'a'.repeat(32),
    trustHost: true,
    basePath: '/auth',
    providers: [
      {
        id: 'sandbox',
        name: 'Sandbox',
        type: 'oidc',
        issuer: `${url}/`,
        clientId: 'web',
        clientSecret: 'secret-of-web',
        checks: ['pkce', 'state', 'nonce'],
        authorization: { params: { scope: 'openid profile email', sandbox_user: EMAIL } },
      },
    ],
  };
  const ask = withCookies('http://localhost:3000', (request) => Auth(request, config));
  const { csrfToken } = await (await ask('/auth/csrf')).json();
  const started = await ask('/auth/signin/sandbox', {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, callbackUrl: 'http://localhost:3000/' }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const back = await led(started.headers.get('location'));
  await ask(back.pathname + back.search);
  const signedIn = await (await ask('/auth/session')).json();
  equal(signedIn.user?.email, EMAIL, 'email of the session');
});

await step('auth0: users.delete', () => management.users.delete(id));
await step('the users of the world are those that stay', async () =>
  equal((await callJson('GET', '/api/v2/users')).length, 0),
);
