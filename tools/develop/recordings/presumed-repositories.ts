import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Recorded } from '../../recordings/read.js';
import { parsed } from '../../recordings/replay.js';
import type { PresumedGit } from './presumed-git.js';
import type { PresumedIssues } from './presumed-issues.js';
import type { PresumedPeople } from './presumed-people.js';
import type { PresumedSeed } from './presumed-seed.js';
import { listIn, loginIn, mapIn, pick, shownText, toBase64 } from './presumed-values.js';

/** Repositories in a reconstructed world, and the secrets, variables, labels and branch rules of repositories and organizations. */
export class PresumedRepositories {
  /** The caller's roles in repositories, as recorded. */
  readonly #roles = new Map<string, string>();
  /** Repositories that the caller has changed and therefore may write to. */
  readonly #written = new Set<string>();
  /** The default branch of an owner's new repositories. */
  readonly #firstBranches = new Map<string, string>();
  /** Branch rules by branch id. */
  readonly #rules = new Map<string, Record<string, Json>>();

  constructor(
    private readonly seed: PresumedSeed,
    private readonly git: PresumedGit,
    private readonly people: PresumedPeople,
    private readonly issues: PresumedIssues,
  ) {}

  /** Adds a repository that a call or object names, unless a call created it. */
  named(repo: string): void {
    const [owner_login, name] = repo.split('/');
    if (!this.seed.isMade('repos', `${repo}/`)) this.seed.add('repos', repo, { name, owner_login });
  }

  /** Notes a write to a repository, which the caller must be allowed to make. */
  written(repo: string): void {
    this.#written.add(repo);
  }

  /** Notes that a call created a repository. */
  make(value: JsonObject): void {
    const [owner, branch] = [loginIn(value['owner']), shownText(value['default_branch'])];
    if (owner !== '' && branch !== '') this.#firstBranches.set(owner, branch);
  }

  /** Adds a repository from a response. */
  repo(repo: string, value: JsonObject): void {
    const known = this.seed.get('repos', repo);
    if (this.seed.isMade('repos', `${repo}/`)) return;
    const num: JsonObject = typeof value['id'] === 'number' ? { num: value['id'] } : {};
    const shown = { ...this.seed.fields('repos', value), ...num };
    if (known && (known['default_branch'] !== undefined || !('default_branch' in value))) {
      for (const [key, stored] of Object.entries(shown)) known[key] ??= stored;
      return;
    }
    const [owner_login, name] = repo.split('/');
    const forked_from = mapIn(value['parent'])['full_name'];
    this.seed.set('repos', repo, { ...shown, name, owner_login, ...(forked_from !== undefined && { forked_from }) });
    const { admin, push } = mapIn(value['permissions']);
    const role = admin === true ? 'admin' : push === true ? 'write' : 'permissions' in value ? 'read' : null;
    if (role !== null || !this.#roles.has(repo)) this.#roles.set(repo, role ?? 'admin');
  }

  /** Reads calls at special paths: code searches, secrets, variables, labels, branch rules. */
  read(call: Recorded, path: string, body: Json): void {
    if (path === '/search/code') this.#found(call.url, body);
    this.#secrets(call, path, body);
    const [, repo, label] = /^\/repos\/([^/]+\/[^/]+)\/labels\/(.+)$/.exec(path) ?? [];
    if (repo !== undefined && /^(?:DELETE|PATCH)$/.test(call.method)) {
      const name = decodeURIComponent(label);
      this.seed.presume('labels', `${repo}/${name}`, { repo_id: repo, name });
    }
    const rules = /^\/repos\/([^/]+\/[^/]+)\/branches\/([^/]+)\/protection(?:\/(\w+))?(?:\/(\w+))?$/.exec(path);
    if (rules) this.#protection(rules, call.method, body);
    if (rules?.[4] === 'teams')
      for (const each of [body, parsed(call.body) ?? null])
        for (const team of Array.isArray(each) ? (each as readonly Json[]) : [])
          this.people.askedTeam(rules[1].split('/')[0], shownText(mapIn(team)['slug']) || shownText(team));
  }

  /** Adds topics and collaborators, whose repository is only in the path. */
  ofPath(repo: string, rest: string, each: JsonObject): void {
    const named = this.seed.get('repos', repo);
    if (rest === 'topics' && named && Array.isArray(each['names'])) named['topics'] = each['names'];
    if (rest !== 'collaborators' || typeof each['login'] !== 'string') return;
    const permission =
      shownText(each['role_name']) || (mapIn(each['permissions'])['admin'] === true ? 'admin' : 'write');
    this.#collaborator(repo, each['login'], permission);
  }

  #collaborator(repo_id: string, login: string, permission: string): void {
    this.seed.set('collaborators', `${repo_id}/${login}`, { repo_id, login, permission });
  }

  /** Adds next numbers, owners, default branches and the caller's roles. */
  complete(login: string): void {
    const users = this.seed.of('users');
    for (const [repo, row] of this.seed.of('repos')) {
      const [owner] = repo.split('/');
      this.people.named(owner);
      row['next_number'] = this.issues.nextNumber(repo);
      this.git.ref(repo, `refs/heads/${shownText(row['default_branch']) || 'main'}`);
      const role = this.#written.has(repo) ? 'admin' : (this.#roles.get(repo) ?? 'admin');
      if (owner !== login && users.get(owner)?.['type'] !== 'Organization') this.#collaborator(repo, login, role);
    }
    for (const [name, user] of users) {
      const branch = this.#firstBranches.get(name);
      if (branch !== undefined) user['default_branch'] = branch;
    }
  }

  /** Copies the collected branch rules into the rows of their branches. */
  completeRules(): void {
    for (const [id, rules] of this.#rules) {
      const [owner, name, , , ...branch] = id.split('/');
      const repo = `${owner}/${name}`;
      if (this.seed.isMade('repos', `${repo}/`) || this.seed.isMade('rules', id)) continue;
      this.git.ref(repo, `refs/heads/${branch.join('/')}`);
      const ref = this.seed.get('git_refs', id);
      if (ref) ref['protection'] = rules;
    }
  }

  /** Adds files from a code search; a found file must contain the search terms. */
  #found(url: URL, body: Json): void {
    const content = toBase64((url.searchParams.get('q') ?? '').replaceAll('"', ''));
    for (const each of listIn(mapIn(body)['items'])) {
      const repo = shownText(mapIn(each['repository'])['full_name']);
      if (repo !== '') this.git.file(repo, { ...pick(each, ['path', 'sha']), content }, null);
    }
  }

  #secrets({ method, status, body: sent }: Recorded, path: string, body: Json): void {
    const [, place, kind, name] = /^(.*)\/(secrets|variables)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (kind === undefined) return;
    const put = (value: JsonObject): void => {
      const called = shownText(value['name']).toUpperCase();
      const row = { ...this.seed.fields(kind, value), place, name: called };
      if (called !== '') this.seed.presume(kind, `${place}/${called}`, row);
    };
    for (const each of listIn(mapIn(body)[kind])) put(each);
    const own = name ?? shownText(mapIn(body)['name'] ?? mapIn(parsed(sent))['name']);
    if (status === 201 && own !== '') this.seed.make(kind, `${place}/${own.toUpperCase()}`);
    else if (name !== undefined && name !== 'public-key')
      put({ value: 'a value', ...(method === 'GET' ? mapIn(body) : {}), name });
    if (path.startsWith('/orgs/')) this.people.user({ login: path.split('/')[2], type: 'Organization' });
  }

  /** Adds a branch rule that is read, unless an earlier call set it. */
  #protection([, repo, branch, part, below]: readonly string[], method: string, body: Json): void {
    const id = `${repo}/refs/heads/${branch}`;
    const known = this.#rules.get(id) ?? {};
    if (method === 'PUT' && part === undefined) this.seed.make('rules', id);
    if (this.seed.isMade('rules', id)) return;
    this.#rules.set(id, known);
    if (part === undefined) Object.assign(known, body);
    else if (part === 'restrictions' && below !== undefined && Array.isArray(body)) {
      if (listIn(mapIn(known[part])[below]).length === 0)
        known[part] = { users: [], teams: [], apps: [], ...mapIn(known[part]), [below]: body };
    } else if (part in known) return;
    else if (below === undefined && isObject(body)) known[part] = body;
    else if (below === 'contexts') known[part] = { strict: false, contexts: body, checks: [] };
    else if (/POST|DELETE/.test(method)) known[part] = { enabled: method === 'DELETE' };
  }
}
