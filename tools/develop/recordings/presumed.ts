import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Sandbox } from '../../../engine/index.js';
import type { Recorded } from '../../recordings/read.js';
import { parsed } from '../../recordings/replay.js';
import { PresumedGit } from './presumed-git.js';
import { PresumedObjects } from './presumed-objects.js';
import { API, BARE_RUN, EMPTY_BLOB, KINDS, NUMBERED, PLAIN_USER, REACTED_TO, SHA, USED_BY } from './presumed-tables.js';
import {
  digest,
  inOrder,
  listIn,
  mapIn,
  milestoneOf,
  pick,
  shownText,
  toBase64,
  whatWasAsked,
  type PresumedRow,
} from './presumed-values.js';

/** The world that a recording of the code host presumes: what its responses show and none of its calls has made. */
export interface PresumedWorld {
  readonly seed: Record<string, JsonObject[]>;
  /** Whose credentials the calls had. */
  readonly login: string;
  /** The app that calls with a JSON Web Token; null: none does. */
  readonly app: string | null;
  /** Recorded ids and what stands for them here, and paths likewise. */
  readonly ids: ReadonlyMap<string, string>;
  readonly paths: ReadonlyMap<string, string>;
  /** Whom recorded invitations are for. */
  readonly invited: ReadonlyMap<string, string>;
}

/** The key of the person who recorded. */
export const RECORDED_TOKEN = 'ghp_of_the_recording';
/** The key of a person who was invited in a recording. */
export function tokenOf(login: string): string {
  return `ghp_of${createHash('sha1').update(login).digest('hex').slice(0, 34)}`;
}
/** Reads recordings of the code host. */
export class Presumption {
  readonly #objects: PresumedObjects;
  readonly #git: PresumedGit;
  readonly #paths = new Map<string, string>();
  readonly #branches = new Map<string, string>();
  readonly #firstNumber = new Map<string, number>();
  readonly #lastNumber = new Map<string, number>();
  readonly #invited = new Map<string, string>();
  #login: string | undefined;
  #app: string | null = null;

  constructor(private readonly sandbox: Sandbox) {
    this.#objects = new PresumedObjects(sandbox);
    this.#git = new PresumedGit(this.#objects);
  }

  /** The world that some calls presume. */
  of(calls: readonly Recorded[]): PresumedWorld {
    const responses = calls.map((call) => (call.status < 300 ? (parsed(call.text) ?? null) : undefined));
    this.#login = responses
      .filter((body, at) => calls[at].url.pathname === '/user' && isObject(body ?? null))
      .map((body) => shownText((body as JsonObject)['login']))
      .find(Boolean);
    for (const [at, call] of calls.entries()) this.#read(call, responses[at]);
    const [first] = this.#objects.of('users').values();
    this.#login ??= first === undefined || first['type'] === 'Organization' ? 'octo' : shownText(first['id']);
    this.#complete();
    const seed = Object.fromEntries(
      [...this.#objects.all]
        .filter(([, rows]) => rows.size > 0)
        .map(([name, rows]) => [name, name === 'notifications' ? inOrder([...rows.values()]) : [...rows.values()]]),
    );
    return {
      seed,
      login: this.#login,
      app: this.#app,
      ids: this.#objects.ids,
      paths: this.#paths,
      invited: this.#invited,
    };
  }

  #read(call: Recorded, body: Json | undefined): void {
    const path = decodeURI(call.url.pathname);
    const [, strange] = /^\/orgs\/([^/]+)\/members\/[^/]+$/.exec(path) ?? [];
    if (strange !== undefined && call.status === 302) this.#objects.made.add(`strange ${strange}`);
    if (body === undefined) return;
    this.#ofApps(path, body);
    this.#ofSettings(call, path, body);
    this.#ofPerson(call, path, body);
    const created = call.method !== 'GET' && (call.status === 201 || /\/contents\/|\/merges?$/.test(path));
    if (created && isObject(body) && this.#has(call)) {
      const owner = shownText(mapIn(body['owner'])['login']);
      if (owner !== '' && shownText(body['default_branch']) !== '')
        this.#branches.set(`new ${owner}`, shownText(body['default_branch']));
      const org = /^\/orgs\/([^/]+)\/teams$/.exec(path)?.[1];
      if (org !== undefined) this.#objects.made.add(`teams ${org}/${shownText(body['slug'])}`);
      for (const each of [body, body['content'], body['commit']]) this.#make(each, path);
      if (/\/merges?$/.test(path) && typeof body['sha'] === 'string')
        this.#objects.made.add(`commits ${path.split('/').slice(2, 4).join('/')}/${body['sha']}`);
    }
    if (call.method === 'POST' && path.endsWith('/reactions')) this.#madeReactions.add(shownText(mapIn(body)['id']));
    if (created && Array.isArray(body)) for (const each of body as readonly Json[]) this.#make(each, path);
    this.#visit(whatWasAsked(call.url, path, body), path);
    const [, named] =
      /^\/(?:users|orgs)\/([^/]+)|\/(?:collaborators|memberships|members|assignees)\/([^/]+)/
        .exec(path)
        ?.filter(Boolean) ?? [];
    if (named !== undefined && !this.#objects.of('users').has(named))
      this.#user({ login: named, type: path.startsWith('/orgs/') ? 'Organization' : 'User' });
    const repo = /^\/repos\/([^/]+\/[^/]+)/.exec(path)?.[1];
    if (repo === undefined) return;
    if (call.method !== 'GET') this.#branches.set(`wrote ${repo}`, 'admin');
    if (!this.#objects.of('repos').has(repo) && !this.#objects.made.has(`repos ${repo}/`))
      this.#objects.of('repos').set(repo, { id: repo, name: repo.split('/')[1], owner_login: repo.split('/')[0] });
    const teams = mapIn(parsed(call.body))['team_reviewers'];
    if (Array.isArray(teams))
      for (const slug of teams as readonly Json[]) this.#askedTeam(repo.split('/')[0], shownText(slug));
    const pull = /^\/repos\/[^/]+\/[^/]+\/pulls\/(\d+)(?:\/|$)/.exec(path)?.[1];
    if (pull !== undefined) this.#pullStubs.set(`${repo}/${pull}`, null);
    // What a call names was there, unless a call before made it.
    for (const [sha] of `${path} ${call.body}`.matchAll(/\b[0-9a-f]{40}\b/g))
      if (!this.#git.isObject(repo, sha)) this.#git.commit(repo, sha, {});
    if (call.method === 'POST' && isObject(body)) this.#objects.made.add(`reviews ${String(body['id'])}`);
    this.#repliedTo(repo, path, mapIn(body));
    this.#ofPath(repo, path, body, call.url.searchParams.get('ref'));
  }

  /** Whether the pack has a call. What others made is there from the beginning. */
  #has({ method, url }: Recorded): boolean {
    return this.sandbox.engine.pack.routes.match(method, url.pathname).kind === 'operation';
  }

  /** What an object is by its own address. */
  #kindOf(value: Json | undefined): readonly [string, string, string, string] | undefined {
    if (!isObject(value ?? null)) return undefined;
    const { url } = value as JsonObject;
    if (typeof url !== 'string' || !API.test(url)) return undefined;
    const path = decodeURI(url.replace(API, ''));
    for (const [pattern, kind] of KINDS) {
      const found = pattern.exec(path);
      if (found) return [kind, found[1], found[2] ?? '', path];
    }
    return undefined;
  }

  /** A call made an object: nothing presumes it, unless it was seen before. */
  #make(value: Json | undefined, path: string): void {
    const kind = this.#kindOf(value);
    if (!kind) return;
    const [name, repo, part] = kind;
    const { number } = value as JsonObject;
    if (
      /^(?:issues|pulls)$/.test(name) &&
      typeof number === 'number' &&
      !this.#firstNumber.has(repo) &&
      /\/(?:issues|pulls)$/.test(path)
    )
      this.#firstNumber.set(repo, number);
    if (name === 'milestones' && typeof number === 'number') this.#beforeMilestone(repo, number - 1);
    const key = `${name} ${repo}/${part}`;
    if (!this.#seen(name, repo, part))
      this.#objects.made.add(name === 'repos' || name === 'users' ? `${name} ${repo}/` : key);
    // Both are made at once.
    if (name === 'pulls') this.#objects.made.add(`issues ${repo}/${part}`);
    if (name === 'commits') this.#objects.made.add(`commits ${repo}/${part}`);
    if (name === 'contents' && isObject(value ?? null))
      this.#objects.made.add(`blobs ${repo}/${shownText((value as JsonObject)['sha'])}`);
  }

  /** Milestones count on from the last one. */
  #beforeMilestone(repo: string, number: number): void {
    const id = `${repo}/${number}`;
    if (
      number > 0 &&
      !this.#objects.made.has(`milestones ${id}`) &&
      !this.#objects.of('milestones').has(id) &&
      !this.#objects.made.has(`repos ${repo}/`)
    )
      this.#objects.of('milestones').set(id, { id, repo_id: repo, number, title: 'an old one', state: 'closed' });
  }

  #seen(name: string, repo: string, part: string): boolean {
    const rows = this.#objects.of(name);
    return rows.has(
      name === 'repos' || name === 'users'
        ? repo
        : name in NUMBERED
          ? (this.#objects.ids.get(part) ?? '')
          : `${repo}/${part}`,
    );
  }

  #visit(value: Json, path: string): void {
    if (Array.isArray(value)) {
      for (const each of value as readonly Json[]) this.#visit(each, path);
      return;
    }
    if (!isObject(value)) return;
    const kind = this.#kindOf(value);
    if (kind) this.#take(kind, value);
    if (typeof value['login'] === 'string') this.#user(value);
    if (typeof value['slug'] === 'string' && 'members_url' in value) this.#team(value);
    if ('unread' in value && 'subject' in value) this.#notification(value);
    for (const each of Object.values(value)) this.#visit(each, path);
  }

  #user(value: JsonObject): void {
    const login = shownText(value['login']);
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?$/.test(login)) return;
    const users = this.#objects.of('users');
    const known = users.get(login);
    if (
      known?.['type'] === 'Organization' &&
      known['profile'] === undefined &&
      typeof value['description'] === 'string'
    )
      known['profile'] = { description: value['description'] };
    const type =
      value['type'] === 'Organization' || 'members_url' in value
        ? 'Organization'
        : value['type'] === 'Bot'
          ? 'Bot'
          : 'User';
    const isFull = 'public_repos' in value || 'created_at' in value;
    const before = mapIn(known?.['profile']);
    if (known && !(isFull && (before['created_at'] === undefined || !('billing_email' in before)))) return;
    const profile = isFull
      ? { ...before, ...Object.fromEntries(Object.entries(value).filter(([key]) => !PLAIN_USER.has(key))) }
      : type === 'Organization' && 'description' in value
        ? pick(value, ['description'])
        : undefined;
    users.set(login, {
      id: login,
      type,
      ...(typeof value['id'] === 'number' && { num: value['id'] }),
      ...(profile && { profile }),
    });
  }

  #notification(value: JsonObject): void {
    const repo = shownText(mapIn(value['repository'])['full_name']);
    const id = this.#objects.idOf('notifications', repo, shownText(value['id']));
    const row = { ...this.#objects.fields('notifications', value), id, repo_id: repo, about: null };
    if (!this.#objects.of('notifications').has(id))
      this.#objects.of('notifications').set(id, { ...row, state: value['unread'] === true ? 'unread' : 'read' });
  }

  #team(value: JsonObject): void {
    const org =
      /\/orgs\/([^/]+)\/teams\//.exec(shownText(value['html_url']))?.[1] ??
      shownText(mapIn(value['organization'])['login']);
    const id = `${org}/${shownText(value['slug'])}`;
    if (org === '' || this.#objects.made.has(`teams ${id}`)) return;
    const known = this.#objects.of('teams').get(id);
    const parent = mapIn(value['parent']);
    if (known && 'slug' in parent) known['parent_id'] ??= `${org}/${shownText(parent['slug'])}`;
    if (known) return;
    this.#objects.of('teams').set(id, {
      ...this.#objects.fields('teams', value),
      ...('slug' in parent && { parent_id: `${org}/${shownText(parent['slug'])}` }),
      id,
      org,
      ...(typeof value['id'] === 'number' && { num: value['id'] }),
    });
    if (!this.#objects.of('users').has(org)) this.#objects.of('users').set(org, { id: org, type: 'Organization' });
  }

  #askedTeam(org: string, slug: string): void {
    const id = `${org}/${slug}`;
    if (!this.#objects.made.has(`teams ${id}`) && !this.#objects.of('teams').has(id))
      this.#objects.of('teams').set(id, { id, org, slug, name: slug, description: '' });
  }

  #take([name, repo, part, path]: readonly [string, string, string, string], value: JsonObject): void {
    if (name === 'users' || name === 'contents') return;
    if (name === 'repos') return this.#repo(repo, value);
    if (name === 'pulls' && this.#objects.made.has(`pulls ${repo}/${part}`)) this.#sides(repo, value);
    if (this.#objects.made.has(`${name} ${repo}/${part}`)) return;
    if (name === 'commits') return this.#git.commit(repo, part, value);
    if (this.#seen(name, repo, part)) return;
    if (/^(?:issues|pulls)$/.test(name) && typeof value['title'] !== 'string') return;
    if (/^(?:comments|review_comments)$/.test(name) && !('body' in value)) return;
    const id = this.#objects.idOf(name, repo, name === 'labels' ? shownText(value['name']) || part : part);
    const row: Record<string, Json> = { ...this.#objects.fields(name, value), id, repo_id: repo };
    if (typeof value['id'] === 'number' && !(name in NUMBERED)) row['num'] = value['id'];
    const user = isObject(value['user'] ?? null) ? (value['user'] as JsonObject) : null;
    const maker = shownText(
      (user ?? (isObject(value['creator'] ?? null) ? (value['creator'] as JsonObject) : {}))['login'],
    );
    if (maker !== '' && USED_BY.has(name)) row['user_login'] = maker;
    const number = value['number'];
    if (typeof number === 'number' && /^(?:issues|pulls)$/.test(name))
      this.#lastNumber.set(repo, Math.max(number, this.#lastNumber.get(repo) ?? 0));
    switch (name) {
      case 'issues':
        row['tags'] = listIn(value['labels'])
          .map((each) => shownText(each['name']))
          .filter(Boolean);
        row['assigned'] = listIn(value['assignees']).map((each) => shownText(each['login']));
        row['closer'] = isObject(value['closed_by'] ?? null)
          ? shownText((value['closed_by'] as JsonObject)['login'])
          : null;
        row['is_pull'] = 'pull_request' in value;
        row['comment_count'] = typeof value['comments'] === 'number' ? value['comments'] : 0;
        if (row['is_pull']) this.#pullStubs.set(id, mapIn(value['pull_request'])['merged_at'] ?? null);
        row['milestone_id'] = milestoneOf(repo, value);
        break;
      case 'pulls': {
        const [head, base] = [mapIn(value['head']), mapIn(value['base'])];
        if (!('ref' in head) || !('ref' in base)) return;
        row['issue_id'] = `${repo}/${part}`;
        for (const [side, at] of [
          ['head', head],
          ['base', base],
        ] as const) {
          row[`${side}_ref`] = shownText(at['ref']);
          row[`${side}_sha`] = shownText(at['sha']);
          if (SHA.test(shownText(at['sha']))) this.#git.commit(repo, shownText(at['sha']), {});
        }
        if (head['repo'] === null) row['head_repo_id'] = null;
        row['reviewers'] = listIn(value['requested_reviewers']).map((each) => shownText(each['login']));
        row['merged'] = value['merged'] === true || (value['merged_at'] ?? null) !== null;
        row['merger'] = isObject(value['merged_by'] ?? null)
          ? shownText((value['merged_by'] as JsonObject)['login'])
          : null;
        row['mergeable'] = 'mergeable' in value ? value['mergeable'] : true;
        this.#objects.of('merge_checks').set(id, {
          id: `merge_check_${this.#objects.count++}`,
          pull_id: id,
          repo_id: repo,
          status: 'done',
        });
        const issue = {
          ...this.#objects.fields('issues', value),
          id,
          repo_id: repo,
          is_pull: true,
          number: value['number'] ?? 0,
          user_login: maker,
        };
        const tags = listIn(value['labels']).map((each) => shownText(each['name']));
        const assigned = listIn(value['assignees']).map((each) => shownText(each['login']));
        if (!this.#objects.of('issues').has(id))
          this.#objects.of('issues').set(id, { ...issue, tags, assigned, milestone_id: milestoneOf(repo, value) });
        break;
      }
      case 'comments': {
        const issue = shownText(value['issue_url']).split('/').at(-1) ?? '';
        const of = `${repo}/${issue}`;
        row['issue_id'] = of;
        if (!this.#objects.of('issues').has(of) && !this.#objects.made.has(`issues ${of}`)) {
          const stub = { id: of, repo_id: repo, number: Number(issue), title: 'an issue', state: 'open' };
          this.#objects.of('issues').set(of, stub);
        }
        break;
      }
      case 'review_comments':
        row['pull_id'] = `${repo}/${shownText(value['pull_request_url']).split('/').at(-1) ?? ''}`;
        if (this.#objects.made.has(`reviews ${shownText(value['pull_request_review_id'])}`)) return;
        row['review_id'] = this.#reviewOf(repo, shownText(row['pull_id']), value);
        break;
      case 'workflows':
        row['triggers'] = ['push', 'workflow_dispatch'];
        break;
      case 'git_refs': {
        const sha = shownText(mapIn(value['object'])['sha']);
        row['sha'] = sha;
        row['ref'] = part;
        this.#git.commit(repo, sha, {});
        break;
      }
      case 'releases':
        row['user_login'] = shownText(mapIn(value['author'])['login']);
        for (const each of listIn(value['assets'])) this.#asset(repo, id, each);
        break;
      case 'release_assets':
        // An asset does not say its release: it is put into one of its own unless a release shows it.
        row['release_id'] = this.#objects.idOf('releases', repo, `of ${part}`);
        this.#objects
          .of('releases')
          .set(row['release_id'], { id: row['release_id'], repo_id: repo, tag_name: `of-${part}` });
        row['user_login'] = shownText(mapIn(value['uploader'])['login']);
        break;
      case 'issue_events': {
        const number = shownText(mapIn(value['issue'])['number']);
        if (number === '') return;
        row['issue_id'] = `${repo}/${number}`;
        row['actor_login'] = shownText(mapIn(value['actor'])['login']) || null;
        break;
      }
      case 'deployment_statuses':
        row['deployment_id'] = this.#objects.idOf('deployments', repo, /deployments\/(\d+)/.exec(path)?.[1] ?? '');
        break;
      case 'tags':
        row['target_sha'] = shownText(mapIn(value['object'])['sha']);
        row['sha'] = part;
        break;
      case 'artifacts': {
        const run = shownText(mapIn(value['workflow_run'])['id']);
        row['run_id'] = run === '' ? null : this.#run(repo, run, mapIn(value['workflow_run']));
        break;
      }
      case 'blobs':
        row['base64'] = shownText(value['content']).replaceAll('\n', '');
        row['sha'] = part;
        break;
      case 'trees':
        if (!Array.isArray(value['tree'])) return;
        row['files'] = listIn(value['tree'])
          .filter((each) => each['type'] !== 'tree')
          .map((each) => ({ path: each['path'] ?? '', mode: each['mode'] ?? '100644', sha: each['sha'] ?? '' }));
        for (const each of listIn(value['tree'])) {
          const key = `${repo}/${shownText(each['sha'])}`;
          if (each['type'] === 'blob' && !this.#objects.of('blobs').has(key) && !this.#objects.made.has(`blobs ${key}`))
            this.#objects.of('blobs').set(key, {
              id: key,
              repo_id: repo,
              sha: each['sha'],
              size: each['size'] ?? 0,
              base64: '',
            });
        }
        row['folders'] = listIn(value['tree'])
          .filter((each) => each['type'] === 'tree')
          .map((each) => pick(each, ['path', 'sha']));
        row['entries'] = listIn(value['tree']).map(({ url: _url, ...each }) => each);
        break;
      case 'check_suites':
        this.#git.commit(repo, shownText(value['head_sha']), {
          ...mapIn(value['head_commit']),
          tree: { sha: shownText(mapIn(value['head_commit'])['tree_id']) },
        });
        this.#runOf(repo, id, value);
        break;
      case 'check_runs':
        row['check_suite_id'] = this.#suite(repo, mapIn(value['check_suite'])['id'], shownText(value['head_sha']));
        row['output_given'] = pick(mapIn(value['output']), ['title', 'summary', 'text']);
        break;
      case 'workflow_runs':
        row['workflow_ref'] = this.#workflow(
          repo,
          value['workflow_id'],
          shownText(value['name']),
          shownText(value['path']),
        );
        row['user_login'] = shownText(mapIn(value['actor'])['login']);
        this.#git.commit(repo, shownText(value['head_sha']), mapIn(value['head_commit']));
        for (const [key, first] of Object.entries(BARE_RUN)) row[key] ??= first;
        if (row['user_login'] === '') delete row['user_login'];
        break;
      case 'workflow_jobs':
        row['head_branch'] ??= 'main';
        row['run'] = this.#objects.ids.get(String(value['run_id'])) ?? null;
        break;
    }
    for (const key of Object.keys(row)) if (!this.#objects.def(name).schema.fields.has(key)) delete row[key];
    this.#objects.of(name).set(id, row);
    this.#paths.set(path, path.replace(part, name in NUMBERED ? id : part));
  }

  /** A comment on code that is replied to was there, at the same place. */
  #repliedTo(repo: string, path: string, reply: JsonObject): void {
    const [, pull, recorded] = /\/pulls\/(\d+)\/comments\/(\d+)\/replies$/.exec(path) ?? [];
    if (
      pull === undefined ||
      this.#objects.made.has(`review_comments ${repo}/${recorded}`) ||
      this.#objects.ids.has(recorded)
    )
      return;
    const id = this.#objects.idOf('review_comments', repo, recorded);
    const row = { ...this.#objects.fields('review_comments', reply), id, repo_id: repo, pull_id: `${repo}/${pull}` };
    this.#objects.of('review_comments').set(id, { ...row, in_reply_to_id: null, review_id: null });
  }

  /** Reviews that only their comments show. */
  readonly #reviewStubs = new Map<string, PresumedRow>();
  #reviewOf(repo_id: string, pull_id: string, value: JsonObject): string | null {
    const recorded = shownText(value['pull_request_review_id']);
    if (recorded === '') return null;
    const id = this.#objects.idOf('reviews', repo_id, recorded);
    const user_login = shownText(mapIn(value['user'])['login']);
    const commit_id = value['original_commit_id'] ?? '';
    this.#reviewStubs.set(id, { id, repo_id, pull_id, user_login, commit_id, state: 'COMMENTED' });
    return id;
  }

  /** A suite is over by its runs: one of them says how. */
  #runOf(repo: string, check_suite_id: string, value: JsonObject): void {
    const { conclusion, head_sha } = value;
    if (typeof conclusion !== 'string') return;
    const id = this.#objects.idOf('check_runs', repo, `of suite ${check_suite_id}`);
    const row = { id, repo_id: repo, check_suite_id, head_sha: head_sha ?? '', name: 'a check', status: 'completed' };
    this.#objects.of('check_runs').set(id, { ...row, conclusion, output_given: {} });
  }

  /** A run that is only named. */
  #run(repo: string, recorded: string, value: JsonObject): string {
    const id = this.#objects.idOf('workflow_runs', repo, recorded);
    const workflow_ref = this.#workflow(repo, undefined, 'CI', '');
    const row = { ...BARE_RUN, id, repo_id: repo, workflow_ref, status: 'completed' };
    const head = pick(value, ['head_branch', 'head_sha']);
    if (!this.#objects.of('workflow_runs').has(id))
      this.#objects.of('workflow_runs').set(id, { ...row, ...head, conclusion: 'success' });
    return id;
  }

  /** Apps and where they are installed. */
  #ofApps(path: string, body: Json): void {
    const named = /^\/app\/installations\/(\d+)/.exec(path)?.[1];
    const shown = [...(Array.isArray(body) ? listIn(body) : [mapIn(body)]), ...listIn(mapIn(body)['installations'])];
    if (path === '/app' && isObject(body)) {
      this.#appOf(body);
      return;
    }
    for (const each of shown.filter((one) => 'access_tokens_url' in one)) {
      const app = this.#appOf(pick(each, ['permissions', 'events']));
      const account = mapIn(each['account']);
      if (typeof account['login'] === 'string') this.#user(account);
      this.#installation(shownText(each['id']), app, shownText(account['login']), each);
    }
    const given = mapIn(mapIn(body)['permissions']);
    if (named !== undefined && path.endsWith('/access_tokens')) this.#appOf({ permissions: given });
    if (named !== undefined && !this.#objects.ids.has(named))
      this.#installation(named, this.#appOf({ slug: 'app', permissions: mapIn(body)['permissions'] ?? {} }), '', {});
    if (path === '/installation/repositories') {
      const owner = shownText(mapIn(listIn(mapIn(body)['repositories'])[0]?.['owner'])['login']);
      this.#branches.set('installation', this.#installation('1', this.#appOf({ slug: 'app' }), owner, {}));
    }
  }

  /** All calls of a recording are one app's. */
  #appOf(value: JsonObject): string {
    const id = '3490000';
    this.#app = id;
    const known = this.#objects.of('apps').get(id);
    if (known) known['permissions'] = { ...mapIn(known['permissions']), ...mapIn(value['permissions']) };
    if (known && !('external_url' in value)) return id;
    this.#objects.of('apps').set(id, {
      name: 'an app',
      slug: 'app',
      ...this.#objects.fields('apps', value),
      id,
      ...('owner' in value && { owner_login: shownText(mapIn(value['owner'])['login']) }),
    });
    return id;
  }

  #installation(recorded: string, app: string, login: string, value: JsonObject): string {
    const id = this.#objects.idOf('installations', '', recorded);
    const row = { ...this.#objects.fields('installations', value), id, app_id: app };
    if (this.#objects.of('installations').get(id)?.['account_login'] === undefined)
      this.#objects.of('installations').set(id, { ...row, ...(login !== '' && { account_login: login }) });
    return id;
  }

  /** Secrets, variables, labels and rules of branches that a call presumes. */
  #ofSettings({ method, status, url, body: sent }: Recorded, path: string, body: Json): void {
    const [, place, kind, name] = /^(.*)\/(secrets|variables)(?:\/([^/]+))?$/.exec(path) ?? [];
    const put = (what: string, value: JsonObject): void => {
      const called = shownText(value['name']).toUpperCase();
      const id = `${place}/${called}`;
      if (called === '' || this.#objects.made.has(`${what} ${id}`) || this.#objects.of(what).has(id)) return;
      this.#objects.of(what).set(id, { ...this.#objects.fields(what, value), id, place, name: called });
    };
    if (kind !== undefined) {
      for (const each of listIn(mapIn(body)[kind])) put(kind, each);
      const isMade = status === 201;
      const own = name ?? shownText(mapIn(body)['name'] ?? mapIn(parsed(sent))['name']);
      if (isMade && own !== '') this.#objects.made.add(`${kind} ${place}/${own.toUpperCase()}`);
      else if (name !== undefined && name !== 'public-key')
        put(kind, { value: 'a value', ...(method === 'GET' ? mapIn(body) : {}), name });
      if (url.pathname.startsWith('/orgs/')) this.#user({ login: path.split('/')[2], type: 'Organization' });
    }
    const label = /^\/repos\/([^/]+\/[^/]+)\/labels\/(.+)$/.exec(path);
    if (label && (method === 'DELETE' || method === 'PATCH')) {
      const id = `${label[1]}/${decodeURIComponent(label[2])}`;
      if (!this.#objects.made.has(`labels ${id}`) && !this.#objects.of('labels').has(id))
        this.#objects.of('labels').set(id, { id, repo_id: label[1], name: decodeURIComponent(label[2]) });
    }
    const rules = /^\/repos\/([^/]+\/[^/]+)\/branches\/([^/]+)\/protection(?:\/(\w+))?(?:\/(\w+))?$/.exec(path);
    if (rules) this.#protection(rules, method, body);
    if (rules?.[4] === 'teams')
      for (const each of [body, parsed(sent) ?? null])
        for (const team of Array.isArray(each) ? (each as readonly Json[]) : [])
          this.#askedTeam(rules[1].split('/')[0], shownText(mapIn(team)['slug']) || shownText(team));
    const member = /^\/orgs\/([^/]+)\/(?:public_)?members\/([^/]+)$/.exec(path);
    const set = /^\/orgs\/([^/]+)\/memberships\/([^/]+)$/.exec(path);
    if (set && method === 'PUT') this.#objects.made.add(`members ${set[1]}/${set[2]}`);
    if (member && method === 'GET' && status === 204 && !this.#objects.made.has(`members ${member[1]}/${member[2]}`))
      this.#objects.of('org_members').set(`${member[1]}/${member[2]}`, {
        id: `${member[1]}/${member[2]}`,
        org: member[1],
        login: member[2],
        role: 'member',
        state: 'active',
        public: path.includes('/public_members/'),
      });
  }

  /** What lists of the caller and searches of code show. */
  #ofPerson({ url, method }: Recorded, path: string, body: Json): void {
    if (path === '/user/emails') this.#emails = listIn(body);
    if (path === '/user/teams')
      for (const each of listIn(body)) {
        const team_id = `${shownText(mapIn(each['organization'])['login'])}/${shownText(each['slug'])}`;
        this.#myTeams.add(team_id);
      }
    const invitation = mapIn(body);
    if (method === 'PUT' && /\/collaborators\/[^/]+$/.test(path) && 'invitee' in invitation)
      this.#invited.set(shownText(invitation['id']), shownText(mapIn(invitation['invitee'])['login']));
    if (path !== '/search/code') return;
    // What was found has the words that were looked for.
    const text = (url.searchParams.get('q') ?? '').replaceAll('"', '');
    for (const each of listIn(mapIn(body)['items'])) {
      const repo = shownText(mapIn(each['repository'])['full_name']);
      if (repo !== '') this.#git.file(repo, { ...pick(each, ['path', 'sha']), content: toBase64(text) }, null);
    }
  }
  #emails: readonly JsonObject[] = [];
  readonly #myTeams = new Set<string>();

  readonly #rules = new Map<string, Record<string, Json>>();
  /** What is read of the rules of a branch was there, unless a call before set it. */
  #protection([, repo, branch, part, below]: readonly string[], method: string, body: Json): void {
    const id = `${repo}/refs/heads/${branch}`;
    const known = this.#rules.get(id) ?? {};
    if (method === 'PUT' && part === undefined) this.#objects.made.add(`rules ${id}`);
    if (this.#objects.made.has(`rules ${id}`)) return;
    if (part === undefined) Object.assign(known, body);
    else if (below === undefined && isObject(body) && !(part in known)) known[part] = body;
    else if (below === 'contexts' && !(part in known)) known[part] = { strict: false, contexts: body, checks: [] };
    else if (part === 'restrictions' && listIn(mapIn(known[part])[below]).length === 0 && Array.isArray(body))
      known[part] = { users: [], teams: [], apps: [], ...mapIn(known[part]), [below]: body };
    else if (!(part in known) && /POST|DELETE/.test(method)) known[part] = { enabled: method === 'DELETE' };
    this.#rules.set(id, known);
  }

  #asset(repo: string, release: string, value: JsonObject): void {
    const id = this.#objects.idOf('release_assets', repo, shownText(value['id']));
    const uploader = shownText(mapIn(value['uploader'])['login']);
    const row = { ...this.#objects.fields('release_assets', value), id, repo_id: repo, release_id: release };
    this.#objects.of('release_assets').set(id, { ...row, ...(uploader !== '' && { user_login: uploader }) });
  }

  /** Pull requests that are only named, with the time of their merge. */
  readonly #pullStubs = new Map<string, Json>();
  /** The ends of what such a pull request proposes, by its list of commits. */
  readonly #pullSides = new Map<string, { readonly base_sha: string; readonly head_sha: string }>();
  #completePulls(): void {
    for (const [id, merged_at] of this.#pullStubs) {
      const [repo_id, number] = [id.slice(0, id.lastIndexOf('/')), Number(id.slice(id.lastIndexOf('/') + 1))];
      if (
        this.#objects.of('pulls').has(id) ||
        this.#objects.made.has(`pulls ${id}`) ||
        this.#objects.made.has(`repos ${repo_id}/`)
      )
        continue;
      const issue = this.#objects.of('issues').get(id);
      if (!issue && this.#objects.made.has(`issues ${id}`)) continue;
      const { base_sha, head_sha } = this.#pullSides.get(id) ?? { base_sha: digest(id), head_sha: digest(id) };
      for (const sha of [base_sha, head_sha]) this.#git.commit(repo_id, sha, {});
      const state = issue?.['state'] ?? 'open';
      const base = { id, repo_id, number, state };
      if (!issue) this.#objects.of('issues').set(id, { ...base, is_pull: true, title: 'a pull request' });
      this.#objects.of('pulls').set(id, {
        ...base,
        issue_id: id,
        merged_at,
        merged: merged_at !== null,
        ...{ head_ref: 'topic', head_sha, base_ref: 'main', base_sha, reviewers: [], mergeable: true },
        user_login: issue?.['user_login'] ?? this.#login ?? 'octo',
      });
      const check = { id: `merge_check_${this.#objects.count++}`, pull_id: id, repo_id, status: 'done' };
      this.#objects.of('merge_checks').set(id, check);
    }
  }

  /** The branches that a pull request was made of; those of a fork are put into the repository. */
  #sides(repo: string, value: JsonObject): void {
    const [head, base] = [mapIn(value['head']), mapIn(value['base'])];
    this.#git.ref(repo, `refs/heads/${shownText(base['ref'])}`, shownText(base['sha']));
    const sha = shownText(head['sha']);
    if (this.#objects.made.has(`git_refs ${repo}/refs/heads/${shownText(head['ref'])}`)) return;
    this.#git.ref(repo, `refs/heads/${shownText(head['ref'])}`, sha);
    const commit = this.#objects.of('commits').get(`${repo}/${sha}`);
    if (commit && Array.isArray(commit['parent_shas']) && commit['parent_shas'].length === 0)
      commit['parent_shas'] = [shownText(base['sha'])];
  }

  #suite(repo: string, recorded: Json | undefined, sha: string): string {
    const id = this.#objects.idOf('check_suites', repo, String(recorded ?? this.#objects.count));
    if (!this.#objects.of('check_suites').has(id))
      this.#objects.of('check_suites').set(id, { id, repo_id: repo, head_sha: sha, head_branch: null });
    return id;
  }

  #workflow(repo: string, recorded: Json | undefined, name: string, path: string): string {
    const id = this.#objects.idOf('workflows', repo, String(recorded ?? this.#objects.count));
    if (!this.#objects.of('workflows').has(id))
      this.#objects.of('workflows').set(id, {
        id,
        repo_id: repo,
        name,
        path: path || '.github/workflows/ci.yml',
        state: 'active',
        triggers: ['push', 'workflow_dispatch'],
      });
    return id;
  }

  #repo(repo: string, value: JsonObject): void {
    const repos = this.#objects.of('repos');
    const known = repos.get(repo);
    const full = 'default_branch' in value;
    const parent = mapIn(value['parent']);
    if (this.#objects.made.has(`repos ${repo}/`)) return;
    if (known && (known['default_branch'] !== undefined || !full)) {
      for (const [key, stored] of Object.entries(this.#objects.fields('repos', value))) known[key] ??= stored;
      if (typeof value['id'] === 'number') known['num'] ??= value['id'];
      return;
    }
    const owner = repo.split('/')[0];
    const num: JsonObject = typeof value['id'] === 'number' ? { num: value['id'] } : {};
    repos.set(repo, {
      ...this.#objects.fields('repos', value),
      id: repo,
      name: repo.split('/')[1],
      owner_login: owner,
      ...num,
      ...(typeof parent['full_name'] === 'string' && { forked_from: parent['full_name'] }),
    });
    const role = mapIn(value['permissions']);
    const permission =
      role['admin'] === true ? 'admin' : role['push'] === true ? 'write' : 'permissions' in value ? 'read' : null;
    if (permission !== null || !this.#branches.has(`role ${repo}`))
      this.#branches.set(`role ${repo}`, permission ?? 'admin');
  }

  /** What a response shows only together with its path. */
  #ofPath(repo: string, path: string, body: Json, branch: string | null): void {
    const rest = path.split('/').slice(4).join('/');
    const proposed = /^pulls\/(\d+)\/commits$/.exec(rest) && Array.isArray(body) ? listIn(body) : [];
    const base = shownText(listIn(proposed[0]?.['parents'])[0]?.['sha']);
    if (base !== '')
      this.#pullSides.set(`${repo}/${rest.split('/')[1]}`, {
        base_sha: base,
        head_sha: shownText(proposed.at(-1)?.['sha']),
      });
    for (const each of Array.isArray(body) ? listIn(body) : [mapIn(body)]) {
      const commit = mapIn(each['commit']);
      if (/^branches(?:\/|$)/.test(rest) && typeof each['name'] === 'string')
        this.#git.ref(repo, `refs/heads/${each['name']}`, shownText(commit['sha']) || digest(each['name']));
      if (/^tags$/.test(rest)) this.#git.ref(repo, `refs/tags/${shownText(each['name'])}`, shownText(commit['sha']));
      const named = this.#objects.of('repos').get(repo);
      if (rest === 'topics' && named && Array.isArray(each['names'])) named['topics'] = each['names'];
      this.#ofChecks(repo, rest, each, Array.isArray(body) ? listIn(body) : []);
      const [, ofIssue] = /^issues\/(\d+)\/(?:events|timeline)$/.exec(rest) ?? [];
      if (ofIssue !== undefined && typeof each['event'] === 'string' && this.#kindOf(each)?.[0] === 'issue_events')
        this.#take(this.#kindOf(each) ?? ['issue_events', repo, '', ''], {
          ...each,
          issue: { number: Number(ofIssue) },
        });
      const review = /^pulls\/(\d+)\/reviews/.exec(rest);
      if (
        review &&
        typeof each['id'] === 'number' &&
        'state' in each &&
        !this.#objects.of('reviews').has(this.#objects.ids.get(String(each['id'])) ?? '') &&
        !this.#objects.made.has(`reviews ${String(each['id'])}`)
      ) {
        const id = this.#objects.idOf('reviews', repo, String(each['id']));
        const row = {
          ...this.#objects.fields('reviews', each),
          id,
          repo_id: repo,
          pull_id: `${repo}/${review[1]}`,
          user_login: shownText(mapIn(each['user'])['login']),
        };
        this.#objects.of('reviews').set(id, row);
      }
      if (/^(?:contents|readme)/.test(rest) && typeof each['path'] === 'string') {
        if (each['type'] === 'file') this.#git.file(repo, each, branch);
        if (each['type'] === 'symlink')
          this.#git.file(repo, { ...each, mode: '120000', content: toBase64(shownText(each['target'])) }, branch);
        // What is in a folder is not said: it holds something.
        if (each['type'] === 'dir')
          this.#git.file(repo, { path: `${each['path']}/file`, sha: EMPTY_BLOB, content: '' }, branch);
      }
      const ends = /^compare\/[^/]+\.\.\.([^/]+)$/.exec(rest);
      const head = listIn(each['commits']).at(-1) ?? {};
      if (ends && Array.isArray(each['files']))
        this.#git.compared.push([
          repo,
          shownText(mapIn(each['merge_base_commit'])['sha']),
          shownText(head['sha']),
          listIn(each['files']),
        ]);
      const [, ofBranch] = /^git\/trees\/([^/]+)$/.exec(rest) ?? [];
      if (ofBranch !== undefined && !SHA.test(ofBranch))
        this.#git.branchTrees.set(`${repo}/refs/heads/${ofBranch}`, shownText(each['sha']));
      const [, subject, reaction] = /^(.+?)\/reactions(?:\/(\d+))?$/.exec(rest) ?? [];
      if (subject !== undefined)
        this.#reaction(repo, subject, reaction === undefined ? each : { ...each, id: reaction });
      if (rest === 'collaborators' && typeof each['login'] === 'string') {
        const id = `${repo}/${each['login']}`;
        const permission =
          shownText(each['role_name']) || (mapIn(each['permissions'])['admin'] === true ? 'admin' : 'write');
        this.#objects.of('collaborators').set(id, { id, login: each['login'], permission, repo_id: repo });
      }
    }
  }

  /** Branches and tags whose checks are listed, and what a check says of lines. */
  #ofChecks(repo: string, rest: string, value: JsonObject, listed: readonly JsonObject[]): void {
    const [, ref] = /^commits\/([^/]+)\/check-(?:runs|suites)$/.exec(rest) ?? [];
    const first = listIn(value['check_runs'] ?? value['check_suites'])[0];
    if (ref !== undefined && !SHA.test(ref) && first !== undefined)
      this.#git.ref(repo, `refs/heads/${ref}`, shownText(first['head_sha']));
    const [, check] = /^check-runs\/(\d+)\/annotations$/.exec(rest) ?? [];
    if (check === undefined || this.#objects.made.has(`check_runs ${repo}/${check}`)) return;
    const id = this.#objects.idOf('check_runs', repo, check);
    const head_sha = digest(id);
    const known = this.#objects.of('check_runs').get(id) ?? {
      ...{ id, repo_id: repo, name: 'a check', head_sha, check_suite_id: this.#suite(repo, `of ${check}`, head_sha) },
      ...{ status: 'completed', conclusion: 'neutral' },
    };
    const before = listIn(mapIn(known['output_given'])['annotations']);
    const annotations = [
      ...before,
      ...listed.filter((each) => !before.some((one) => JSON.stringify(one) === JSON.stringify(each))),
    ];
    this.#objects
      .of('check_runs')
      .set(id, { ...known, output_given: { ...mapIn(known['output_given']), annotations } });
  }

  /** A reaction that is listed or taken away was there, unless a call made it. */
  #reaction(repo: string, subject: string, value: JsonObject): void {
    const recorded = shownText(value['id']);
    const [, name, number] = /^(issues\/comments|pulls\/comments|issues|comments|releases)\/(\d+)$/.exec(subject) ?? [];
    if (name === undefined || recorded === '' || this.#madeReactions.has(recorded) || this.#objects.ids.has(recorded))
      return;
    const [kind, collection] = REACTED_TO[name];
    const part = collection === null ? `${repo}/${number}` : this.#objects.idOf(collection, repo, number);
    const id = this.#objects.idOf('reactions', repo, recorded);
    const user_login = shownText(mapIn(value['user'])['login']) || this.#login;
    this.#objects.of('reactions').set(id, {
      ...this.#objects.fields('reactions', { content: '+1', ...value }),
      id,
      of: `${kind}:${part}`,
      ...(user_login !== undefined && { user_login }),
    });
  }
  readonly #madeReactions = new Set<string>();

  /** What the pack needs beside what was seen: branches, trees, roles, the people and places that objects name. */
  #complete(): void {
    const login = this.#login ?? 'octo';
    const users = this.#objects.of('users');
    for (const [name, rows] of this.#objects.all) {
      if (['users', 'repos', 'merge_checks'].includes(name)) continue;
      for (const [key, row] of rows) {
        const repo = shownText(row['repo_id']);
        // What belongs to a repository that a call makes comes after it.
        if (this.#objects.made.has(`repos ${repo}/`)) rows.delete(key);
        if (repo !== '' && !this.#objects.of('repos').has(repo) && !this.#objects.made.has(`repos ${repo}/`))
          this.#objects.of('repos').set(repo, { id: repo, name: repo.split('/')[1], owner_login: repo.split('/')[0] });
      }
    }
    for (const row of this.#objects.of('issues').values()) {
      const milestone = shownText(row['milestone_id']);
      if (milestone !== '' && !this.#objects.of('milestones').has(milestone)) row['milestone_id'] = null;
    }
    this.#completePulls();
    for (const [id, review] of this.#reviewStubs)
      if (!this.#objects.of('reviews').has(id)) this.#objects.of('reviews').set(id, review);
    for (const [id, pull] of this.#objects.of('pulls')) {
      const repo = shownText(pull['repo_id']);
      if (pull['state'] !== 'open') continue;
      this.#git.ref(repo, `refs/heads/${shownText(pull['head_ref'])}`, shownText(pull['head_sha']));
      this.#git.ref(repo, `refs/heads/${shownText(pull['base_ref'])}`, shownText(pull['base_sha']));
      if (!this.#objects.of('issues').has(id)) this.#objects.of('pulls').delete(id);
    }
    for (const [repo, row] of this.#objects.of('repos')) {
      const owner = repo.split('/')[0];
      if (!users.has(owner)) users.set(owner, { id: owner, type: 'User' });
      const first = this.#firstNumber.get(repo);
      row['next_number'] = first ?? (this.#lastNumber.get(repo) ?? 0) + 1;
      const branch = shownText(row['default_branch']) || 'main';
      const ref = `${repo}/refs/heads/${branch}`;
      if (!this.#objects.of('git_refs').has(ref) && !this.#objects.made.has(`git_refs ${ref}`)) {
        const sha = [...(this.#git.commits.get(repo) ?? [])][0] ?? 'c0ffee'.padEnd(40, '0');
        this.#git.ref(repo, `refs/heads/${branch}`, sha);
      }
      const role = this.#branches.get(`wrote ${repo}`) ?? this.#branches.get(`role ${repo}`) ?? 'admin';
      if (owner !== login && users.get(owner)?.['type'] !== 'Organization')
        this.#objects.of('collaborators').set(`${repo}/${login}`, {
          id: `${repo}/${login}`,
          login,
          permission: role,
          repo_id: repo,
        });
    }
    for (const [name, user] of users) {
      const branch = this.#branches.get(`new ${name}`);
      if (branch !== undefined) user['default_branch'] = branch;
    }
    for (const row of this.#objects.of('notifications').values()) row['user_login'] = login;
    for (const team_id of this.#myTeams)
      if (this.#objects.of('teams').has(team_id))
        this.#objects.of('team_members').set(team_id, { id: `${team_id}/${login}`, team_id, login });
    for (const name of [login, 'octo']) if (!users.has(name)) users.set(name, { id: name, type: 'User' });
    for (const [name, { type, profile }] of users)
      if (type === 'Organization' && name !== login && !this.#objects.made.has(`strange ${name}`))
        this.#objects.of('org_members').set(name, {
          ...{ id: `${name}/${login}`, org: name, login, state: 'active' },
          // Only owners see what others are shown as null.
          role: mapIn(profile)['billing_email'] === null ? 'member' : 'admin',
        });
    for (const rows of this.#objects.all.values())
      for (const row of rows.values()) {
        for (const key of ['user_login', 'login', 'merger', 'closer'])
          if (typeof row[key] === 'string' && !users.has(row[key])) users.set(row[key], { id: row[key], type: 'User' });
      }
    for (const [id, rules] of this.#rules) {
      const [owner, name, , , ...branch] = id.split('/');
      const repo = `${owner}/${name}`;
      if (this.#objects.made.has(`repos ${repo}/`) || this.#objects.made.has(`rules ${id}`)) continue;
      if (!this.#objects.of('git_refs').has(id))
        this.#git.ref(
          repo,
          `refs/heads/${branch.join('/')}`,
          [...(this.#git.commits.get(repo) ?? [])][0] ?? 'c0ffee'.padEnd(40, '0'),
        );
      const ref = this.#objects.of('git_refs').get(id);
      if (ref) ref['protection'] = rules;
    }
    for (const place of this.#git.files.keys()) {
      const [repo, branch] = place.split('/refs/heads/');
      if (branch !== undefined && !this.#objects.made.has(`repos ${repo}/`))
        this.#git.ref(repo, `refs/heads/${branch}`, digest(place));
    }
    this.#git.history();
    const me = users.get(login);
    if (me && this.#emails.length > 0) me['emails'] = this.#emails;
    for (const invitee of new Set(this.#invited.values())) {
      if (!users.has(invitee)) users.set(invitee, { id: invitee, type: 'User' });
      const token = {
        token: tokenOf(invitee),
        user_login: invitee,
        installation: null,
        scope: ['repo'],
        permissions: {},
      };
      this.#objects.of('access_tokens').set(invitee, { id: `access_token_${invitee}`, ...token });
    }
    const scope = ['repo', 'admin:org', 'user', 'delete_repo', 'admin:repo_hook', 'workflow', 'notifications'];
    this.#objects.of('access_tokens').set('it', {
      id: `access_token_recorded0001`,
      token: RECORDED_TOKEN,
      user_login: login,
      installation: this.#branches.get('installation') ?? null,
      scope,
      permissions: {},
    });
  }
}
