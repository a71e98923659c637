/**
 * Compares the tools of official servers and of packs: a step is a tool that both have, and passes if the pack's tool has all parameters that the
 * official one requires. `table.md` in the program's folder lists every tool.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { equal, step } from './kit.mjs';

const { SANDBOX_COMMAND } = process.env;
const node = (...args) => ({ command: process.execPath, args, env: { ...process.env, ...TOKENS } });
const TOKENS = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_TEAM_ID: 'T1' };

async function toolsOf(server) {
  const client = new Client({ name: 'names', version: '1' });
  await client.connect(new StdioClientTransport(server));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

const SNAPS = 'pkg/github/__toolsnaps__';
const official = {
  payments: await toolsOf(node('node_modules/@stripe/mcp/dist/index.js', '--tools=all', '--api-key=sk_test_1')),
  'code-hosting': readdirSync(SNAPS).map((file) => JSON.parse(readFileSync(join(SNAPS, file), 'utf8'))),
  'team-chat': await toolsOf(node('node_modules/@modelcontextprotocol/server-slack/dist/index.js')),
};

const lines = [];
for (const [pack, theirs] of Object.entries(official)) {
  const ours = await toolsOf(node(SANDBOX_COMMAND, 'mcp', pack, '--as', 'vendor', '--toolsets', 'all'));
  const missing = [];
  lines.push(`## ${pack}`, '', '| Tool | Its parameters that are here | Not here |', '|---|---|---|');
  for (const { name, inputSchema } of theirs.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const here = ours.find((tool) => tool.name === name);
    if (!here) {
      missing.push(name);
      continue;
    }
    const names = Object.keys(inputSchema.properties ?? {});
    const left = names.filter((each) => !(each in (here.inputSchema.properties ?? {})));
    const required = (inputSchema.required ?? []).filter((each) => left.includes(each));
    const shown = left.map((each) => `\`${each}\``).join(', ');
    lines.push(`| \`${name}\` | ${names.length - left.length} of ${names.length} | ${shown} |`);
    await step(`${pack}: ${name}`, async () => equal(required, [], 'required parameters that are not here'));
  }
  const more = missing.map((each) => `\`${each}\``).join(', ');
  lines.push('', `${theirs.length - missing.length} of ${theirs.length} tools.${more && ` Not here: ${more}.`}`, '');
}
writeFileSync('table.md', lines.join('\n'));
process.exit(0);
