import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { rowsIn, type PomeSetup, type Sentence } from './pome-text.js';

const issue = (number: string, repo: string): string => `find(issue, {"repo_id": "${repo}", "number": ${number}})`;

/** Sentence patterns of criteria about repositories. */
export const CODE_SENTENCES: readonly Sentence[] = [
  [
    /^Issue #(\d+) in `([^`]+)` has the `([^`]+)` label applied$/,
    (number, repo, label) => ({ final: `"${label}" in ${issue(number, repo)}.tags` }),
  ],
  [
    /^Issue #(\d+) in `([^`]+)` is assigned to `([^`]+)`$/,
    (number, repo, login) => ({ final: `"${login}" in ${issue(number, repo)}.assigned` }),
  ],
  [
    /^Issue #(\d+) in `([^`]+)` has exactly one classification label, and it is `([^`]+)`$/,
    (number, repo, label) => ({
      final: `${issue(number, repo)}.tags.filter(t, t in ["bug", "feature", "question"]) == ["${label}"]`,
    }),
  ],
  [/^No new labels were created in `[^`]+`$/, () => ({ added: { labels: {}, count: 0 } })],
  [
    /^No new issues were created in `([^`]+)`$/,
    (repo) => ({ added: { issues: { repo_id: repo, is_pull: false }, count: 0 } }),
  ],
  [
    /^`(\w+)` was called$/,
    (tool) =>
      tool === 'add_issue_comment' ? { calls: { operation: 'comments.create', min: 1 } } : `which call ${tool} is`,
  ],
  [
    /^Issue #(\d+) in `([^`]+)` is in state (\w+)$/,
    (number, repo, state) => ({ final: `${issue(number, repo)}.state == "${state}"` }),
  ],
];

/** Converts people, repositories, labels and issues to seed data. Branches need commits, which the benchmark's seeds don't have. */
export function codeSetup(seed: JsonObject): PomeSetup | string {
  const repos = rowsIn(seed, 'repositories');
  if (repos.some((repo) => rowsIn(repo, 'pull_requests').length > 0))
    return 'its pull requests have no commits in the benchmark’s seeds, which the vendor’s have';
  const people = new Set<string>();
  const seeds: Record<string, JsonObject[]> = { users: [], repos: [], collaborators: [], labels: [], issues: [] };
  repos.forEach((repo, index) => {
    const { owner, name, description = null, collaborators = [] } = repo;
    const id = `${String(owner)}/${String(name)}`;
    const issues = rowsIn(repo, 'issues');
    const logins = Array.isArray(collaborators) ? collaborators.map(String) : [];
    for (const login of [String(owner), ...logins]) people.add(login);
    const next_number = Math.max(0, ...issues.map(({ number }) => Number(number))) + 1;
    seeds['repos'].push({ id, num: 1000 + index, owner_login: owner, name, description, next_number });
    for (const login of logins)
      seeds['collaborators'].push({ id: `${id}/${login}`, repo_id: id, login, permission: 'write' });
    seeds['collaborators'].push({ id: `${id}/octo`, repo_id: id, login: 'octo', permission: 'admin' });
    for (const { name: label, color, description: about } of rowsIn(repo, 'labels'))
      seeds['labels'].push({ id: `${id}/${String(label)}`, repo_id: id, name: label, color, description: about });
    for (const { number, title, body = null, state = 'open', labels = [], assignee = null, user } of issues) {
      const login = typeof user === 'string' ? user : String(owner);
      people.add(login);
      const tags = (Array.isArray(labels) ? labels : []).map((each: Json) => (isObject(each) ? each['name'] : each));
      seeds['issues'].push({
        ...{ id: `${id}/${String(number)}`, repo_id: id, number, title, body, state, tags, user_login: login },
        assigned: assignee === null ? [] : [assignee],
      });
    }
  });
  // `octo` owns the key of the world.
  people.add('octo');
  seeds['users'] = [...people].map((id, index) => ({ id, num: 2000 + index, type: 'User' }));
  return { setup: [{ seed: seeds }], names: {}, notes: [] };
}
