import { stringify } from 'yaml';
import { ownVersion } from '../command/installation.js';
import { type AboutEnvironment, specFile, specName, taskList } from './documents.js';

/** Port on which a space's container serves. */
const PORT = 8000;

/** Formats the card of a rollout data set: its data file, and the results. */
export function datasetCard(name: string, runs: number, reward: number, passRate: number): string {
  const head = {
    configs: [{ config_name: 'default', data_files: [{ split: 'train', path: 'results.jsonl' }] }],
    tags: ['openenv', 'agents', 'tool-calling'],
  };
  const share = `${Math.round(passRate * 1000) / 10} %`;
  return `---\n${stringify(head)}---\n# Rollouts on ${name}

A line of \`results.jsonl\` is an episode: its task, messages, calls with their results, reward and checks.

| Episodes | Mean reward | Passed |
|---|---|---|
| ${runs} | ${Math.round(reward * 1000) / 1000} | ${share} |

Collected with \`sandbox eval --openenv\` ${ownVersion()}. \`sandbox eval TASKS --rollouts results.jsonl\` makes the calls again and judges them.
`;
}

/** Creates the files of a Hugging Face space that serves tasks: card, spec file, container. */
export function spaceFiles(
  about: Omit<AboutEnvironment, 'port'>,
  given: readonly string[],
): ReadonlyMap<string, string> {
  const spec = { ...about, port: PORT };
  return new Map([
    ['README.md', spaceCard(spec)],
    ['openenv.yaml', specFile(spec)],
    [
      'Dockerfile',
      `FROM node:24-slim
RUN npm install --global @vendor-sandbox/sandbox@${ownVersion()}
USER node
EXPOSE ${PORT}
CMD ["sandbox", "serve", ${given.map((each) => JSON.stringify(each)).join(', ')}, "--openenv", "--host", "0.0.0.0", "--port", "${PORT}"]
`,
    ],
    ['tasks.jsonl', rowsOf(about)],
  ]);
}

/** Formats the data set for a trainer as JSON lines: prompts, and arguments of `reset`. */
function rowsOf({ tasks }: Pick<AboutEnvironment, 'tasks'>): string {
  const rows = taskList(tasks).map(({ title, ...task }) => ({ prompt: [{ role: 'user', content: title }], ...task }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function spaceCard({ name, tasks }: AboutEnvironment): string {
  const head = {
    ...{ title: name, emoji: '🧪', colorFrom: 'blue', colorTo: 'green', sdk: 'docker', pinned: false, app_port: PORT },
    tags: ['openenv', 'agents', 'tool-calling'],
  };
  const rows = tasks.map(
    ({ task: { task, title, class: kind = 'conformance', level = 'medium' } }) =>
      `| \`${task}\` | ${level} | ${kind} | ${title} |`,
  );
  return `---\n${stringify(head)}---\n# ${specName(name)}

Tasks for agents that use tools. Each episode has a world of its own; its reward, from 0 to 1, is the weighted share of the checks that the final world passes.

\`\`\`python
from openenv.core import MCPToolClient

env = MCPToolClient(base_url="http://localhost:${PORT}").sync()
with env:
    result = env.reset(task="${tasks[0]?.task.task ?? 'TASK'}", seed=1)
    print(result.observation.metadata["prompt"])
    print([tool.name for tool in env.list_tools()])
    env.call_tool("finish")
\`\`\`

| Task | Level | Measures | What it is about |
|---|---|---|---|
${rows.join('\n')}
`;
}
