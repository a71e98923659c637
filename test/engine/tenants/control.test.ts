import { startSandbox } from '../../support/start-sandbox.js';

/** A printer's shop, invented: each organisation has its own settings, under the same id, and jobs whose mood is decided outside. */
const FILES = {
  'pack.yaml': `timestamps: unix
ids: { short: { parts: [{ random: 6 }] } }
auth: { schemes: [bearer], key: { prefix: ink_, random: 8 } }
tenants: { resource: org, home: org_main, headers: [X-Org] }
lists: { envelope: { data: "\${data}" } }
`,
  'resources/org.yaml': `resource: org
collection: orgs
path: /orgs
id: { prefix: org_, format: short }
fields: { name: string, mood: "string?" }
pins: { mood: { at: always } }
operations: { create: { params: { name: string } } }
`,
  'resources/job.yaml': `resource: job
collection: jobs
path: /jobs
id: { prefix: job_, format: short }
fields: { mood: { type: string, default: calm }, seen: { type: string, nullable: true }, settings: "string?" }
pins: { mood: { at: created }, fate: { at: created, type: string } }
operations:
  create: { do: [{ create: job, with: { seen: "\${pinned(job, 'fate')}" }, as: made }, { return: "\${made}" }] }
  retrieve: {}
  loud:
    route: POST /jobs/{id}/loud
    do: [{ pin: fate, value: loud }]
  listen:
    route: POST /jobs/{id}/listen
    do: [{ set: self, to: { seen: "\${pinned(self, 'fate')}" } }]
`,
  'resources/settings.yaml': `resource: settings
collection: settings
path: /settings
singleton: true
fields: { id: { type: string, internal: true }, colour: { type: string, default: grey } }
pins: { colour: { at: seed } }
operations: { retrieve: {}, update: { params: { colour: string } } }
`,
};
const ERRORS =
  '  tenant_unknown: { status: 403, args: { tenant: string, key: string }, body: { error: no_such_org } }\n';

type Told = Record<string, unknown>;

describe('tenants in the control API', () => {
  const options = { errors: ERRORS, key: 'ink_a', seed: 'printers', t0: '2026-01-01T00:00:00Z' };
  const sandbox = startSandbox(FILES, { each: 'test', ...options });
  let orgs: readonly [string, string];

  async function call(line: string, body?: unknown, org?: string): Promise<Told & { readonly status: number }> {
    const response = await sandbox.call(line, body, { 'X-Org': org });
    return { ...response.body, status: response.status };
  }

  const control = (line: string, body?: unknown): ReturnType<typeof call> =>
    call(line.replace(' ', ' /__admin__'), body);
  const pin = (body: object): ReturnType<typeof call> => control('POST /exogenous/pins', body);
  const code = ({ status, error }: Told): unknown => [status, (error as Told | undefined)?.['code']];

  /** What jobs of nobody and of both organisations are made like. */
  const made = async (field: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const org of [undefined, ...orgs]) found.push((await call('POST /jobs', {}, org))[field]);
    return found;
  };

  beforeEach(async () => {
    const one = await call('POST /orgs', { name: 'A' });
    const two = await call('POST /orgs', { name: 'B' });
    orgs = [String(one['id']), String(two['id'])];
  });

  test('a pin may name a tenant; one that names none is for the objects of everybody', async () => {
    await pin({ resource: 'jobs', path: 'mood', value: 'all' });
    const { id, tenant } = await pin({ resource: 'jobs', tenant: orgs[0], path: 'mood', value: 'first' });
    expect(tenant).toBe(orgs[0]);
    expect(await made('mood')).toEqual(['all', 'first', 'all']);
    expect((await pin({ resource: 'jobs', tenant: 'none', path: 'mood', value: 'own' }))['tenant']).toBe('none');
    expect(await made('mood')).toEqual(['own', 'first', 'all']);
    await pin({ resource: 'jobs', tenant: 'org_main', path: 'fate', value: 'rain' });
    expect(await made('seen')).toEqual(['rain', null, null]);
    await control(`DELETE /exogenous/pins/${String(id)}`);
    expect(await made('mood')).toEqual(['own', 'all', 'all']);
  });

  test("a pin of what each tenant has under the same id changes the named tenant's at once, and moves with the world", async () => {
    const colours = async (): Promise<unknown[]> =>
      Promise.all([undefined, ...orgs].map(async (org) => (await call('GET /settings', undefined, org))['colour']));
    expect((await pin({ resource: 'settings', tenant: orgs[1], path: 'colour', value: 'blue' })).status).toBe(201);
    expect(await colours()).toEqual(['grey', 'grey', 'blue']);
    await control('POST /moments', { name: 'blue' });
    await pin({ resource: 'settings', path: 'colour', value: 'red' });
    expect(await colours()).toEqual(['red', 'red', 'red']);
    await control('POST /rewind', { to: 'blue' });
    expect(await colours()).toEqual(['grey', 'grey', 'blue']);
    expect((await control('GET /exogenous/pins'))['data']).toEqual([
      expect.objectContaining({ resource: 'settings', tenant: orgs[1], value: 'blue' }),
    ]);
  });

  test('an object, its state and how it came about are those of the tenant that is asked for', async () => {
    await call('PATCH /settings', { colour: 'green' }, orgs[0]);
    const shown = async (query: string): Promise<unknown[]> => {
      const { tenant, also_of, value, history } = await control(`GET /objects/settings${query}`);
      return [tenant, also_of, (value as Told)['colour'], (history as Told[]).length];
    };
    expect(await shown('')).toEqual([undefined, [...orgs].sort(), 'grey', 0]);
    expect(await shown('?tenant=none')).toEqual([undefined, undefined, 'grey', 0]);
    expect(await shown(`?tenant=${orgs[0]}`)).toEqual([orgs[0], undefined, 'green', 2]);
    expect(await shown(`?tenant=${orgs[1]}`)).toEqual([orgs[1], undefined, 'grey', 1]);
    const why = await control(`GET /why?object=settings&field=colour&tenant=${orgs[0]}`);
    expect([why['value'], (why['chain'] as Told[])[0]['command']]).toEqual(['green', 'settings.update']);
    expect((await control('GET /why?object=settings&field=colour'))['value']).toBe('grey');
    expect(await control(`GET /state?tenant=${orgs[0]}&resource=settings`)).toMatchObject({
      resources: {},
      tenants: { [orgs[0]]: { resources: { settings: [{ colour: 'green' }] } } },
    });
    expect(await control('GET /state?tenant=none')).not.toHaveProperty('tenants');
  });

  test('a pin that a pack sets holds for the object of its tenant alone', async () => {
    const { id } = await call('POST /jobs', {}, orgs[0]);
    for (const tenant of [orgs[1], null]) {
      const job = { id, mood: 'calm', seen: null };
      const seed =
        tenant === null
          ? { resources: { jobs: [job] } }
          : { resources: {}, tenants: { [tenant]: { resources: { jobs: [job] } } } };
      expect((await control('POST /seed', seed)).status).toBe(200);
    }
    await call(`POST /jobs/${String(id)}/loud`, {}, orgs[0]);
    const heard = async (org?: string): Promise<unknown> =>
      (await call(`POST /jobs/${String(id)}/listen`, {}, org))['seen'];
    expect([await heard(), await heard(orgs[0]), await heard(orgs[1])]).toEqual([null, 'loud', null]);
  });

  test('what names no tenant is refused', async () => {
    const unknown = [404, 'unknown_tenant'];
    expect(code(await pin({ resource: 'jobs', tenant: 'org_x', path: 'mood', value: 'x' }))).toEqual(unknown);
    for (const line of [
      '/objects?resource=jobs&',
      '/objects/settings?',
      '/state?',
      '/why?object=settings&field=colour&',
    ])
      expect(code(await control(`GET ${line}tenant=org_x`))).toEqual(unknown);
    expect(code(await control(`GET /objects/job_none?tenant=${orgs[0]}`))).toEqual([404, 'unknown_object']);
    const shared = await pin({ resource: 'orgs', tenant: orgs[0], path: 'mood', value: 'x' });
    expect(code(shared)).toEqual([422, 'not_pinnable']);
    expect((await pin({ resource: 'orgs', id: orgs[0], path: 'mood', value: 'x' })).status).toBe(201);
  });
});
