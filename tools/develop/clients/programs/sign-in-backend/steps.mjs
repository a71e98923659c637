import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createClerkClient, verifyToken } from '@clerk/backend';
import { verifyWebhook } from '@clerk/backend/webhooks';
import { exportSPKI, importJWK } from 'jose';
import { Webhook } from 'svix';
import { callJson, control, equal, key, step, url } from './kit.mjs';

/* The client of a vendor whose customers manage users with a backend API and verify session tokens; its address is configurable. */

const publishableKey = `pk_test_${Buffer.from('clerk.example.com$').toString('base64')}`;
const clerk = createClerkClient({ apiUrl: url, secretKey: key, publishableKey });
const { users, organizations, sessions, invitations } = clerk;
const EMAIL = 'ann@example.com';
const PASSWORD = 'Correct-Horse-1';

/** Awaits a call that must fail, and returns its first error: status, code and parameter. */
const failure = (promise) =>
  promise.then(
    () => ['no error'],
    (error) => [
      error.status ?? error.name,
      error.errors?.[0]?.code ?? error.reason,
      error.errors?.[0]?.meta?.paramName,
    ],
  );
const ask = (headers, more) =>
  clerk.authenticateRequest(new Request('http://localhost:3000/', { headers }), { publishableKey, ...more });

const ann = await step('createUser', async () => {
  const made = await users.createUser({
    emailAddress: [EMAIL, 'ann@home.example'],
    phoneNumber: ['+15551234567'],
    password: PASSWORD,
    firstName: 'Ann',
    lastName: 'Admin',
    externalId: 'ann-1',
    username: 'ann',
    publicMetadata: { plan: 'pro' },
    privateMetadata: { note: 'x' },
    unsafeMetadata: { color: 'red' },
  });
  equal([made.primaryEmailAddress.emailAddress, made.emailAddresses.length, made.fullName], [EMAIL, 2, 'Ann Admin']);
  equal([made.passwordEnabled, made.banned, made.privateMetadata], [true, false, { note: 'x' }]);
  return made;
});
const bob = await users.createUser({ emailAddress: ['bob@example.com'], firstName: 'Bob' });
const acme = await step('createOrganization', () =>
  organizations.createOrganization({ name: 'Acme & Sons', createdBy: ann.id, publicMetadata: { tier: 1 } }),
);
const session = await step('createSession', () => sessions.createSession({ userId: ann.id }));
const inAcme = () => sessions.createSession({ userId: ann.id, activeOrganizationId: acme.id });
const tokenOf = async (id, ...more) => (await sessions.getToken(id, ...more)).jwt;

const CALLS = {
  getUser: async () => equal((await users.getUser(ann.id)).externalId, 'ann-1'),
  'getUserList: by email, phone, external id, username, query': async () => {
    const found = async (params) => (await users.getUserList(params)).data.map(({ id }) => id);
    equal(await found({ emailAddress: ['ann@home.example'] }), [ann.id]);
    equal(await found({ phoneNumber: ['+15551234567'] }), [ann.id]);
    equal(await found({ externalId: ['ann-1', 'nobody'] }), [ann.id]);
    equal(await found({ username: ['ann'] }), [ann.id]);
    equal(await found({ query: 'BOB' }), [bob.id]);
    equal(await found({ organizationId: [acme.id] }), [ann.id]);
    equal(await found({ orderBy: 'created_at', limit: 1 }), [ann.id]);
    equal(await found({ orderBy: '+email_address', limit: 1, offset: 1 }), [bob.id]);
    equal((await users.getUserList({ limit: 1 })).totalCount, 2);
  },
  getCount: async () => equal([await users.getCount(), await users.getCount({ query: 'ann' })], [2, 1]),
  'updateUser: names, username, primary email': async () => {
    const { firstName } = await users.updateUser(bob.id, { firstName: 'Robert', username: 'bob' });
    equal(firstName, 'Robert');
    const [, other] = ann.emailAddresses;
    const changed = await users.updateUser(ann.id, { primaryEmailAddressID: other.id });
    equal(changed.primaryEmailAddress.emailAddress, 'ann@home.example');
    const back = await users.updateUser(ann.id, { primaryEmailAddressID: ann.emailAddresses[0].id });
    equal([back.primaryEmailAddress.emailAddress, back.emailAddresses.length], [EMAIL, 2]);
  },
  'updateUserMetadata merges, null removes': async () => {
    const { publicMetadata, unsafeMetadata } = await users.updateUserMetadata(ann.id, {
      publicMetadata: { plan: null, role: 'boss' },
    });
    equal([publicMetadata, unsafeMetadata], [{ role: 'boss' }, { color: 'red' }]);
  },
  replaceUserMetadata: async () =>
    equal((await users.replaceUserMetadata(ann.id, { unsafeMetadata: { a: 1 } })).unsafeMetadata, { a: 1 }),
  'verifyPassword, a right and a wrong one': async () => {
    equal((await users.verifyPassword({ userId: ann.id, password: PASSWORD })).verified, true);
    equal(await failure(users.verifyPassword({ userId: ann.id, password: 'x' })), [
      422,
      'incorrect_password',
      undefined,
    ]);
  },
  'a taken email, a short password, nothing at all, a wrong parameter': async () => {
    equal(await failure(users.createUser({ emailAddress: [EMAIL] })), [422, 'form_identifier_exists', 'email_address']);
    equal(await failure(users.createUser({ emailAddress: ['c@example.com'], password: 'short' })), [
      422,
      'form_password_length_too_short',
      'password',
    ]);
    equal((await failure(users.createUser({})))[1], 'form_data_missing');
    equal(
      (await failure(users.createUser({ emailAddress: ['c@example.com'], colour: 'red' })))[1],
      'form_param_unknown',
    );
  },
  'getUser of nobody, a wrong key': async () => {
    equal(await failure(users.getUser('user_nobody')), [404, 'resource_not_found', undefined]);
    const wrong = createClerkClient({ apiUrl: url, secretKey: 'sk_test_wrong', publishableKey });
    equal((await failure(wrong.users.getUser(ann.id))).slice(0, 2), [401, 'clerk_key_invalid']);
  },
  'banUser ends sessions, unbanUser; lockUser, unlockUser': async () => {
    const { id } = await sessions.createSession({ userId: bob.id });
    equal((await users.banUser(bob.id)).banned, true);
    equal((await sessions.getSession(id)).status, 'ended');
    equal((await users.unbanUser(bob.id)).banned, false);
    equal((await users.lockUser(bob.id)).locked, true);
    equal((await users.unlockUser(bob.id)).locked, false);
  },
  'createEmailAddress, getEmailAddress, updateEmailAddress, deleteEmailAddress': async () => {
    const { emailAddresses } = clerk;
    const made = await emailAddresses.createEmailAddress({ userId: bob.id, emailAddress: 'bob@work.example' });
    equal([made.emailAddress, made.verification.status], ['bob@work.example', 'unverified']);
    equal((await emailAddresses.getEmailAddress(made.id)).id, made.id);
    const { verification } = await emailAddresses.updateEmailAddress(made.id, { verified: true, primary: true });
    equal(verification.status, 'verified');
    equal((await users.getUser(bob.id)).primaryEmailAddressId, made.id);
    equal((await emailAddresses.deleteEmailAddress(bob.emailAddresses[0].id)).deleted, true);
    equal((await users.getUser(bob.id)).emailAddresses.length, 1);
  },
  'createPhoneNumber, getPhoneNumber, deletePhoneNumber': async () => {
    const { phoneNumbers } = clerk;
    const made = await phoneNumbers.createPhoneNumber({ userId: bob.id, phoneNumber: '+15557654321', verified: true });
    equal((await phoneNumbers.getPhoneNumber(made.id)).phoneNumber, '+15557654321');
    await phoneNumbers.deletePhoneNumber(made.id);
    equal((await users.getUser(bob.id)).phoneNumbers, []);
  },
  'totp: created with a secret, verifyTOTP, disableUserMFA': async () => {
    const { id } = await users.createUser({ emailAddress: ['t@example.com'], totpSecret: 'JBSWY3DPEHPK3PXP' });
    equal((await users.getUser(id)).totpEnabled, true);
    const [{ code }] = (await callJson('GET', '/sandbox/factors')).filter(({ user_id }) => user_id === id);
    equal((await users.verifyTOTP({ userId: id, code })).verified, true);
    equal((await failure(users.verifyTOTP({ userId: id, code: '000000' })))[1], 'incorrect_totp');
    await users.disableUserMFA(id);
    equal((await users.getUser(id)).twoFactorEnabled, false);
    await users.deleteUser(id);
  },
  'getSession, getSessionList': async () => {
    equal((await sessions.getSession(session.id)).userId, ann.id);
    const { data, totalCount } = await sessions.getSessionList({ userId: ann.id, status: 'active' });
    equal([data[0].id, totalCount], [session.id, 1]);
    equal((await sessions.getSessionList({ clientId: session.clientId })).data.length, 1);
  },
  'getClient and getClientList': async () => {
    equal((await clerk.clients.getClient(session.clientId)).sessions[0].id, session.id);
    equal((await clerk.clients.getClientList()).totalCount > 0, true);
  },
  'getToken, verifyToken by the key set of the address': async () => {
    const jwt = await tokenOf(session.id);
    const claims = await verifyToken(jwt, { apiUrl: url, secretKey: key });
    equal([claims.sub, claims.sid, claims.v, claims.exp - claims.iat], [ann.id, session.id, 2, 60]);
  },
  'verifyToken by jwtKey, without a network': async () => {
    const { keys } = await clerk.jwks.getJwks();
    const jwtKey = await exportSPKI(
      await importJWK(
        keys.find(({ alg }) => alg === 'RS256'),
        'RS256',
      ),
    );
    equal((await verifyToken(await tokenOf(session.id), { jwtKey })).sub, ann.id);
    const forged = `${(await tokenOf(session.id)).slice(0, -6)}AAAAAA`;
    equal(await failure(verifyToken(forged, { jwtKey })), ['Error', 'token-invalid-signature', undefined]);
  },
  'authenticateRequest by the header': async () => {
    const state = await ask({ authorization: `Bearer ${await tokenOf(session.id)}` });
    equal([state.isAuthenticated, state.toAuth().userId, state.toAuth().orgId], [true, ann.id, undefined]);
    equal((await ask({})).status, 'signed-out');
  },
  'authenticateRequest by the cookie': async () => {
    const jwt = await tokenOf(session.id);
    const { iat } = JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url'));
    const suffix = createHash('sha1').update(publishableKey).digest('base64url').slice(0, 8);
    const cookie = `__session_${suffix}=${jwt}; __client_uat_${suffix}=${iat - 1}; __clerk_db_jwt_${suffix}=dev`;
    const state = await ask({ cookie });
    equal([state.status, state.reason, state.toAuth()?.userId], ['signed-in', null, ann.id]);
  },
  'authenticateRequest in an organization, with its role and permissions': async () => {
    await callJson('POST', '/v1/organization_roles', {
      name: 'Books',
      key: 'org:books',
      permissions: ['org:invoices:read', 'org:invoices:write', 'org:reports:read'],
    });
    await organizations.createOrganizationMembership({ organizationId: acme.id, userId: bob.id, role: 'org:books' });
    const { id } = await sessions.createSession({ userId: bob.id, activeOrganizationId: acme.id });
    const auth = (await ask({ authorization: `Bearer ${await tokenOf(id)}` })).toAuth();
    equal([auth.orgId, auth.orgSlug, auth.orgRole], [acme.id, 'acme-sons', 'org:books']);
    const has = ['org:invoices:read', 'org:invoices:write', 'org:reports:read', 'org:reports:write'].map((permission) =>
      auth.has({ permission }),
    );
    equal([...has, auth.has({ role: 'org:admin' })], [true, true, true, false, false]);
    await organizations.deleteOrganizationMembership({ organizationId: acme.id, userId: bob.id });
  },
  'authorizedParties, an expired token': async () => {
    const jwt = await tokenOf(session.id);
    equal((await failure(verifyToken(jwt, { apiUrl: url, secretKey: key, clockSkewInMs: 1 })))[0], 'no error');
    const headers = { authorization: `Bearer ${jwt}` };
    equal(
      (await ask(headers, { authorizedParties: ['https://other.example'] })).reason,
      'token-invalid-authorized-parties',
    );
    const later = { apiUrl: url, secretKey: key, clockSkewInMs: -120_000 };
    equal((await failure(verifyToken(jwt, later)))[1], 'token-expired');
  },
  'getToken by a template': async () => {
    await callJson('POST', '/v1/jwt_templates', {
      name: 'service',
      claims: { aud: 'service', mail: '{{user.primary_email_address}}', org: '{{org.slug}}' },
      lifetime: 120,
    });
    const { id } = await inAcme();
    const claims = JSON.parse(Buffer.from((await tokenOf(id, 'service')).split('.')[1], 'base64url'));
    equal([claims.aud, claims.mail, claims.org, claims.exp - claims.iat], ['service', EMAIL, 'acme-sons', 120]);
    equal((await failure(tokenOf(id, 'none')))[1], 'resource_not_found');
    equal((await clerk.jwtTemplates.list()).data[0].name, 'service');
    await sessions.revokeSession(id);
  },
  'revokeSession: no token any more': async () => {
    const { id } = await inAcme();
    equal((await sessions.revokeSession(id)).status, 'revoked');
    equal((await failure(tokenOf(id)))[0], 404);
  },
  'getOrganization by id and slug, getOrganizationList': async () => {
    equal((await organizations.getOrganization({ organizationId: acme.id })).membersCount, 1);
    equal((await organizations.getOrganization({ slug: 'acme-sons' })).id, acme.id);
    equal((await organizations.getOrganizationList({ query: 'ACME' })).data[0].slug, 'acme-sons');
    equal((await organizations.getOrganizationList({ userId: [bob.id] })).totalCount, 0);
  },
  'updateOrganization, updateOrganizationMetadata': async () => {
    equal((await organizations.updateOrganization(acme.id, { name: 'Acme' })).name, 'Acme');
    const { publicMetadata } = await organizations.updateOrganizationMetadata(acme.id, {
      publicMetadata: { tier: 2, x: 1 },
    });
    equal(publicMetadata, { tier: 2, x: 1 });
  },
  'memberships: create, list, update, metadata, the last manager, delete': async () => {
    const who = { organizationId: acme.id, userId: bob.id };
    const made = await organizations.createOrganizationMembership({ ...who, role: 'org:member' });
    equal(
      [made.role, made.publicUserData.userId, made.permissions],
      ['org:member', bob.id, ['org:sys_memberships:read']],
    );
    equal(
      (await failure(organizations.createOrganizationMembership({ ...who, role: 'org:member' })))[1],
      'already_a_member_in_organization',
    );
    equal((await failure(organizations.createOrganizationMembership({ ...who, role: 'org:king' })))[0], 404);
    const { data, totalCount } = await organizations.getOrganizationMembershipList({
      organizationId: acme.id,
      role: ['org:member'],
    });
    equal([data[0].publicUserData.userId, totalCount], [bob.id, 1]);
    equal((await users.getOrganizationMembershipList({ userId: bob.id })).data[0].organization.id, acme.id);
    equal((await organizations.updateOrganizationMembership({ ...who, role: 'org:admin' })).role, 'org:admin');
    const { publicMetadata } = await organizations.updateOrganizationMembershipMetadata({
      ...who,
      publicMetadata: { desk: 3 },
    });
    equal(publicMetadata, { desk: 3 });
    await organizations.deleteOrganizationMembership(who);
    equal(
      (await failure(organizations.deleteOrganizationMembership({ ...who, userId: ann.id })))[1],
      'organization_minimum_permissions_needed',
    );
  },
  'organization invitations: create, list, get, accept, revoke': async () => {
    const made = await organizations.createOrganizationInvitation({
      organizationId: acme.id,
      emailAddress: 'guest@example.com',
      role: 'org:member',
      inviterUserId: ann.id,
      publicMetadata: { from: 'invite' },
    });
    equal([made.status, made.roleName], ['pending', 'Member']);
    const again = { organizationId: acme.id, emailAddress: 'guest@example.com', role: 'org:member' };
    equal((await failure(organizations.createOrganizationInvitation(again)))[1], 'duplicate_record');
    const one = { organizationId: acme.id, invitationId: made.id };
    equal((await organizations.getOrganizationInvitation(one)).emailAddress, 'guest@example.com');
    await control('POST', '/world/events', { cause: 'invitation.accepted', params: { invitation_id: made.id } });
    equal((await organizations.getOrganizationInvitation(one)).status, 'accepted');
    const { data } = await organizations.getOrganizationMembershipList({ organizationId: acme.id, query: 'guest' });
    equal([data[0].role, data[0].publicMetadata], ['org:member', { from: 'invite' }]);
    const late = await organizations.createOrganizationInvitation({ ...again, emailAddress: 'late@example.com' });
    const gone = { organizationId: acme.id, invitationId: late.id, requestingUserId: ann.id };
    equal((await organizations.revokeOrganizationInvitation(gone)).status, 'revoked');
    equal((await failure(organizations.revokeOrganizationInvitation(gone)))[1], 'organization_invitation_not_pending');
    equal(
      (await organizations.getOrganizationInvitationList({ organizationId: acme.id, status: ['accepted'] })).totalCount,
      1,
    );
    const bulk = [
      { emailAddress: 'x@example.com', role: 'org:member' },
      { emailAddress: 'y@example.com', role: 'org:member' },
    ];
    equal((await organizations.createOrganizationInvitationBulk(acme.id, bulk)).data.length, 2);
  },
  'max members': async () => {
    await organizations.updateOrganization(acme.id, { maxAllowedMemberships: 2 });
    equal(
      await failure(
        organizations.createOrganizationMembership({ organizationId: acme.id, userId: bob.id, role: 'org:member' }),
      ),
      [403, 'organization_membership_quota_exceeded', undefined],
    );
  },
  'createInvitation, getInvitationList, revokeInvitation': async () => {
    const made = await invitations.createInvitation({
      emailAddress: 'new@example.com',
      publicMetadata: { beta: true },
    });
    equal([made.status, made.publicMetadata], ['pending', { beta: true }]);
    equal((await failure(invitations.createInvitation({ emailAddress: 'new@example.com' })))[1], 'duplicate_record');
    equal((await failure(invitations.createInvitation({ emailAddress: EMAIL })))[1], 'form_identifier_exists');
    equal((await invitations.getInvitationList({ status: 'pending' })).totalCount, 1);
    await control('POST', '/world/events', { cause: 'invitation.accepted', params: { invitation_id: made.id } });
    equal((await users.getUserList({ emailAddress: ['new@example.com'] })).data[0].publicMetadata, { beta: true });
    const late = await invitations.createInvitation({ emailAddress: 'later@example.com' });
    equal((await invitations.revokeInvitation(late.id)).status, 'revoked');
    equal(
      (await invitations.createInvitationBulk([{ emailAddress: 'p@example.com' }, { emailAddress: 'q@example.com' }]))
        .length,
      2,
    );
  },
  'createSignInToken: its address signs in once, with a session token as cookie': async () => {
    const made = await clerk.signInTokens.createSignInToken({ userId: ann.id, expiresInSeconds: 60 });
    equal(made.status, 'pending');
    const to = `${made.url}&redirect_url=${encodeURIComponent('http://localhost:3000/home')}`;
    const { status, headers } = await fetch(to, { redirect: 'manual' });
    equal([status, headers.get('location')], [302, 'http://localhost:3000/home']);
    const jwt = /__session=([^;]+)/.exec(headers.getSetCookie().join('\n'))[1];
    equal((await ask({ authorization: `Bearer ${jwt}` })).toAuth().userId, ann.id);
    equal((await fetch(to, { redirect: 'manual' })).status, 400);
    const other = await clerk.signInTokens.createSignInToken({ userId: ann.id });
    equal((await clerk.signInTokens.revokeSignInToken(other.id)).status, 'revoked');
    const wrong = await clerk.signInTokens.createSignInToken({ userId: ann.id });
    equal((await fetch(`${wrong.url}&redirect_url=https://evil.example`, { redirect: 'manual' })).status, 422);
  },
  'createActorToken: the session says who acts': async () => {
    const made = await clerk.actorTokens.create({ userId: ann.id, actor: { sub: bob.id }, expiresInSeconds: 60 });
    const { headers } = await fetch(made.url, { redirect: 'manual' });
    const jwt = /__session=([^;]+)/.exec(headers.getSetCookie().join('\n'))[1];
    equal((await ask({ authorization: `Bearer ${jwt}` })).toAuth().actor, { sub: bob.id });
  },
  'webhooks: verifyWebhook and svix of what an endpoint got': async () => {
    const received = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => (text += part));
      request.on('end', () => {
        received.push({ text, headers: request.headers });
        response.end();
      });
    })
      .listen(0)
      .unref();
    const { secret } = await control('POST', '/webhooks/endpoints', {
      url: `http://localhost:${server.address().port}/`,
      events: ['user.updated', 'organizationMembership.created', 'session.created', 'user.deleted'],
    });
    await users.updateUser(ann.id, { lastName: 'Archer' });
    await organizations.createOrganization({ name: 'Other', createdBy: bob.id });
    await sessions.createSession({ userId: ann.id });
    const { id } = await users.createUser({ emailAddress: ['gone@example.com'] });
    await users.deleteUser(id);
    await control('POST', '/webhooks/flush');
    server.close();
    const types = received.map(({ text }) => JSON.parse(text).type);
    equal([...types].sort(), ['organizationMembership.created', 'session.created', 'user.deleted', 'user.updated']);
    const { text, headers } = received[types.indexOf('user.updated')];
    const event = await verifyWebhook(new Request('http://localhost/', { method: 'POST', body: text, headers }), {
      signingSecret: secret,
    });
    equal([event.type, event.data.id, event.data.last_name], ['user.updated', ann.id, 'Archer']);
    equal(new Webhook(secret).verify(text, headers).object, 'event');
    const forged = new Request('http://localhost/', { method: 'POST', body: `${text} `, headers });
    equal((await failure(verifyWebhook(forged, { signingSecret: secret })))[0] === 'no error', false);
    equal(JSON.parse(received[types.indexOf('user.deleted')].text).data, { object: 'user', id, deleted: true });
  },
  'deleteOrganization, deleteUser': async () => {
    equal((await organizations.deleteOrganization(acme.id)).deleted, true);
    equal((await users.deleteUser(ann.id)).deleted, true);
    equal((await failure(users.getUser(ann.id)))[0], 404);
  },
};

for (const [name, run] of Object.entries(CALLS)) await step(name, run);
