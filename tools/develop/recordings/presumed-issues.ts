import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { PresumedGit } from './presumed-git.js';
import { SHA } from './presumed-kinds.js';
import type { PresumedPeople } from './presumed-people.js';
import type { PresumedRow, PresumedSeed, ShownObject } from './presumed-seed.js';
import { digest, listIn, loginIn, mapIn, pick, shownText } from './presumed-values.js';

/**
 * Objects that reactions belong to: the prefix of their ids in the pack, and the collection that numbers those ids; null if the id is a plain number.
 */
const REACTED_TO: Readonly<Record<string, readonly [string, string | null]>> = {
  issues: ['issue', null],
  'issues/comments': ['comment', 'comments'],
  'pulls/comments': ['review_comment', 'review_comments'],
  comments: ['commit_comment', 'commit_comments'],
  releases: ['release', 'releases'],
};

/** Issues and pull requests in a reconstructed world, with comments, reviews, events, milestones and reactions. */
export class PresumedIssues {
  readonly #firstNumber = new Map<string, number>();
  readonly #lastNumber = new Map<string, number>();
  /** Pull requests of which only the id is recorded, with the time of their merge. */
  readonly #stubs = new Map<string, Json>();
  /** First and last commit of a pull request of which only the id is recorded, from its list of commits. */
  readonly #stubSides = new Map<string, { readonly base_sha: string; readonly head_sha: string }>();
  /** Compared commits by pull request. `#hunks`: longest recorded diff of each commented file, by pull request. */
  readonly #ends = new Map<string, readonly [base: string, head: string]>();
  readonly #hunks = new Map<string, Map<string, string>>();
  /** Reviews of which only comments are recorded. */
  readonly #reviewStubs = new Map<string, PresumedRow>();

  constructor(
    private readonly seed: PresumedSeed,
    private readonly git: PresumedGit,
    private readonly people: PresumedPeople,
  ) {}

  /** Notes that a call created an issue, a pull request or a milestone; later numbers continue from it. */
  make(kind: string, repo: string, number: number, path: string): void {
    if (/^(?:issues|pulls)$/.test(kind) && !this.#firstNumber.has(repo) && /\/(?:issues|pulls)$/.test(path))
      this.#firstNumber.set(repo, number);
    // The vendor numbers milestones by continuing from the last one.
    if (kind !== 'milestones' || number < 2 || this.seed.isMade('repos', `${repo}/`)) return;
    const old = { repo_id: repo, number: number - 1, title: 'an old one', state: 'closed' };
    this.seed.presume('milestones', `${repo}/${number - 1}`, old);
  }

  /** Returns the number of the first issue or pull request that a call creates. */
  nextNumber(repo: string): number {
    return this.#firstNumber.get(repo) ?? (this.#lastNumber.get(repo) ?? 0) + 1;
  }

  /** Adds a pull request that a call names. */
  namedPull(id: string): void {
    this.#stubs.set(id, null);
  }

  /** Adds the derived fields of a row, and returns whether the object may be added. */
  fill(shown: ShownObject): boolean {
    const { kind, repo, id, value, row } = shown;
    const { number } = value;
    // The vendor numbers issues and pull requests together.
    if (typeof number === 'number' && /^(?:issues|pulls)$/.test(kind))
      this.#lastNumber.set(repo, Math.max(number, this.#lastNumber.get(repo) ?? 0));
    switch (kind) {
      case 'issues':
        row['is_pull'] = 'pull_request' in value;
        row['comment_count'] = typeof value['comments'] === 'number' ? value['comments'] : 0;
        if (row['is_pull']) this.#stubs.set(id, mapIn(value['pull_request'])['merged_at'] ?? null);
        row['milestone_id'] = milestoneOf(repo, value);
        break;
      case 'comments': {
        const issue = lastPart(value['issue_url']);
        row['issue_id'] = `${repo}/${issue}`;
        const stub = { repo_id: repo, number: Number(issue), title: 'an issue', state: 'open' };
        this.seed.presume('issues', `${repo}/${issue}`, stub);
        break;
      }
      case 'issue_events': {
        const issue = shownText(mapIn(value['issue'])['number']);
        row['issue_id'] = `${repo}/${issue}`;
        return issue !== '';
      }
      case 'review_comments':
        row['pull_id'] = `${repo}/${lastPart(value['pull_request_url'])}`;
        if (this.seed.isMade('reviews', shownText(value['pull_request_review_id']))) return false;
        row['review_id'] = this.#reviewOf(repo, row['pull_id'], value);
        break;
      case 'pulls':
        return this.#pull(shown);
    }
    return true;
  }

  /** Reads the commits of a pull request. */
  ofCommits(repo: string, rest: string, listed: readonly JsonObject[]): void {
    const [, number] = /^pulls\/(\d+)\/commits$/.exec(rest) ?? [];
    const base_sha = number === undefined ? '' : shownText(listIn(listed[0]?.['parents'])[0]?.['sha']);
    if (base_sha !== '')
      this.#stubSides.set(`${repo}/${number}`, { base_sha, head_sha: shownText(listed.at(-1)?.['sha']) });
  }

  /** Adds reviews and reactions, whose subject is only in the path. */
  ofPath(repo: string, rest: string, each: JsonObject): void {
    const [, pull] = /^pulls\/(\d+)\/reviews/.exec(rest) ?? [];
    if (pull !== undefined && typeof each['id'] === 'number' && 'state' in each)
      this.#review(`${repo}/${pull}`, repo, each);
    const [, subject, reaction] = /^(.+?)\/reactions(?:\/(\d+))?$/.exec(rest) ?? [];
    if (subject !== undefined) this.#reaction(repo, subject, reaction === undefined ? each : { ...each, id: reaction });
  }

  /** Adds the comment on code that a reply refers to, at the same location. */
  repliedTo(repo: string, path: string, reply: JsonObject): void {
    const [, pull, recorded] = /\/pulls\/(\d+)\/comments\/(\d+)\/replies$/.exec(path) ?? [];
    if (pull === undefined || this.seed.isMade('review_comments', `${repo}/${recorded}`) || this.seed.ids.has(recorded))
      return;
    const id = this.seed.idOf('review_comments', repo, recorded);
    const row = { ...this.seed.fields('review_comments', reply), repo_id: repo, pull_id: `${repo}/${pull}` };
    this.seed.set('review_comments', id, { ...row, in_reply_to_id: null, review_id: null });
  }

  /**
   * Adds the branches of a pull request, if a call created it, and notes the first recorded commits that it compares. Branches of a fork are added to
   * the repository.
   */
  seenPull(repo: string, id: string, value: JsonObject): void {
    const [head, base] = [mapIn(value['head']), mapIn(value['base'])];
    const [headSha, baseSha] = [head, base].map((side) => shownText(side['sha']));
    if (SHA.test(baseSha) && SHA.test(headSha) && !this.#ends.has(id)) this.#ends.set(id, [baseSha, headSha]);
    if (!this.seed.isMade('pulls', id)) return;
    this.git.ref(repo, `refs/heads/${shownText(base['ref'])}`, baseSha);
    if (this.seed.isMade('git_refs', `${repo}/refs/heads/${shownText(head['ref'])}`)) return;
    this.git.ref(repo, `refs/heads/${shownText(head['ref'])}`, headSha);
    const commit = this.seed.get('commits', `${repo}/${headSha}`);
    if (commit && (commit['parent_shas'] as readonly string[]).length === 0) commit['parent_shas'] = [baseSha];
  }

  /** Adds a change of a file with a comment, from the comment's diff. */
  changed(repo: string, { pull_request_url: url, path, diff_hunk: hunk }: JsonObject): void {
    if (typeof path !== 'string' || typeof hunk !== 'string') return;
    const id = `${repo}/${lastPart(url)}`;
    const known = this.#hunks.get(id) ?? new Map<string, string>();
    this.#hunks.set(id, known);
    if (hunk.length >= (known.get(path) ?? '').length) known.set(path, hunk);
  }

  /** Adds objects that are only named, and the branches of open pull requests. */
  complete(login: string): void {
    // Removes milestones that no response shows.
    for (const row of this.seed.of('issues').values())
      if (!this.seed.of('milestones').has(shownText(row['milestone_id'])) && 'milestone_id' in row)
        row['milestone_id'] = null;
    for (const [id, merged_at] of this.#stubs) this.#completeNamed(id, merged_at, login);
    for (const [id, hunks] of this.#hunks) {
      const [base, head] = this.#ends.get(id) ?? [];
      const files = [...hunks].map(([filename, hunk]) => ({
        filename,
        status: /^@@ -0,0 /.test(hunk) ? 'added' : 'modified',
        patch: fromFirstLine(hunk),
      }));
      if (base !== undefined && head !== undefined)
        this.git.compared(id.slice(0, id.lastIndexOf('/')), base, head, files);
    }
    for (const [id, review] of this.#reviewStubs) this.seed.add('reviews', id, review);
    for (const [id, { repo_id, state, ...pull }] of this.seed.of('pulls')) {
      if (state !== 'open') continue;
      for (const side of ['head', 'base'])
        this.git.ref(
          shownText(repo_id),
          `refs/heads/${shownText(pull[`${side}_ref`])}`,
          shownText(pull[`${side}_sha`]),
        );
      if (!this.seed.of('issues').has(id)) this.seed.of('pulls').delete(id);
    }
  }

  #pull({ repo, part, id, value, row }: ShownObject): boolean {
    const [head, base] = [mapIn(value['head']), mapIn(value['base'])];
    if (!('ref' in head) || !('ref' in base)) return false;
    for (const side of ['head_sha', 'base_sha']) this.git.commit(repo, shownText(row[side]), {});
    if (head['repo'] === null) row['head_repo_id'] = null;
    row['issue_id'] = `${repo}/${part}`;
    row['merged'] = value['merged'] === true || (value['merged_at'] ?? null) !== null;
    row['mergeable'] = 'mergeable' in value ? value['mergeable'] : true;
    this.#mergeCheck(id, repo);
    const issue = this.seed.shown(['issues', repo, part, ''], value).row;
    this.seed.add('issues', id, {
      ...this.seed.fields('issues', value),
      ...pick(issue, ['tags', 'assigned']),
      ...{ repo_id: repo, is_pull: true, number: value['number'] ?? 0, user_login: shownText(row['user_login']) },
      milestone_id: milestoneOf(repo, value),
    });
    return true;
  }

  #review(pull_id: string, repo: string, value: JsonObject): void {
    const recorded = shownText(value['id']);
    if (this.seed.seen('reviews', repo, recorded) || this.seed.isMade('reviews', recorded)) return;
    const of = { repo_id: repo, pull_id, user_login: loginIn(value['user']) };
    this.seed.set('reviews', this.seed.idOf('reviews', repo, recorded), {
      ...this.seed.fields('reviews', value),
      ...of,
    });
  }

  #reviewOf(repo_id: string, pull_id: string, value: JsonObject): string | null {
    const recorded = shownText(value['pull_request_review_id']);
    if (recorded === '') return null;
    const id = this.seed.idOf('reviews', repo_id, recorded);
    const commit_id = value['original_commit_id'] ?? '';
    this.#reviewStubs.set(id, { repo_id, pull_id, user_login: loginIn(value['user']), commit_id, state: 'COMMENTED' });
    return id;
  }

  /** Adds a reaction that is listed or deleted, unless a call created it. */
  #reaction(repo: string, subject: string, value: JsonObject): void {
    const recorded = shownText(value['id']);
    const [, name, number] = /^(issues\/comments|pulls\/comments|issues|comments|releases)\/(\d+)$/.exec(subject) ?? [];
    if (name === undefined || recorded === '' || this.seed.isMade('reactions', recorded) || this.seed.ids.has(recorded))
      return;
    const [kind, collection] = REACTED_TO[name];
    const part = collection === null ? `${repo}/${number}` : this.seed.idOf(collection, repo, number);
    const user_login = loginIn(value['user']) || this.people.login;
    this.seed.set('reactions', this.seed.idOf('reactions', repo, recorded), {
      ...this.seed.fields('reactions', { content: '+1', ...value }),
      of: `${kind}:${part}`,
      ...(user_login !== undefined && { user_login }),
    });
  }

  #completeNamed(id: string, merged_at: Json, login: string): void {
    const [repo_id, number] = [id.slice(0, id.lastIndexOf('/')), Number(id.slice(id.lastIndexOf('/') + 1))];
    if (this.seed.of('pulls').has(id) || this.seed.isMade('pulls', id) || this.seed.isMade('repos', `${repo_id}/`))
      return;
    const issue = this.seed.get('issues', id);
    if (!issue && this.seed.isMade('issues', id)) return;
    const sides = this.#stubSides.get(id) ?? { base_sha: digest(id), head_sha: digest(id) };
    for (const sha of [sides.base_sha, sides.head_sha]) this.git.commit(repo_id, sha, {});
    const base = { repo_id, number, state: issue?.['state'] ?? 'open' };
    if (!issue) this.seed.set('issues', id, { ...base, is_pull: true, title: 'a pull request' });
    this.seed.set('pulls', id, {
      ...base,
      ...{ issue_id: id, merged_at, merged: merged_at !== null, reviewers: [], mergeable: true },
      ...{ ...sides, head_ref: 'topic', base_ref: 'main', user_login: issue?.['user_login'] ?? login },
    });
    this.#mergeCheck(id, repo_id);
  }

  #mergeCheck(pull_id: string, repo_id: string): void {
    this.seed.set('merge_checks', pull_id, { id: `merge_check_${this.seed.next()}`, pull_id, repo_id, status: 'done' });
  }
}

/** Returns the last segment of a URL, which identifies the object. */
function lastPart(url: Json | undefined): string {
  return shownText(url).split('/').at(-1) ?? '';
}

function milestoneOf(repo: string, value: JsonObject): string | null {
  const { number } = mapIn(value['milestone']);
  return number === undefined ? null : `${repo}/${shownText(number)}`;
}

/** Adds empty lines before a hunk, so that its lines keep their numbers. */
function fromFirstLine(hunk: string): string {
  const [, before, after] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(hunk) ?? [];
  return ' \n'.repeat(Math.max(0, Math.min(Number(before ?? 1), Number(after ?? 1)) - 1)) + hunk;
}
