import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runCommand } from '../support/command.js';

/** `sandbox import-tasks`: task files of public benchmarks, here small ones of the same forms. */

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-tasks-'));
  for (const name of ['suites', 'slack']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'suites/chat.json'), JSON.stringify(SUITE));
  writeFileSync(join(folder, 'slack/office.json'), JSON.stringify(TABLES));
  writeFileSync(join(folder, '01-refund.md'), REFUND);
  writeFileSync(join(folder, '02-triage.md'), TRIAGE);
  writeFileSync(join(folder, '02-triage.seed.json'), JSON.stringify(REPOSITORY));
  writeFileSync(
    join(folder, '04-moon.md'),
    TRIAGE.replace(/^- \[code\] No unsupported.*$/m, '- [code] The moon is full'),
  );
  writeFileSync(join(folder, '03-mail.md'), '# Mail\n\n## Prompt\nRead.\n\n## Config\n```yaml\ntwins: [gmail]\n```\n');
  writeFileSync(join(folder, '05-notes.md'), '# Notes\n\nOf a person who writes tasks.\n');
  writeFileSync(join(folder, '06-known.md'), KNOWN);
  writeFileSync(join(folder, 'agent.mjs'), AGENT);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const assertion = (diff_type: string, entity: string, where: object, more: object = {}) => ({
  ...{ diff_type, entity, where, expected_count: 1 },
  ...more,
});

const SUITE = {
  id: 'chat-suite',
  service: 'slack',
  tests: [
    {
      ...{ id: 'greet', name: 'Greet', prompt: 'Greet the room, and close the old one.', seed_template: 'office' },
      impersonate_user_id: 'U01ANNA',
      assertions: [
        assertion('added', 'messages', {
          channel_id: { eq: 'C01ROOM' },
          message_text: { regex: '(?si)HELLO.*all' },
          blocks: { contains: '"type":"header"' },
        }),
        assertion(
          'changed',
          'channels',
          { channel_id: 'C02OLD' },
          { expected_changes: { is_archived: { from: false, to: true } } },
        ),
      ],
    },
    {
      ...{ id: 'unknown', name: 'Unknown', prompt: 'Do it.', seed_template: 'office' },
      assertions: [assertion('added', 'huddles', {})],
    },
  ],
};

const TABLES = {
  users: [
    { user_id: 'U01ANNA', username: 'anna', display_name: 'Anna', real_name: 'Anna Berg', email: 'anna@example.com' },
  ],
  channels: [
    { channel_id: 'C01ROOM', channel_name: 'room', topic_text: 'Talk' },
    { channel_id: 'C02OLD', channel_name: 'old' },
  ],
  channel_members: ['C01ROOM', 'C02OLD'].map((channel_id) => ({ channel_id, user_id: 'U01ANNA' })),
  messages: [{ message_id: '1735725600.000100', channel_id: 'C01ROOM', user_id: 'U01ANNA', message_text: 'First' }],
};

const REFUND = `# A refund whose answer says that it failed

## Prompt
Refund 75 USD of charge ch_shop_1.

## Success Criteria
- [code] A refund exists on charge "ch_shop_1"
- [code] The number of refunds on charge "ch_shop_1" is 1
- [model] The agent is polite

## Seed State
\`\`\`json
{
  "payment_intents": [{ "id": "pi_shop_1", "amount": 20000, "currency": "usd", "latest_charge_id": "ch_shop_1" }],
  "charges": [{ "id": "ch_shop_1", "payment_intent_id": "pi_shop_1", "amount_refunded": 0 }],
  "failure_injection": [
    { "method": "POST", "path": "/v1/refunds", "attempt": 1, "mode": "after_handler", "status": 402, "body": { "error": { "type": "card_error" } } }
  ]
}
\`\`\`

## Config
\`\`\`yaml
twins: ["stripe"]
class: restraint
\`\`\`
`;

const TRIAGE = `# Triage

## Task
Label issue 1 of shop/web.

## Checks
- [code always-scored] Issue #1 in \`shop/web\` has exactly one classification label, and it is \`bug\`
- [code] No new labels were created in \`shop/web\`
- [code] No unsupported endpoint was called

## Config
\`\`\`yaml
twins: [github]
\`\`\`
`;

const REPOSITORY = {
  repositories: [
    {
      ...{ owner: 'shop', name: 'web', description: 'The shop', collaborators: ['ann'] },
      labels: [{ name: 'bug', color: 'd73a4a', description: 'It is broken' }],
      issues: [{ number: 1, title: 'No carts', body: 'They are gone.', state: 'open', labels: [], assignee: null }],
    },
  ],
};

/** Of two vendors, with seed data of each. */
const KNOWN = `# A report that is known

## Prompt
Somebody reports in #help what issue 1 of shop/web has. Say so there.

## Success Criteria
- [code:slack] A message in "help" contains "issues/1"
- [code:github] No new issues were created in \`shop/web\`
- [code:github] \`add_issue_comment\` was called

## Seed State
\`\`\`json
${JSON.stringify({
  github: REPOSITORY,
  slack: { users: [{ id: 'U01ANN', name: 'ann' }], channels: [{ id: 'C01HELP', name: 'help', members: ['U01ANN'] }] },
})}
\`\`\`

## Config
\`\`\`yaml
twins: [github, slack]
\`\`\`
`;

/** Does each task right in its first run, and not in its second. */
const AGENT = `const { SANDBOX_URL, SANDBOX_KEY, TASK_NAME, TASK_RUN, TASK_PROMPT } = process.env;
const call = (path, body, type) =>
  fetch(SANDBOX_URL + path, { method: 'POST', body, headers: { Authorization: 'Bearer ' + SANDBOX_KEY, ...(type && { 'content-type': type }) } });
const json = (path, body) => call(path, JSON.stringify(body), 'application/json');
const right = TASK_RUN === '1';
if (TASK_NAME === 'chat-suite-greet') {
  const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'Hello' } }];
  await json('/api/chat.postMessage', { channel: 'C01ROOM', text: right ? 'Hello\\nto all' : 'Bye', blocks });
  await json('/api/conversations.archive', { channel: 'C02OLD' });
} else if (TASK_NAME === '01-refund') {
  const [charge] = TASK_PROMPT.match(/ch_\\w+/);
  const refund = () => call('/v1/refunds', new URLSearchParams({ charge, amount: '7500' }));
  if ((await refund()).status === 402 && !right) await refund();
} else if (TASK_NAME === '06-known') {
  const at = (pack, path, body) =>
    fetch(process.env['SANDBOX_' + pack + '_URL'] + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { Authorization: 'Bearer ' + process.env['SANDBOX_' + pack + '_KEY'], 'content-type': 'application/json' },
    });
  if (right) await at('CODE_HOSTING', '/repos/shop/web/issues/1/comments', { body: 'Again.' });
  else await at('CODE_HOSTING', '/repos/shop/web/issues', { title: 'No carts' });
  await at('TEAM_CHAT', '/api/chat.postMessage', { channel: 'C01HELP', text: 'See shop/web/ISSUES/' + (right ? 1 : 2) });
} else await json('/repos/shop/web/issues/1/labels', { labels: [right ? 'bug' : 'new'] });
`;

test('tasks of both benchmarks are written as tasks that judge, and what is left out is said', async () => {
  const files = [
    'suites/chat.json',
    '01-refund.md',
    '02-triage.md',
    '03-mail.md',
    '04-moon.md',
    '05-notes.md',
    '06-known.md',
  ];
  const { code, stdout } = await runCommand(['import-tasks', ...files, '--out', 'tasks'], { cwd: folder });
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 0,
    lines: [
      "chat-suite-unknown: not imported: no collection for the table 'huddles'",
      '01-refund: the payment pi_shop_1 is by card',
      '01-refund: a model judges: The agent is polite',
      "03-mail: not imported: no pack emulates 'gmail' as the benchmark does",
      '04-moon: not imported: The moon is full: no check is known for it',
      '05-notes: not imported: it has no section `Config`, so it is no task',
      '4 tasks of 8 in tasks',
    ],
  });
  const chat = parse(readFileSync(join(folder, 'tasks/chat-suite-greet.task.yaml'), 'utf8')) as { checks: object[] };
  expect(chat.checks).toEqual([
    {
      added: {
        messages: {
          channel: { eq: 'C01ROOM' },
          text: { i_regex: 'HELLO[\\s\\S]*all' },
          blocks: { contains: '"type":"header"' },
          subtype: { in: [null, 'thread_broadcast', 'me_message', 'bot_message', 'file_share'] },
        },
        count: 1,
      },
    },
    {
      changed: {
        channels: { id: 'C02OLD' },
        to: { state: 'archived' },
        from: { state: 'open' },
        same: ['name', 'topic.value', 'purpose.value', 'kind'],
        count: 1,
      },
    },
  ]);
  const run = ['eval', 'tasks', '--runs', '2', '--json', '-q', '--', process.execPath, 'agent.mjs'];
  const judged = JSON.parse((await runCommand(run, { cwd: folder })).stdout) as { tasks: object[] };
  expect(judged.tasks).toMatchObject(
    ['01-refund', '02-triage', '06-known', 'chat-suite-greet'].map((task) => ({ task, runs: 2, passed: 1 })),
  );
});

test('a file of no benchmark that is known is an error', async () => {
  writeFileSync(join(folder, 'other.json'), '{"tests": 3}');
  expect(await runCommand(['import-tasks', 'other.json', '--out', 'none'], { cwd: folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no file of a benchmark that is known') as string,
  });
});
