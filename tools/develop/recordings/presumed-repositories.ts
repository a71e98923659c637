import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { PresumedGit } from './presumed-git.js';
import type { PresumedIssues } from './presumed-issues.js';
import type { PresumedObjects } from './presumed-objects.js';
import type { PresumedPeople } from './presumed-people.js';
import { EMPTY_BLOB, SHA } from './presumed-tables.js';
import { digest, listIn, mapIn, pick, shownText, toBase64, loginIn } from './presumed-values.js';

/** Repositories in a reconstructed world, and objects at their paths. */
export class PresumedRepositories {
  /** The caller's recorded roles. */
  readonly #roles = new Map<string, string>();
  /** Repositories that the caller wrote to. */
  readonly #written = new Set<string>();
  /** The default branch of an owner's new repositories. */
  readonly #firstBranches = new Map<string, string>();

  constructor(
    private readonly objects: PresumedObjects,
    private readonly git: PresumedGit,
    private readonly people: PresumedPeople,
    private readonly issues: PresumedIssues,
  ) {}

  /** Adds a repository that a call or object names, unless a call created it. */
  named(repo: string): void {
    if (!this.objects.of('repos').has(repo) && !this.objects.made.has(`repos ${repo}/`))
      this.objects.of('repos').set(repo, { id: repo, name: repo.split('/')[1], owner_login: repo.split('/')[0] });
  }

  /** Notes a write to a repository, which the caller must be allowed to make. */
  written(repo: string): void {
    this.#written.add(repo);
  }

  /** Notes that a call created a repository. */
  make(value: JsonObject): void {
    const owner = loginIn(value['owner']);
    if (owner !== '' && shownText(value['default_branch']) !== '')
      this.#firstBranches.set(owner, shownText(value['default_branch']));
  }

  /** Adds a repository from a response. */
  repo(repo: string, value: JsonObject): void {
    const repos = this.objects.of('repos');
    const known = repos.get(repo);
    const full = 'default_branch' in value;
    const parent = mapIn(value['parent']);
    if (this.objects.made.has(`repos ${repo}/`)) return;
    if (known && (known['default_branch'] !== undefined || !full)) {
      for (const [key, stored] of Object.entries(this.objects.fields('repos', value))) known[key] ??= stored;
      if (typeof value['id'] === 'number') known['num'] ??= value['id'];
      return;
    }
    const owner = repo.split('/')[0];
    const num: JsonObject = typeof value['id'] === 'number' ? { num: value['id'] } : {};
    repos.set(repo, {
      ...this.objects.fields('repos', value),
      id: repo,
      name: repo.split('/')[1],
      owner_login: owner,
      ...num,
      ...(typeof parent['full_name'] === 'string' && { forked_from: parent['full_name'] }),
    });
    const role = mapIn(value['permissions']);
    const permission =
      role['admin'] === true ? 'admin' : role['push'] === true ? 'write' : 'permissions' in value ? 'read' : null;
    if (permission !== null || !this.#roles.has(repo)) this.#roles.set(repo, permission ?? 'admin');
  }

  /** Adds files from a code search. */
  ofSearch(url: URL, path: string, body: Json): void {
    if (path !== '/search/code') return;
    // A found file must contain the search terms.
    const text = (url.searchParams.get('q') ?? '').replaceAll('"', '');
    for (const each of listIn(mapIn(body)['items'])) {
      const repo = shownText(mapIn(each['repository'])['full_name']);
      if (repo !== '') this.git.file(repo, { ...pick(each, ['path', 'sha']), content: toBase64(text) }, null);
    }
  }

  /** Adds branches, files and collaborators, whose repository is only in the path. */
  ofPath(repo: string, rest: string, each: JsonObject, branch: string | null): void {
    const commit = mapIn(each['commit']);
    if (/^branches(?:\/|$)/.test(rest) && typeof each['name'] === 'string')
      this.git.ref(repo, `refs/heads/${each['name']}`, shownText(commit['sha']) || digest(each['name']));
    if (/^tags$/.test(rest)) this.git.ref(repo, `refs/tags/${shownText(each['name'])}`, shownText(commit['sha']));
    const named = this.objects.of('repos').get(repo);
    if (rest === 'topics' && named && Array.isArray(each['names'])) named['topics'] = each['names'];
    if (/^(?:contents|readme)/.test(rest) && typeof each['path'] === 'string') {
      if (each['type'] === 'file') this.git.file(repo, each, branch);
      if (each['type'] === 'symlink')
        this.git.file(repo, { ...each, mode: '120000', content: toBase64(shownText(each['target'])) }, branch);
      // The content of a folder isn't recorded, so it gets a file.
      if (each['type'] === 'dir')
        this.git.file(repo, { path: `${each['path']}/file`, sha: EMPTY_BLOB, content: '' }, branch);
    }
    const ends = /^compare\/[^/]+\.\.\.([^/]+)$/.exec(rest);
    const head = listIn(each['commits']).at(-1) ?? {};
    if (ends && Array.isArray(each['files']))
      this.git.compared.push([
        repo,
        shownText(mapIn(each['merge_base_commit'])['sha']),
        shownText(head['sha']),
        listIn(each['files']),
      ]);
    const [, ofBranch] = /^git\/trees\/([^/]+)$/.exec(rest) ?? [];
    if (ofBranch !== undefined && !SHA.test(ofBranch))
      this.git.branchTrees.set(`${repo}/refs/heads/${ofBranch}`, shownText(each['sha']));
    if (rest === 'collaborators' && typeof each['login'] === 'string') {
      const id = `${repo}/${each['login']}`;
      const permission =
        shownText(each['role_name']) || (mapIn(each['permissions'])['admin'] === true ? 'admin' : 'write');
      this.objects.of('collaborators').set(id, { id, login: each['login'], permission, repo_id: repo });
    }
  }

  /** Adds next numbers, owners, default branches and the caller's roles. */
  complete(login: string): void {
    const users = this.objects.of('users');
    for (const [repo, row] of this.objects.of('repos')) {
      const owner = repo.split('/')[0];
      this.people.named(owner);
      row['next_number'] = this.issues.nextNumber(repo);
      const branch = shownText(row['default_branch']) || 'main';
      const ref = `${repo}/refs/heads/${branch}`;
      if (!this.objects.of('git_refs').has(ref) && !this.objects.made.has(`git_refs ${ref}`))
        this.git.ref(repo, `refs/heads/${branch}`, this.git.first(repo));
      const role = this.#written.has(repo) ? 'admin' : (this.#roles.get(repo) ?? 'admin');
      if (owner !== login && users.get(owner)?.['type'] !== 'Organization')
        this.objects.of('collaborators').set(`${repo}/${login}`, {
          id: `${repo}/${login}`,
          login,
          permission: role,
          repo_id: repo,
        });
    }
    for (const [name, user] of users) {
      const branch = this.#firstBranches.get(name);
      if (branch !== undefined) user['default_branch'] = branch;
    }
  }
}
