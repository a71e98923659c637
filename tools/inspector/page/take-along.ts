import { ADMIN } from './api.js';
import { prettyBody } from './text.js';
import type { Exchange, Pack, Trace } from './types.js';

/** Formats a call as a JavaScript test that expects the same status. */
export function testOf(pack: Pack, { request, status }: Trace, { url, request: sent }: Exchange): string {
  const type = sent.headers['content-type'];
  const lines = [
    `import { createSandbox } from '@vendor-sandbox/sandbox';`,
    `import { expect, test } from 'vitest';`,
    '',
    `test('${request.method} ${request.path} returns ${status}', async () => {`,
    `  const sandbox = await createSandbox({ pack: '${pack.name}' });`,
    '  // Create what the call needs here.',
    `  const response = await fetch(sandbox.url + ${JSON.stringify(url)}, {`,
    `    method: '${request.method}',`,
    `    headers: { Authorization: \`Bearer \${sandbox.key}\`${type === undefined ? '' : `, 'Content-Type': '${type}'`} },`,
    ...(sent.body ? [`    body: ${JSON.stringify(sent.body)},`] : []),
    '  });',
    `  expect(response.status).toBe(${status});`,
    '  await sandbox.close();',
    '});',
  ];
  return lines.join('\n');
}

/** Formats a call as a Markdown task, for a colleague or an agent. */
export function taskOf(trace: Trace, { request, response }: Exchange, curl: string): string {
  const { method, path } = trace.request;
  const decided = trace.fault ?? trace.scenario ?? trace.magic_values.at(0);
  const block = (text: string): string => `\`\`\`\n${text}\n\`\`\``;
  return [
    `# ${method} ${path} returned ${trace.status}`,
    `- Operation: ${trace.operation ?? 'unknown'}`,
    `- Decided by: ${trace.outcome.replaceAll('_', ' ')}${decided === undefined ? '' : ` (${decided})`}`,
    ...(trace.error === null ? [] : [`- Error: ${trace.error}`]),
    ...trace.transitions.map(({ id, from, to }) => `- ${id}: ${from} → ${to}`),
    `- Trace: ${location.origin}${ADMIN}/#/timeline/${trace.id}`,
    '',
    '## Request',
    block(prettyBody(request.body ?? '', request.headers['content-type'])),
    '## Response',
    block(prettyBody(response.body ?? '', response.headers['content-type'])),
    '## Repeat it',
    block(curl),
  ].join('\n');
}
