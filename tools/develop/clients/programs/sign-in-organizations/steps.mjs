import { createServer } from 'node:http';
import { WorkOS } from '@workos-inc/node';
import { call, callJson, control, equal, key, step, url } from './kit.mjs';

/* The client of a vendor of users and organizations, with a configurable address: people sign in by its API and through the sandbox's pages. */

const { hostname, port } = new URL(url);
const workos = new WorkOS(key, { clientId: 'web', apiHostname: hostname, port: Number(port), https: false });
const users = workos.userManagement;
const EMAIL = 'ann@example.com';
const PASSWORD = 'Correct-Horse-1';

/** Awaits a call that must fail, and returns its error. */
const failure = (promise) =>
  promise.then(
    () => ({ code: 'no error' }),
    (error) => error,
  );

const ann = await step('createUser', () =>
  users.createUser({
    email: EMAIL,
    password: PASSWORD,
    firstName: 'Ann',
    lastName: 'Admin',
    emailVerified: true,
    externalId: 'ann-1',
    metadata: { team: 'a' },
  }),
);
const acme = await step('createOrganization', () =>
  workos.organizations.createOrganization({
    name: 'Acme',
    domainData: [{ domain: 'acme.example', state: 'verified' }],
    externalId: 'acme-1',
  }),
);
const other = await workos.organizations.createOrganization({ name: 'Other' });
const member = await step('createOrganizationMembership', () =>
  users.createOrganizationMembership({ userId: ann.id, organizationId: acme.id, roleSlug: 'admin' }),
);
const signIn = (more = {}) => users.authenticateWithPassword({ email: EMAIL, password: PASSWORD, ...more });
const lastCode = async () => (await callJson('GET', '/sandbox/messages'))[0].code;

const CALLS = {
  getUser: async () => equal((await users.getUser(ann.id)).firstName, 'Ann'),
  getUserByExternalId: async () => equal((await users.getUserByExternalId('ann-1')).id, ann.id),
  'listUsers by email and by organization': async () => {
    equal((await users.listUsers({ email: EMAIL })).data.length, 1);
    equal((await users.listUsers({ organizationId: acme.id })).data[0].id, ann.id);
    equal((await users.listUsers({ organizationId: other.id })).data, []);
  },
  'listUsers, page by page': async () => {
    for (let n = 0; n < 5; n++) await users.createUser({ email: `user-${n}@example.com` });
    const emails = [];
    for (let after; ;) {
      const page = await users.listUsers({ limit: 2, order: 'asc', after });
      emails.push(...page.data.map(({ email }) => email));
      after = page.listMetadata.after ?? undefined;
      if (after === undefined) break;
    }
    equal([emails.length, emails[0], emails.at(-1)], [6, EMAIL, 'user-4@example.com']);
  },
  updateUser: async () =>
    equal((await users.updateUser({ userId: ann.id, lastName: 'Boss', metadata: { role: 'b' } })).metadata, {
      team: 'a',
      role: 'b',
    }),
  'createUser with a taken email': async () =>
    equal((await failure(users.createUser({ email: EMAIL }))).message.includes('email_not_available'), true),
  'createUser with a short password': async () =>
    equal(
      (await failure(users.createUser({ email: 'x@example.com', password: 'short' }))).message.includes(
        'password_too_short',
      ),
      true,
    ),
  'getUser of nobody': async () => {
    const error = await failure(users.getUser('user_nobody'));
    equal([error.status, error.code, error.name], [404, 'entity_not_found', 'NotFoundException']);
  },
  'a wrong key': async () => {
    const wrong = new WorkOS('sk_wrong', { clientId: 'web', apiHostname: hostname, port: Number(port), https: false });
    equal((await failure(wrong.userManagement.getUser(ann.id))).status, 401);
  },
  getOrganization: async () =>
    equal((await workos.organizations.getOrganization(acme.id)).domains[0].domain, 'acme.example'),
  getOrganizationByExternalId: async () =>
    equal((await workos.organizations.getOrganizationByExternalId('acme-1')).id, acme.id),
  'listOrganizations by domain': async () =>
    equal((await workos.organizations.listOrganizations({ domains: ['acme.example'] })).data.length, 1),
  updateOrganization: async () =>
    equal(
      (await workos.organizations.updateOrganization({ organization: acme.id, name: 'Acme Inc' })).name,
      'Acme Inc',
    ),
  getOrganizationMembership: async () => equal((await users.getOrganizationMembership(member.id)).role.slug, 'admin'),
  listOrganizationMemberships: async () =>
    equal((await users.listOrganizationMemberships({ userId: ann.id })).data[0].organizationName, 'Acme Inc'),
  updateOrganizationMembership: async () =>
    equal((await users.updateOrganizationMembership(member.id, { roleSlug: 'owner' })).role.slug, 'owner'),
  'deactivate and reactivate a membership': async () => {
    equal((await users.deactivateOrganizationMembership(member.id)).status, 'inactive');
    equal((await users.listOrganizationMemberships({ userId: ann.id, statuses: ['active'] })).data, []);
    equal((await users.reactivateOrganizationMembership(member.id)).status, 'active');
  },
  'authenticateWithPassword, with the only organization': async () => {
    const { user, organizationId, accessToken, authenticationMethod } = await signIn();
    equal([user.email, organizationId, authenticationMethod], [EMAIL, acme.id, 'Password']);
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url'));
    equal([claims.sub, claims.org_id, claims.role], [ann.id, acme.id, 'owner']);
  },
  'authenticateWithPassword, a wrong one': async () =>
    equal((await failure(signIn({ password: 'x' }))).rawData?.code ?? 'none', 'invalid_credentials'),
  'isValidJwt by the key set': async () => equal(await users.isValidJwt((await signIn()).accessToken), true),
  'authenticateWithRefreshToken, which rotates': async () => {
    const { refreshToken } = await signIn();
    const next = await users.authenticateWithRefreshToken({ refreshToken });
    equal(next.organizationId, acme.id);
    equal((await failure(users.authenticateWithRefreshToken({ refreshToken }))).error, 'invalid_grant');
  },
  'a sealed session': async () => {
    const cookiePassword = 'a'.repeat(32);
    const { sealedSession } = await signIn({ session: { sealSession: true, cookiePassword } });
    const session = users.loadSealedSession({ sessionData: sealedSession, cookiePassword });
    const { authenticated, organizationId } = await session.authenticate();
    equal([authenticated, organizationId], [true, acme.id]);
    equal((await session.refresh()).authenticated, true);
  },
  'listSessions and revokeSession': async () => {
    const { accessToken, refreshToken } = await signIn();
    const { sid } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url'));
    equal((await users.listSessions(ann.id, { limit: 1 })).data[0].id, sid);
    await users.revokeSession({ sessionId: sid });
    equal((await failure(users.authenticateWithRefreshToken({ refreshToken }))).error, 'invalid_grant');
  },
  'createMagicAuth and authenticateWithMagicAuth': async () => {
    const { code, id } = await users.createMagicAuth({ email: EMAIL });
    equal((await users.getMagicAuth(id)).code, code);
    equal((await users.authenticateWithMagicAuth({ email: EMAIL, code })).authenticationMethod, 'MagicAuth');
    equal(
      (await failure(users.authenticateWithMagicAuth({ email: EMAIL, code }))).rawData?.code,
      'invalid_one_time_code',
    );
  },
  'an email that is not verified yet': async () => {
    await users.createUser({ email: 'new@example.com', password: PASSWORD });
    const error = await failure(users.authenticateWithPassword({ email: 'new@example.com', password: PASSWORD }));
    const { code, pending_authentication_token: pendingAuthenticationToken, email_verification_id: id } = error.rawData;
    equal(code, 'email_verification_required');
    const { code: sent } = await users.getEmailVerification(id);
    const { user } = await users.authenticateWithEmailVerification({ code: sent, pendingAuthenticationToken });
    equal(user.emailVerified, true);
  },
  'sendVerificationEmail and verifyEmail': async () => {
    const { id } = await users.createUser({ email: 'later@example.com' });
    await users.sendVerificationEmail({ userId: id });
    equal((await users.verifyEmail({ userId: id, code: await lastCode() })).user.emailVerified, true);
  },
  'createPasswordReset, getPasswordReset, resetPassword': async () => {
    const { passwordResetToken: token, id } = await users.createPasswordReset({ email: EMAIL });
    equal((await users.getPasswordReset(id)).email, EMAIL);
    equal((await users.resetPassword({ token, newPassword: PASSWORD })).user.id, ann.id);
    equal(
      (await failure(users.resetPassword({ token, newPassword: PASSWORD }))).rawData?.code,
      'password_reset_token_invalid',
    );
  },
  'several organizations: one is chosen': async () => {
    const { id } = await users.createOrganizationMembership({ userId: ann.id, organizationId: other.id });
    const error = await failure(signIn());
    const { code, pending_authentication_token: pendingAuthenticationToken, organizations } = error.rawData;
    equal([code, organizations.length], ['organization_selection_required', 2]);
    const chosen = await users.authenticateWithOrganizationSelection({
      pendingAuthenticationToken,
      organizationId: other.id,
    });
    equal(chosen.organizationId, other.id);
    const switched = await users.authenticateWithRefreshToken({
      refreshToken: chosen.refreshToken,
      organizationId: acme.id,
    });
    equal(switched.organizationId, acme.id);
    await users.deleteOrganizationMembership(id);
  },
  'createUserAuthFactor, listUserAuthFactors, authenticateWithTotp': async () => {
    const { authenticationFactor } = await workos.multiFactorAuth.createUserAuthFactor({
      userId: ann.id,
      type: 'totp',
      totpIssuer: 'Shop',
      totpUser: EMAIL,
    });
    equal((await workos.multiFactorAuth.listUserAuthFactors({ userId: ann.id })).data[0].id, authenticationFactor.id);
    const { code, pending_authentication_token: pendingAuthenticationToken } = (await failure(signIn())).rawData;
    equal(code, 'mfa_challenge');
    const [shown] = await callJson('GET', '/sandbox/factors');
    const done = await users.authenticateWithTotp({
      code: shown.code,
      pendingAuthenticationToken,
      authenticationChallengeId: 'auth_challenge_1',
    });
    equal(done.user.id, ann.id);
    await call('DELETE', `/api/v2/users/${ann.id}/authenticators`);
  },
  'sendInvitation, findInvitationByToken, listInvitations, resend, accept, revoke': async () => {
    const { id, token, state } = await users.sendInvitation({
      email: 'guest@example.com',
      organizationId: acme.id,
      inviterUserId: ann.id,
      roleSlug: 'viewer',
    });
    equal(state, 'pending');
    equal((await users.findInvitationByToken(token)).id, id);
    equal((await users.listInvitations({ organizationId: acme.id })).data.length, 1);
    await users.resendInvitation(id);
    equal((await users.acceptInvitation(id)).state, 'accepted');
    equal((await users.listUsers({ organizationId: acme.id })).data.length, 2);
    const second = await users.sendInvitation({ email: 'late@example.com', organizationId: acme.id });
    equal((await users.revokeInvitation(second.id)).state, 'revoked');
  },
  'createEnvironmentRole, listEnvironmentRoles, listOrganizationRoles': async () => {
    await workos.authorization.createEnvironmentRole({ slug: 'editor', name: 'Editor' });
    equal(
      (await workos.authorization.listEnvironmentRoles()).data.map(({ slug }) => slug),
      ['editor'],
    );
    equal((await workos.authorization.listOrganizationRoles(acme.id)).data.length, 1);
  },
  'getAuthorizationUrl, the page, authenticateWithCode': async () => {
    const back = await throughThePage(
      users.getAuthorizationUrl({ provider: 'authkit', redirectUri: 'http://localhost:3000/callback', state: 'st' }),
    );
    equal(back.searchParams.get('state'), 'st');
    const { user, authenticationMethod } = await users.authenticateWithCode({ code: back.searchParams.get('code') });
    equal([user.email, authenticationMethod], [EMAIL, 'Password']);
    equal((await failure(users.authenticateWithCode({ code: back.searchParams.get('code') }))).error, 'invalid_grant');
  },
  'getAuthorizationUrlWithPKCE, authenticateWithCodeAndVerifier': async () => {
    const { url: asked, codeVerifier } = await users.getAuthorizationUrlWithPKCE({
      provider: 'authkit',
      redirectUri: 'http://localhost:3000/callback',
    });
    const back = await throughThePage(asked);
    equal(
      (await users.authenticateWithCodeAndVerifier({ code: back.searchParams.get('code'), codeVerifier })).user.email,
      EMAIL,
    );
  },
  getLogoutUrl: async () => {
    const { accessToken } = await signIn();
    const { sid } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url'));
    const { headers } = await fetch(users.getLogoutUrl({ sessionId: sid, returnTo: 'http://localhost:3000/bye' }), {
      redirect: 'manual',
    });
    equal(headers.get('location'), 'http://localhost:3000/bye');
    equal((await users.listSessions(ann.id)).data.find(({ id }) => id === sid)?.status, 'revoked');
  },
  'single sign-on: listConnections, getAuthorizationUrl, getProfileAndToken, getProfile, deleteConnection':
    async () => {
      const connection = await callJson('POST', '/api/v2/connections', {
        name: 'acme-saml',
        strategy: 'OktaSAML',
        options: { organization_id: acme.id },
      });
      equal((await workos.sso.listConnections()).data[0].type, 'OktaSAML');
      equal((await workos.sso.getConnection(connection.id)).organizationId, acme.id);
      await control('POST', '/exogenous/pins', {
        resource: 'interactions',
        path: 'profile',
        value: { sub: '00u1', email: 'joe@acme.example', email_verified: true, name: 'Joe' },
      });
      const asked = workos.sso.getAuthorizationUrl({
        connection: connection.id,
        redirectUri: 'http://localhost:3000/callback',
        clientId: 'web',
      });
      const first = await fetch(asked, { redirect: 'manual' });
      const second = await fetch(first.headers.get('location'), { redirect: 'manual' });
      const code = new URL(second.headers.get('location')).searchParams.get('code');
      const { profile, accessToken } = await workos.sso.getProfileAndToken({ code, clientId: 'web' });
      equal([profile.email, profile.idpId, profile.connectionType], ['joe@acme.example', '00u1', 'OktaSAML']);
      equal((await workos.sso.getProfile({ accessToken })).email, 'joe@acme.example');
      await workos.sso.deleteConnection(connection.id);
      equal((await workos.sso.listConnections()).data, []);
    },
  'listEvents, and webhooks.constructEvent of what an endpoint got': async () => {
    const { data } = await workos.events.listEvents({ events: ['user.created', 'organization.created'] });
    equal(new Set(data.map(({ event }) => event)), new Set(['user.created', 'organization.created']));
    const received = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => (text += part));
      request.on('end', () => {
        received.push({ text, signature: request.headers['workos-signature'] });
        response.end();
      });
    }).listen(0);
    const { secret } = await callJson('POST', '/webhook_endpoints', {
      endpoint_url: `http://localhost:${server.address().port}/`,
      events: ['user.updated'],
    });
    await users.updateUser({ userId: ann.id, lastName: 'Archer' });
    await control('POST', '/webhooks/flush');
    server.close();
    const [{ text, signature }] = received;
    const payload = JSON.parse(text);
    const { event, data: user } = await workos.webhooks.constructEvent({ payload, sigHeader: signature, secret });
    equal([event, user.id, user.lastName], ['user.updated', ann.id, 'Archer']);
    const forged = workos.webhooks.constructEvent({ payload: { ...payload, id: 'x' }, sigHeader: signature, secret });
    equal((await failure(forged)).name, 'SignatureVerificationException');
  },
  deleteOrganizationMembership: async () => {
    await users.deleteOrganizationMembership(member.id);
    equal((await users.listOrganizationMemberships({ userId: ann.id })).data, []);
  },
  'deleteOrganization and deleteUser': async () => {
    await workos.organizations.deleteOrganization(acme.id);
    await users.deleteUser(ann.id);
    equal((await failure(users.getUser(ann.id))).status, 404);
  },
};

/** Signs in at the page, without a browser. @returns the URL that it redirects to */
async function throughThePage(asked) {
  const page = (await fetch(asked, { redirect: 'manual' })).headers.get('location');
  const body = new URLSearchParams({ username: EMAIL, password: PASSWORD });
  const { headers } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  return new URL(headers.get('location'));
}

for (const [name, run] of Object.entries(CALLS)) await step(name, run);
