/** The official inspector, which also validates schemas, lists each pack's tools and calls one: over standard streams, and over Streamable HTTP. */
import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { equal, step } from './kit.mjs';

const { SANDBOX_COMMAND, SANDBOX_URL, SANDBOX_KEY } = process.env;
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const run = promisify(execFile);

/** A tool of each pack that needs no existing objects, and its arguments. */
const CALLS = {
  'bank-data': ['search_institutions', 'query=a', 'country_codes=["US"]', 'products=["transactions"]'],
  'code-hosting': ['get_me'],
  messaging: ['list_accounts'],
  payments: ['list_available_accounts_or_orgs'],
  'task-automation': ['list_agents'],
  'team-chat': ['slack_search_channels'],
};

const [pack] = process.argv.slice(2);
if (pack === undefined) {
  for (const each of Object.keys(CALLS)) {
    // Runs the inspector for each pack in a separate world.
    const line = [SANDBOX_COMMAND, 'exec', each, '--', process.execPath, fileURLToPath(import.meta.url), each];
    const child = spawn(process.execPath, line, { stdio: 'inherit' });
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) await step(each, () => equal(code, 0, 'exit code'));
  }
} else {
  const [tool, ...given] = CALLS[pack];
  const ways = {
    stdio: [process.execPath, SANDBOX_COMMAND, 'mcp', pack, '--as', 'vendor'],
    'Streamable HTTP': [`${SANDBOX_URL}/mcp`, '--header', `Authorization: Bearer ${SANDBOX_KEY}`],
  };
  for (const [way, target] of Object.entries(ways)) {
    await step(`${pack}: tools/list over ${way}`, async () => {
      const { tools } = await ask(target, '--method', 'tools/list', '--strict');
      equal(tools.map(({ name }) => name).includes(tool), true, `${tool} is one of ${tools.length} tools`);
    });
    await step(`${pack}: tools/call over ${way}`, async () => {
      const result = await ask(
        target,
        '--method',
        'tools/call',
        '--tool-name',
        tool,
        ...given.flatMap((each) => ['--tool-arg', each]),
      );
      equal(result.isError ?? false, false, result.content[0].text);
      JSON.parse(result.content[0].text);
    });
  }
}

/** Runs the inspector without the user's own settings, and returns its output. @throws Error with its error output if it fails */
async function ask(target, ...options) {
  const env = { ...process.env, HOME: process.cwd() };
  const { stdout } = await run(process.execPath, [INSPECTOR, '--cli', ...target, ...options], {
    env,
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout);
}
