import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { callTool, connect, disconnectAll, toolNames } from '../support/mcp.js';
import { ROOT } from '../support/root.js';
import { useSandboxes } from '../support/start-sandbox.js';

/** Every shipped pack as tools for the official client, over Streamable HTTP and over standard input and output. */

const sandboxes = useSandboxes({ t0: '2026-01-01', seed: 'tools' });
afterEach(disconnectAll);

/** A call that works in an empty world of each pack; tools that only read, and one that does not. */
const PACKS: Readonly<
  Record<string, { call: [string, object?]; has: object; reads: readonly string[]; writes: string }>
> = {
  'bank-data': {
    call: ['get_institution', { count: 1, offset: 0, country_codes: ['US'] }],
    has: { institutions: [{ country_codes: ['US'] }] },
    reads: ['search_institutions', 'get_link_token'],
    writes: 'create_link_token',
  },
  'code-hosting': { call: ['get_me'], has: { type: 'User' }, reads: ['get_me'], writes: 'issue_write' },
  identity: {
    call: ['retrieve_client', { id: 'web' }],
    has: { name: 'Web application' },
    reads: ['list_users', 'retrieve_client'],
    writes: 'create_user',
  },
  mail: {
    call: ['list_domains'],
    has: { data: [{ status: 'verified' }] },
    reads: ['list_emails', 'retrieve_domain'],
    writes: 'create_email',
  },
  messaging: {
    call: ['list_accounts'],
    has: { accounts: [{ status: 'active' }] },
    reads: ['list_accounts'],
    writes: 'create_message',
  },
  models: {
    call: ['list_models'],
    has: { object: 'list' },
    reads: ['list_models', 'retrieve_model'],
    writes: 'create_chat_completion',
  },
  payments: {
    call: ['list_available_accounts_or_orgs'],
    has: { accounts: [{ livemode: false }] },
    reads: ['stripe_api_read', 'stripe_api_search'],
    writes: 'stripe_api_write',
  },
  'task-automation': {
    call: ['list_tasks'],
    has: { data: [] },
    reads: ['list_tasks', 'retrieve_task_run'],
    writes: 'create_task_run',
  },
  'team-chat': {
    call: ['slack_search_channels'],
    has: { results: [{ id: 'C0GENERAL' }] },
    reads: ['slack_read_channel', 'slack_search_users'],
    writes: 'slack_send_message',
  },
};

test('each shipped pack is in the table', () => {
  expect(readdirSync(join(ROOT, 'packs')).sort()).toEqual(Object.keys(PACKS));
});

describe.each(Object.entries(PACKS))('%s', (pack, { call: [name, args], has, reads, writes }) => {
  test('over Streamable HTTP: a short list, a call, tools that only read, every operation on request', async () => {
    const sandbox = await sandboxes.serve({ pack });
    const client = await connect(sandbox);
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools).length).toBeLessThan(24 * 1024);
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[\w-]{1,64}$/);
      expect(tool.description?.length).toBeGreaterThan(5);
    }
    const { isError, body } = await callTool(client, name, args as Readonly<Record<string, unknown>>);
    expect({ isError, body }).toMatchObject({ isError: false, body: has });
    const readers = await toolNames(await connect(sandbox, '?readonly=1'));
    expect(readers).toEqual(expect.arrayContaining([...reads]));
    expect(tools.map((tool) => tool.name)).toContain(writes);
    expect(readers).not.toContain(writes);
    const all = await (await connect(sandbox, '?toolsets=all&depth=1')).listTools();
    expect(all.tools.length).toBeGreaterThanOrEqual(tools.length);
  });

  test('over standard input and output: the same tools, the same results', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const command = [join(ROOT, 'dist', 'app', 'cli.cjs'), 'mcp', pack, '--as', 'vendor', '--read-only'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args: command, cwd: ROOT }));
    try {
      const readers = await toolNames(client);
      expect(readers).toEqual(expect.arrayContaining([...reads]));
      expect(readers).not.toContain(writes);
      if (readers.includes(name))
        expect(await callTool(client, name, args as Readonly<Record<string, unknown>>)).toMatchObject({
          isError: false,
          body: has,
        });
    } finally {
      await client.close();
    }
  });
});
