import { join } from 'node:path';
import { installation, shownFolder } from './installation.js';

export const COMPLETION_HELP = `
Examples:
  source <(sandbox completion bash)                                     in ~/.bashrc
  source <(sandbox completion zsh)                                      in ~/.zshrc
  sandbox completion fish > ~/.config/fish/completions/sandbox.fish`;

export const SERVE_HELP = `
Examples:
  sandbox serve                                  the payments pack at http://localhost:8801
  sandbox serve task-automation --port 0         another pack, at any free port
  sandbox serve --set vendor=acme                headers are called Acme-Version, Acme-Signature
  sandbox serve payments task-automation         a world of the first, others on request (docs/concepts/worlds.md)
  sandbox serve --store ./sandbox.db             a world that survives the server, even kill -9
  sandbox serve --store postgres://db/sandbox    a team's server: any number of them (docs/guides/running-for-a-team.md)
  sandbox serve --seed demo --t0 2025-01-01      the same ids and times at every start

Exit codes: 0 stopped as asked, 1 the pack or the seed file is wrong, 2 it cannot start (options, names, port).`;

export const LIVE_HELP = `
  sandbox live company.yaml --from 2024-11-01 --store company.db
  sandbox serve company.yaml --store company.db
Exit codes: 0 done, 1 the file is wrong, 2 it cannot run.`;

export const REPLAY_HELP = `
The world sends nothing to anybody. Exit codes: 0 the same bytes, 1 other bytes, another pack or a wrong file, 2 it cannot start.`;

export const SHRINK_HELP = `
The command gets a world in SANDBOX_URL and SANDBOX_KEY, a new one each time:
  sandbox shrink bug.sandbox --check 'npm test -- refunds'
Exit codes: 0 found, 1 the check does not fail or the file is wrong, 2 there is no such file, wrong options.`;

export const CHAOS_HELP = `
The command gets a world in SANDBOX_URL and SANDBOX_KEY, a new one each time, with the same ids:
  sandbox chaos payments --check 'npm test -- webhooks'
  sandbox chaos --url http://localhost:8801 --check ./check.sh
Exit codes: 0 nothing breaks it, 1 a schedule does, 2 it cannot run, or the check fails without any trouble.`;

export const mcpHelp = (): string => `
In the configuration of an agent: {"mcpServers": {"sandbox": {"command": "npx", "args": ["sandbox", "mcp", "payments"]}}}
An agent that is tested gets the vendor's API: "args": ["sandbox", "mcp", "payments", "--as", "vendor"]
How to work with it, for the agent: ${shownFolder(join(installation(), 'docs', 'skill'))}SKILL.md`;

export const VALIDATE_HELP = `
Exit codes: 0 every pack is fine, 1 a pack has problems, 2 there is no such pack, wrong options.`;
