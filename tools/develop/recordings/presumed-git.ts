import { isObject, type JsonObject } from '../../../engine/values/index.js';
import type { PresumedObjects } from './presumed-objects.js';
import { SHA } from './presumed-tables.js';
import {
  blobSha,
  digest,
  listIn,
  mapIn,
  pick,
  reversed,
  type ShownObject,
  sideOfPatch,
  shownText,
  toBase64,
  loginIn,
  textsIn,
} from './presumed-values.js';

/** Commits, trees, files and references in a reconstructed world. */
export class PresumedGit {
  readonly commits = new Map<string, Set<string>>();
  /** Changed files by commit. */
  readonly changes = new Map<string, readonly JsonObject[]>();
  /** Files that were read from a repository, and from each of its named branches. */
  readonly files = new Map<string, Map<string, JsonObject>>();
  readonly branchTrees = new Map<string, string>();
  readonly compared: [repo: string, before: string, after: string, files: readonly JsonObject[]][] = [];

  constructor(private readonly objects: PresumedObjects) {}

  /** Adds the derived fields of a row. False if the object must be omitted. */
  fill({ kind, repo, part, value, row }: ShownObject): boolean {
    switch (kind) {
      case 'git_refs': {
        const sha = shownText(mapIn(value['object'])['sha']);
        row['sha'] = sha;
        row['ref'] = part;
        this.commit(repo, sha, {});
        break;
      }
      case 'tags':
        row['target_sha'] = shownText(mapIn(value['object'])['sha']);
        row['sha'] = part;
        break;
      case 'blobs':
        row['base64'] = shownText(value['content']).replaceAll('\n', '');
        row['sha'] = part;
        break;
      case 'trees':
        if (!Array.isArray(value['tree'])) return false;
        row['files'] = listIn(value['tree'])
          .filter((each) => each['type'] !== 'tree')
          .map((each) => ({ path: each['path'] ?? '', mode: each['mode'] ?? '100644', sha: each['sha'] ?? '' }));
        for (const each of listIn(value['tree'])) {
          const id = `${repo}/${shownText(each['sha'])}`;
          const blob = { id, repo_id: repo, sha: each['sha'], size: each['size'] ?? 0, base64: '' };
          if (each['type'] === 'blob') this.objects.presume('blobs', id, blob);
        }
        row['folders'] = listIn(value['tree'])
          .filter((each) => each['type'] === 'tree')
          .map((each) => pick(each, ['path', 'sha']));
        row['entries'] = listIn(value['tree']).map(({ url: _url, ...each }) => each);
        break;
    }
    return true;
  }

  commit(repo: string, sha: string, value: JsonObject): void {
    if (!SHA.test(sha) || this.objects.made.has(`commits ${repo}/${sha}`)) return;
    const known = this.objects.of('commits').get(`${repo}/${sha}`) ?? {};
    const git = isObject(value['commit'] ?? null) ? mapIn(value['commit']) : value;
    const tree = shownText(mapIn(git['tree'])['sha']) || shownText(known['tree_sha']);
    const parents = Array.isArray(value['parents']) ? textsIn(value['parents'], 'sha') : known['parent_shas'];
    const person = { name: 'someone', email: 'someone@example.com', date: '2020-01-01T00:00:00Z' };
    const shas = this.commits.get(repo) ?? new Set();
    this.commits.set(repo, shas.add(sha));
    if (Array.isArray(value['files'])) this.changes.set(`${repo}/${sha}`, listIn(value['files']));
    const login = loginIn(value['author']) || shownText(known['user_login']);
    this.objects.of('commits').set(`${repo}/${sha}`, {
      id: `${repo}/${sha}`,
      repo_id: repo,
      sha,
      message: shownText(git['message']) || shownText(known['message']) || 'a commit',
      tree_sha: tree,
      parent_shas: parents ?? [],
      author_info: 'date' in mapIn(git['author']) ? mapIn(git['author']) : (known['author_info'] ?? person),
      committer_info: 'date' in mapIn(git['committer']) ? mapIn(git['committer']) : (known['committer_info'] ?? person),
      user_login: login === '' ? null : login,
      ...(isObject(git['verification'] ?? null)
        ? { verification: git['verification'] }
        : 'verification' in known
          ? { verification: known['verification'] }
          : {}),
    });
  }

  /** Whether a sha is known to be another kind of object than a commit. */
  isObject(repo: string, sha: string): boolean {
    const key = `${repo}/${sha}`;
    return ['trees', 'blobs'].some((name) => this.objects.of(name).has(key) || this.objects.made.has(`${name} ${key}`));
  }

  ref(repo: string, ref: string, sha: string): void {
    const id = `${repo}/${ref}`;
    if (!SHA.test(sha) || this.objects.made.has(`git_refs ${id}`) || this.objects.of('git_refs').has(id)) return;
    this.objects.of('git_refs').set(id, { id, repo_id: repo, ref, sha });
    this.commit(repo, sha, {});
  }

  /** The first recorded commit of a repository, for branches without a recorded one. */
  first(repo: string): string {
    return [...(this.commits.get(repo) ?? [])][0] ?? 'c0ffee'.padEnd(40, '0');
  }

  file(repo: string, { path, sha, content, size, mode }: JsonObject, branch: string | null): void {
    const blob = `${repo}/${shownText(sha)}`;
    if (this.objects.made.has(`blobs ${blob}`) || this.objects.made.has(`contents ${repo}/${shownText(path)}`)) return;
    for (const place of branch === null ? [repo] : [repo, `${repo}/refs/heads/${branch}`]) {
      const files = this.files.get(place) ?? new Map<string, JsonObject>();
      this.files.set(place, files);
      if (!files.has(shownText(path)))
        files.set(shownText(path), { path: path ?? '', mode: mode ?? '100644', sha: sha ?? '' });
    }
    const known = this.objects.of('blobs').get(blob);
    if (known && content === undefined) return;
    const base64 = shownText(content).replaceAll('\n', '');
    this.objects.of('blobs').set(blob, { id: blob, repo_id: repo, sha: sha ?? '', size: size ?? 0, base64 });
  }

  /** Gives a commit with recorded changes those files, and its parent their earlier content. */
  trees(): void {
    const commits = this.objects.of('commits');
    const changes = [...this.changes].map(([id, files]) => {
      const { repo_id, parent_shas } = commits.get(id) ?? {};
      return [
        shownText(repo_id),
        shownText(((parent_shas ?? []) as readonly string[])[0]),
        id.slice(-40),
        files,
      ] as const;
    });
    for (const [repo, base, head, files] of [...this.compared, ...changes]) {
      const [parent, commit] = [base, head].map((sha) => commits.get(`${repo}/${sha}`));
      if (!commit || this.objects.of('trees').has(`${repo}/${shownText(commit['tree_sha'])}`)) continue;
      const [before, after] = [false, true].map((isAfter) =>
        files
          .filter(({ status }) => status !== (isAfter ? 'removed' : 'added'))
          .map(({ filename, sha, patch, previous_filename: previous }) => {
            const text = sideOfPatch(shownText(patch), isAfter);
            const blob = isAfter && SHA.test(shownText(sha)) ? shownText(sha) : blobSha(text + (isAfter ? '' : '\n'));
            const id = `${repo}/${blob}`;
            const row = { id, repo_id: repo, sha: blob, size: text.length, base64: toBase64(text) };
            this.objects.add('blobs', id, row);
            return { path: (isAfter ? filename : (previous ?? filename)) ?? '', mode: '100644', sha: blob };
          }),
      );
      if (commit['tree_sha'] === '') commit['tree_sha'] = reversed(commit['sha']);
      this.tree(repo, shownText(commit['tree_sha']), after);
      if (!parent) continue;
      if (parent['tree_sha'] === '') parent['tree_sha'] = reversed(parent['sha']);
      if (!this.objects.of('trees').has(`${repo}/${shownText(parent['tree_sha'])}`))
        this.tree(repo, shownText(parent['tree_sha']), before);
    }
  }

  /** Adds branches whose files were read, and trees and parents of commits. */
  history(): void {
    for (const place of this.files.keys()) {
      const [repo, branch] = place.split('/refs/heads/');
      if (branch !== undefined && !this.objects.made.has(`repos ${repo}/`))
        this.ref(repo, `refs/heads/${branch}`, digest(place));
    }
    const commits = this.objects.of('commits');
    const before = (id: string, repo: string, seen = new Set<string>()): Set<string> => {
      for (const parent of (commits.get(id)?.['parent_shas'] ?? []) as readonly string[])
        if (!seen.has(parent)) before(`${repo}/${parent}`, repo, seen.add(parent));
      return seen;
    };
    for (const [id, sha] of this.branchTrees) {
      const ref = this.objects.of('git_refs').get(id);
      const commit = commits.get(`${shownText(ref?.['repo_id'])}/${shownText(ref?.['sha'])}`);
      if (commit && commit['tree_sha'] === '') commit['tree_sha'] = sha;
    }
    for (const branch of this.objects.of('git_refs').values()) {
      const repo = shownText(branch['repo_id']);
      const files = this.files.get(shownText(branch['id'])) ?? this.files.get(repo);
      const commit = commits.get(`${repo}/${shownText(branch['sha'])}`);
      if (!files || !commit || this.objects.of('trees').has(`${repo}/${shownText(commit['tree_sha'])}`)) continue;
      if (commit['tree_sha'] === '') commit['tree_sha'] = 'f11e5'.padEnd(40, '0');
      this.tree(repo, shownText(commit['tree_sha']), [...files.values()]);
    }
    this.trees();
    for (const [id, row] of commits) {
      const repo = shownText(row['repo_id']);
      row['history'] = [...before(id, repo)];
      if (row['tree_sha'] === '') row['tree_sha'] = reversed(row['sha']);
      if (!this.objects.of('trees').has(`${repo}/${shownText(row['tree_sha'])}`))
        this.tree(repo, shownText(row['tree_sha']), []);
    }
  }

  tree(repo: string, sha: string, files: readonly JsonObject[]): void {
    const entries = files.map((each) => ({ ...each, type: 'blob' }));
    this.objects.of('trees').set(`${repo}/${sha}`, { id: `${repo}/${sha}`, repo_id: repo, sha, files, entries });
  }
}
