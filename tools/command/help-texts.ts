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
  sandbox serve task-automation --port 0         another pack, on any free port
  sandbox serve --set vendor=acme                names headers Acme-Version, Acme-Signature
  sandbox serve payments task-automation         a world of the first pack, others on request (docs/concepts/worlds.md)
  sandbox serve --store ./sandbox.db             a world that survives the server, even kill -9
  sandbox serve --store postgres://db/sandbox    worlds shared by any number of servers (docs/guides/running-for-a-team.md)
  sandbox serve --seed demo --t0 2025-01-01      the same ids and times at every start

Exit codes: 0 stopped, 1 the pack or the seed file has errors, 2 it cannot start (options, names, port).`;

export const LIVE_HELP = `
  sandbox live company.yaml --from 2024-11-01 --store company.db
  sandbox serve company.yaml --store company.db
Exit codes: 0 done, 1 the file has errors, 2 it cannot run.`;

export const REPLAY_HELP = `
The replayed world sends no webhooks. Exit codes: 0 all bytes are equal, 1 bytes differ, or the pack or the file is another one, 2 it cannot start.`;

export const SHRINK_HELP = `
For each check, the command gets a new world in SANDBOX_URL and SANDBOX_KEY:
  sandbox shrink bug.sandbox --check 'npm test -- refunds'
Exit codes: 0 found, 1 the check does not fail or the file is invalid, 2 there is no such file, or invalid options.`;

export const CHAOS_HELP = `
For each run, the command gets a new world in SANDBOX_URL and SANDBOX_KEY, with the same ids:
  sandbox chaos payments --check 'npm test -- webhooks'
  sandbox chaos --url http://localhost:8801 --check ./check.sh
Exit codes: 0 no faults make it fail, 1 some faults do, 2 it cannot run, or it fails even without faults.`;

export const mcpHelp = (): string => `
In the configuration of an agent: {"mcpServers": {"sandbox": {"command": "npx", "args": ["sandbox", "mcp", "payments"]}}}
For an agent that you test, serve the vendor's API: "args": ["sandbox", "mcp", "payments", "--as", "vendor"]
Instructions for the agent: ${shownFolder(join(installation(), 'docs', 'skill'))}SKILL.md`;

export const VALIDATE_HELP = `
Exit codes: 0 no pack has problems, 1 a pack has problems, 2 there is no such pack, or invalid options.`;
