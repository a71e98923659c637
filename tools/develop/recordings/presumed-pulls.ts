import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { PresumedGit } from './presumed-git.js';
import type { PresumedObjects } from './presumed-objects.js';
import { SHA } from './presumed-tables.js';
import {
  digest,
  listIn,
  mapIn,
  milestoneOf,
  type PresumedRow,
  type ShownObject,
  shownText,
  loginIn,
  textsIn,
} from './presumed-values.js';

/** Pull requests in a reconstructed world, with reviews and comments on code. */
export class PresumedPulls {
  /** Pull requests of which only the id is recorded, with the time of their merge. */
  readonly stubs = new Map<string, Json>();
  /** First and last commit of such a pull request, by its commit list. */
  readonly #stubSides = new Map<string, { readonly base_sha: string; readonly head_sha: string }>();
  /** Compared commits by pull request, and the files with comments, each with its longest recorded part. */
  readonly #ends = new Map<string, readonly [base: string, head: string]>();
  readonly #hunks = new Map<string, Map<string, string>>();
  /** Reviews of which only comments are recorded. */
  readonly #reviewStubs = new Map<string, PresumedRow>();

  constructor(
    private readonly objects: PresumedObjects,
    private readonly git: PresumedGit,
  ) {}

  /** Adds the derived fields of a row. False if the object must be omitted. */
  fill(shown: ShownObject): boolean {
    const { kind, repo, value, row } = shown;
    if (kind === 'pulls') return this.#pull(shown);
    if (kind === 'review_comments') {
      row['pull_id'] = `${repo}/${shownText(value['pull_request_url']).split('/').at(-1) ?? ''}`;
      if (this.objects.made.has(`reviews ${shownText(value['pull_request_review_id'])}`)) return false;
      row['review_id'] = this.#reviewOf(repo, shownText(row['pull_id']), value);
    }
    return true;
  }

  /** Reads the commits of a pull request. */
  ofCommits(repo: string, rest: string, listed: readonly JsonObject[]): void {
    const [, number] = /^pulls\/(\d+)\/commits$/.exec(rest) ?? [];
    const proposed = number === undefined ? [] : listed;
    const base = shownText(listIn(proposed[0]?.['parents'])[0]?.['sha']);
    if (base !== '')
      this.#stubSides.set(`${repo}/${number}`, { base_sha: base, head_sha: shownText(proposed.at(-1)?.['sha']) });
  }

  /** Adds reviews, whose pull request is only in the path. */
  ofPath(repo: string, rest: string, each: JsonObject): void {
    const review = /^pulls\/(\d+)\/reviews/.exec(rest);
    if (!review || typeof each['id'] !== 'number' || !('state' in each)) return;
    const recorded = String(each['id']);
    if (this.objects.seen('reviews', repo, recorded) || this.objects.made.has(`reviews ${recorded}`)) return;
    const id = this.objects.idOf('reviews', repo, recorded);
    const of = { repo_id: repo, pull_id: `${repo}/${review[1]}`, user_login: loginIn(each['user']) };
    this.objects.of('reviews').set(id, { ...this.objects.fields('reviews', each), id, ...of });
  }

  /** Adds the comment on code that a reply refers to, at the same location. */
  repliedTo(repo: string, path: string, reply: JsonObject): void {
    const [, pull, recorded] = /\/pulls\/(\d+)\/comments\/(\d+)\/replies$/.exec(path) ?? [];
    if (
      pull === undefined ||
      this.objects.made.has(`review_comments ${repo}/${recorded}`) ||
      this.objects.ids.has(recorded)
    )
      return;
    const id = this.objects.idOf('review_comments', repo, recorded);
    const row = { ...this.objects.fields('review_comments', reply), id, repo_id: repo, pull_id: `${repo}/${pull}` };
    this.objects.of('review_comments').set(id, { ...row, in_reply_to_id: null, review_id: null });
  }

  /** Adds the branches of a pull request; those of a fork are added to the repository. */
  sides(repo: string, value: JsonObject): void {
    const [head, base] = [mapIn(value['head']), mapIn(value['base'])];
    this.git.ref(repo, `refs/heads/${shownText(base['ref'])}`, shownText(base['sha']));
    const sha = shownText(head['sha']);
    if (this.objects.made.has(`git_refs ${repo}/refs/heads/${shownText(head['ref'])}`)) return;
    this.git.ref(repo, `refs/heads/${shownText(head['ref'])}`, sha);
    const commit = this.objects.of('commits').get(`${repo}/${sha}`);
    if (commit && Array.isArray(commit['parent_shas']) && commit['parent_shas'].length === 0)
      commit['parent_shas'] = [shownText(base['sha'])];
  }

  /** Notes the first recorded commits that a pull request compares. */
  between(id: string, value: JsonObject): void {
    const [base, head] = ['base', 'head'].map((side) => shownText(mapIn(value[side])['sha']));
    if (SHA.test(base) && SHA.test(head) && !this.#ends.has(id)) this.#ends.set(id, [base, head]);
  }

  /** Adds a change of a file with a comment, from the comment's diff. */
  changed(repo: string, { pull_request_url: url, path, diff_hunk: hunk }: JsonObject): void {
    if (typeof path !== 'string' || typeof hunk !== 'string') return;
    const id = `${repo}/${shownText(url).split('/').at(-1) ?? ''}`;
    const known = this.#hunks.get(id) ?? new Map<string, string>();
    this.#hunks.set(id, known);
    if (hunk.length >= (known.get(path) ?? '').length) known.set(path, hunk);
  }

  /** Adds objects that are only named, and the branches of open pull requests. */
  complete(login: string): void {
    this.#completeNamed(login);
    for (const [id, hunks] of this.#hunks) {
      const [base, head] = this.#ends.get(id) ?? [];
      const files = [...hunks].map(([filename, hunk]) => ({
        filename,
        status: /^@@ -0,0 /.test(hunk) ? 'added' : 'modified',
        patch: fromFirstLine(hunk),
      }));
      if (base !== undefined && head !== undefined)
        this.git.compared.push([id.slice(0, id.lastIndexOf('/')), base, head, files]);
    }
    for (const [id, review] of this.#reviewStubs) this.objects.add('reviews', id, review);
    for (const [id, pull] of this.objects.of('pulls')) {
      const repo = shownText(pull['repo_id']);
      if (pull['state'] !== 'open') continue;
      this.git.ref(repo, `refs/heads/${shownText(pull['head_ref'])}`, shownText(pull['head_sha']));
      this.git.ref(repo, `refs/heads/${shownText(pull['base_ref'])}`, shownText(pull['base_sha']));
      if (!this.objects.of('issues').has(id)) this.objects.of('pulls').delete(id);
    }
  }

  #pull({ repo, part, id, value, row }: ShownObject): boolean {
    const [head, base] = [mapIn(value['head']), mapIn(value['base'])];
    if (!('ref' in head) || !('ref' in base)) return false;
    row['issue_id'] = `${repo}/${part}`;
    for (const [side, at] of [
      ['head', head],
      ['base', base],
    ] as const) {
      row[`${side}_ref`] = shownText(at['ref']);
      row[`${side}_sha`] = shownText(at['sha']);
      if (SHA.test(shownText(at['sha']))) this.git.commit(repo, shownText(at['sha']), {});
    }
    if (head['repo'] === null) row['head_repo_id'] = null;
    row['reviewers'] = textsIn(value['requested_reviewers'], 'login');
    row['merged'] = value['merged'] === true || (value['merged_at'] ?? null) !== null;
    row['merger'] = loginIn(value['merged_by']) || null;
    row['mergeable'] = 'mergeable' in value ? value['mergeable'] : true;
    this.#mergeCheck(id, repo);
    const issue = {
      ...this.objects.fields('issues', value),
      id,
      repo_id: repo,
      is_pull: true,
      number: value['number'] ?? 0,
      user_login: shownText(row['user_login']),
    };
    const tags = textsIn(value['labels'], 'name');
    const assigned = textsIn(value['assignees'], 'login');
    this.objects.add('issues', id, { ...issue, tags, assigned, milestone_id: milestoneOf(repo, value) });
    return true;
  }

  #reviewOf(repo_id: string, pull_id: string, value: JsonObject): string | null {
    const recorded = shownText(value['pull_request_review_id']);
    if (recorded === '') return null;
    const id = this.objects.idOf('reviews', repo_id, recorded);
    const user_login = loginIn(value['user']);
    const commit_id = value['original_commit_id'] ?? '';
    this.#reviewStubs.set(id, { id, repo_id, pull_id, user_login, commit_id, state: 'COMMENTED' });
    return id;
  }

  #completeNamed(login: string): void {
    for (const [id, merged_at] of this.stubs) {
      const [repo_id, number] = [id.slice(0, id.lastIndexOf('/')), Number(id.slice(id.lastIndexOf('/') + 1))];
      if (
        this.objects.of('pulls').has(id) ||
        this.objects.made.has(`pulls ${id}`) ||
        this.objects.made.has(`repos ${repo_id}/`)
      )
        continue;
      const issue = this.objects.of('issues').get(id);
      if (!issue && this.objects.made.has(`issues ${id}`)) continue;
      const { base_sha, head_sha } = this.#stubSides.get(id) ?? { base_sha: digest(id), head_sha: digest(id) };
      for (const sha of [base_sha, head_sha]) this.git.commit(repo_id, sha, {});
      const state = issue?.['state'] ?? 'open';
      const base = { id, repo_id, number, state };
      if (!issue) this.objects.of('issues').set(id, { ...base, is_pull: true, title: 'a pull request' });
      this.objects.of('pulls').set(id, {
        ...base,
        issue_id: id,
        merged_at,
        merged: merged_at !== null,
        ...{ head_ref: 'topic', head_sha, base_ref: 'main', base_sha, reviewers: [], mergeable: true },
        user_login: issue?.['user_login'] ?? login,
      });
      this.#mergeCheck(id, repo_id);
    }
  }

  #mergeCheck(pull_id: string, repo_id: string): void {
    const check = { id: `merge_check_${this.objects.count++}`, pull_id, repo_id, status: 'done' };
    this.objects.of('merge_checks').set(pull_id, check);
  }
}

/** Adds empty lines before a hunk, so that its lines keep their numbers. */
function fromFirstLine(hunk: string): string {
  const [, before, after] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(hunk) ?? [];
  return ' \n'.repeat(Math.max(0, Math.min(Number(before ?? 1), Number(after ?? 1)) - 1)) + hunk;
}
