/** Makes usual calls with the vendor's client `@workos-inc/node`, for its document. */
export default async function* (load, url, key) {
  const { WorkOS } = load('@workos-inc/node');
  const { hostname, port } = new URL(url);
  const client = new WorkOS(key, { apiHostname: hostname, port: Number(port), https: false, clientId: 'client_1' });
  const { organizations, userManagement: users } = client;
  const organization = await organizations.createOrganization({ name: 'Kites' }).catch(() => ({ id: 'none' }));
  yield ['createOrganization', () => organizations.createOrganization({ name: 'Wind' }), { name: 'Wind', id: String }];
  yield [
    'getOrganization',
    () => organizations.getOrganization(organization.id),
    { id: organization.id, name: 'Kites' },
  ];
  yield [
    'listOrganizations',
    async () => ({ some: (await organizations.listOrganizations()).data.length > 0 }),
    { some: true },
  ];
  yield [
    'updateOrganization',
    () => organizations.updateOrganization({ organization: organization.id, name: 'Boxes' }),
    { name: 'Boxes' },
  ];
  const ida = { email: 'ida@example.org', firstName: 'Ida' };
  const user = await users.createUser(ida).catch(() => ({ id: 'none' }));
  yield ['createUser', () => users.createUser({ email: 'ada@example.org', firstName: 'Ada' }), { firstName: 'Ada' }];
  yield ['getUser', () => users.getUser(user.id), { id: user.id, ...ida }];
  yield ['listUsers', async () => ({ some: (await users.listUsers()).data.length > 0 }), { some: true }];
  yield ['updateUser', () => users.updateUser({ userId: user.id, lastName: 'Fly' }), { id: user.id, lastName: 'Fly' }];
  const pair = { userId: user.id, organizationId: organization.id };
  const member = await users.createOrganizationMembership(pair).catch(() => ({ id: 'none' }));
  yield ['createOrganizationMembership', () => users.createOrganizationMembership(pair), pair];
  yield ['getOrganizationMembership', () => users.getOrganizationMembership(member.id), { id: member.id, ...pair }];
  yield [
    'deactivateOrganizationMembership',
    () => users.deactivateOrganizationMembership(member.id),
    { status: 'inactive' },
  ];
  yield [
    'reactivateOrganizationMembership',
    () => users.reactivateOrganizationMembership(member.id),
    { status: 'active' },
  ];
  const invited = await users.sendInvitation({ email: 'eda@example.org' }).catch(() => ({ id: 'none' }));
  yield ['sendInvitation', () => users.sendInvitation({ email: 'oda@example.org' }), { email: 'oda@example.org' }];
  yield ['getInvitation', () => users.getInvitation(invited.id), { id: invited.id, email: 'eda@example.org' }];
  yield ['revokeInvitation', () => users.revokeInvitation(invited.id), { id: invited.id, state: 'revoked' }];
  yield ['createMagicAuth', () => users.createMagicAuth({ email: 'ida@example.org' }), { email: 'ida@example.org' }];
  yield ['deleteUser', () => users.deleteUser(user.id), {}];
  yield ['deleteOrganization', () => organizations.deleteOrganization(organization.id), {}];
}
