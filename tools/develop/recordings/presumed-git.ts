import { isObject, type JsonObject } from '../../../engine/values/index.js';
import { SHA } from './presumed-kinds.js';
import type { PresumedRow, PresumedSeed, ShownObject } from './presumed-seed.js';
import {
  blobSha,
  digest,
  listIn,
  loginIn,
  mapIn,
  pick,
  shownText,
  sideOfPatch,
  textsIn,
  toBase64,
} from './presumed-values.js';

const SOMEONE = { name: 'someone', email: 'someone@example.com', date: '2020-01-01T00:00:00Z' };
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** Commits, trees, files and references in a reconstructed world. */
export class PresumedGit {
  readonly #commits = new Map<string, Set<string>>();
  /** Changed files by commit. */
  readonly #changes = new Map<string, readonly JsonObject[]>();
  /** Files that were read from a repository, and from each of its named branches. */
  readonly #files = new Map<string, Map<string, JsonObject>>();
  readonly #branchTrees = new Map<string, string>();
  readonly #compared: [repo: string, before: string, after: string, files: readonly JsonObject[]][] = [];

  constructor(private readonly seed: PresumedSeed) {}

  /** Adds the derived fields of a row, and returns whether the object may be added. */
  fill({ kind, repo, part, value, row }: ShownObject): boolean {
    if (['git_refs', 'tags', 'blobs'].includes(kind)) row[kind === 'git_refs' ? 'ref' : 'sha'] = part;
    if (kind === 'git_refs') this.commit(repo, shownText(row['sha']), {});
    if (kind === 'blobs') row['base64'] = shownText(value['content']).replaceAll('\n', '');
    if (kind !== 'trees') return true;
    if (!Array.isArray(value['tree'])) return false;
    const entries = listIn(value['tree']);
    const isFolder = ({ type }: JsonObject): boolean => type === 'tree';
    row['files'] = entries
      .filter((each) => !isFolder(each))
      .map(({ path = '', mode = '100644', sha = '' }) => ({ path, mode, sha }));
    for (const { type, sha = '', size = 0 } of entries)
      if (type === 'blob')
        this.seed.presume('blobs', `${repo}/${shownText(sha)}`, { repo_id: repo, sha, size, base64: '' });
    row['folders'] = entries.filter(isFolder).map((each) => pick(each, ['path', 'sha']));
    row['entries'] = entries.map(({ url: _url, ...each }) => each);
    return true;
  }

  commit(repo: string, sha: string, value: JsonObject): void {
    const id = `${repo}/${sha}`;
    if (!SHA.test(sha) || this.seed.isMade('commits', id)) return;
    const known = this.seed.get('commits', id) ?? {};
    const git = isObject(value['commit'] ?? null) ? mapIn(value['commit']) : value;
    this.#commits.set(repo, (this.#commits.get(repo) ?? new Set()).add(sha));
    if (Array.isArray(value['files'])) this.#changes.set(id, listIn(value['files']));
    const person = (who: string) => ('date' in mapIn(git[who]) ? mapIn(git[who]) : (known[`${who}_info`] ?? SOMEONE));
    this.seed.set('commits', id, {
      ...pick(known, ['verification']),
      repo_id: repo,
      sha,
      message: shownText(git['message']) || shownText(known['message']) || 'a commit',
      tree_sha: shownText(mapIn(git['tree'])['sha']) || shownText(known['tree_sha']),
      parent_shas: Array.isArray(value['parents']) ? textsIn(value['parents'], 'sha') : (known['parent_shas'] ?? []),
      author_info: person('author'),
      committer_info: person('committer'),
      user_login: loginIn(value['author']) || (known['user_login'] ?? null),
      ...(isObject(git['verification'] ?? null) && pick(git, ['verification'])),
    });
  }

  /** Whether a sha is known to be another kind of object than a commit. */
  isObject(repo: string, sha: string): boolean {
    const id = `${repo}/${sha}`;
    return ['trees', 'blobs'].some((name) => this.seed.of(name).has(id) || this.seed.isMade(name, id));
  }

  /** Adds a branch or tag; without a recorded commit it gets the first one of the repository. */
  ref(repo: string, ref: string, sha = this.#first(repo)): void {
    const id = `${repo}/${ref}`;
    if (!SHA.test(sha) || this.seed.isMade('git_refs', id) || this.seed.of('git_refs').has(id)) return;
    this.seed.set('git_refs', id, { repo_id: repo, ref, sha });
    this.commit(repo, sha, {});
  }

  /** Finds the first recorded commit of a repository. */
  #first(repo: string): string {
    return [...(this.#commits.get(repo) ?? [])][0] ?? 'c0ffee'.padEnd(40, '0');
  }

  file(
    repo: string,
    { path = '', sha = '', content, size = 0, mode = '100644' }: JsonObject,
    branch: string | null,
  ): void {
    const blob = `${repo}/${shownText(sha)}`;
    if (this.seed.isMade('blobs', blob) || this.seed.isMade('contents', `${repo}/${shownText(path)}`)) return;
    for (const place of branch === null ? [repo] : [repo, `${repo}/refs/heads/${branch}`]) {
      const files = this.#files.get(place) ?? new Map<string, JsonObject>();
      this.#files.set(place, files);
      if (!files.has(shownText(path))) files.set(shownText(path), { path, mode, sha });
    }
    if (content === undefined && this.seed.of('blobs').has(blob)) return;
    const base64 = shownText(content).replaceAll('\n', '');
    this.seed.set('blobs', blob, { repo_id: repo, sha, size, base64 });
  }

  /** Notes the changed files between two commits. */
  compared(...given: [repo: string, before: string, after: string, files: readonly JsonObject[]]): void {
    this.#compared.push(given);
  }

  /** Adds branches, files and comparisons, whose repository is only in the path. */
  ofPath(repo: string, rest: string, each: JsonObject, branch: string | null): void {
    const sha = shownText(mapIn(each['commit'])['sha']);
    if (/^branches(?:\/|$)/.test(rest) && typeof each['name'] === 'string')
      this.ref(repo, `refs/heads/${each['name']}`, sha || digest(each['name']));
    if (rest === 'tags') this.ref(repo, `refs/tags/${shownText(each['name'])}`, sha);
    if (/^(?:contents|readme)/.test(rest) && typeof each['path'] === 'string') {
      if (each['type'] === 'file') this.file(repo, each, branch);
      if (each['type'] === 'symlink')
        this.file(repo, { ...each, mode: '120000', content: toBase64(shownText(each['target'])) }, branch);
      // Adds a file to the folder, because the folder's own content isn't recorded.
      if (each['type'] === 'dir')
        this.file(repo, { path: `${each['path']}/file`, sha: EMPTY_BLOB, content: '' }, branch);
    }
    if (/^compare\/[^/]+\.\.\.[^/]+$/.test(rest) && Array.isArray(each['files'])) {
      const [base, head] = [mapIn(each['merge_base_commit']), listIn(each['commits']).at(-1) ?? {}];
      this.compared(repo, shownText(base['sha']), shownText(head['sha']), listIn(each['files']));
    }
    const [, named] = /^git\/trees\/([^/]+)$/.exec(rest) ?? [];
    if (named !== undefined && !SHA.test(named))
      this.#branchTrees.set(`${repo}/refs/heads/${named}`, shownText(each['sha']));
  }

  /** Adds branches whose files were read, and trees and parents of commits. */
  complete(): void {
    for (const place of this.#files.keys()) {
      const [repo, branch] = place.split('/refs/heads/');
      if (branch !== undefined && !this.seed.isMade('repos', `${repo}/`))
        this.ref(repo, `refs/heads/${branch}`, digest(place));
    }
    const commits = this.seed.of('commits');
    const commitOf = (ref: PresumedRow | undefined): PresumedRow | undefined =>
      commits.get(`${shownText(ref?.['repo_id'])}/${shownText(ref?.['sha'])}`);
    for (const [id, sha] of this.#branchTrees) {
      const commit = commitOf(this.seed.get('git_refs', id));
      if (commit && commit['tree_sha'] === '') commit['tree_sha'] = sha;
    }
    for (const branch of this.seed.of('git_refs').values()) {
      const files = this.#files.get(shownText(branch['id'])) ?? this.#files.get(shownText(branch['repo_id']));
      const commit = commitOf(branch);
      if (files && commit) this.#treeOf(commit, [...files.values()], 'f11e5'.padEnd(40, '0'));
    }
    this.#compare();
    for (const [id, row] of commits) {
      row['history'] = [...this.#before(id, shownText(row['repo_id']))];
      this.#treeOf(row, []);
    }
  }

  #before(id: string, repo: string, seen = new Set<string>()): Set<string> {
    for (const parent of (this.seed.get('commits', id)?.['parent_shas'] ?? []) as readonly string[])
      if (!seen.has(parent)) this.#before(`${repo}/${parent}`, repo, seen.add(parent));
    return seen;
  }

  /** Gives a commit with recorded changes those files, and its parent their earlier content. */
  #compare(): void {
    const commits = this.seed.of('commits');
    for (const [id, files] of this.#changes) {
      const { repo_id, parent_shas } = commits.get(id) ?? {};
      this.compared(shownText(repo_id), ((parent_shas ?? []) as readonly string[])[0] ?? '', id.slice(-40), files);
    }
    for (const [repo, base, head, files] of this.#compared) {
      const [parent, commit] = [base, head].map((sha) => commits.get(`${repo}/${sha}`));
      if (!commit || this.#hasTree(commit)) continue;
      const [before, after] = [false, true].map((isAfter) =>
        files
          .filter(({ status }) => status !== (isAfter ? 'removed' : 'added'))
          .map((file) => this.#side(repo, file, isAfter)),
      );
      this.#treeOf(commit, after);
      if (parent) this.#treeOf(parent, before);
    }
  }

  /** Reconstructs the content of a changed file before or after the change. */
  #side(repo: string, { filename, sha, patch, previous_filename: previous }: JsonObject, isAfter: boolean): JsonObject {
    const text = sideOfPatch(shownText(patch), isAfter);
    const blob = isAfter && SHA.test(shownText(sha)) ? shownText(sha) : blobSha(text + (isAfter ? '' : '\n'));
    const row = { repo_id: repo, sha: blob, size: text.length, base64: toBase64(text) };
    this.seed.add('blobs', `${repo}/${blob}`, row);
    return { path: (isAfter ? filename : (previous ?? filename)) ?? '', mode: '100644', sha: blob };
  }

  #hasTree({ repo_id, tree_sha }: PresumedRow): boolean {
    return this.seed.of('trees').has(`${shownText(repo_id)}/${shownText(tree_sha)}`);
  }

  /** Adds the tree of a commit, unless it exists. @param sha of the tree, if the commit doesn't contain it */
  #treeOf(
    commit: PresumedRow,
    files: readonly JsonObject[],
    sha = shownText(commit['sha']).split('').reverse().join(''),
  ): void {
    const hasTree = this.#hasTree(commit);
    if (commit['tree_sha'] === '') commit['tree_sha'] = sha;
    if (hasTree) return;
    const { repo_id, tree_sha } = commit;
    const entries = files.map((each) => ({ ...each, type: 'blob' }));
    this.seed.set('trees', `${shownText(repo_id)}/${shownText(tree_sha)}`, { repo_id, sha: tree_sha, files, entries });
  }
}
