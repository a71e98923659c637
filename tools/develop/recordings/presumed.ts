import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { misfit, type ResourceDef } from '../../../engine/model/index.js';
import type { Sandbox } from '../../../engine/index.js';
import type { Recorded } from '../../recordings/read.js';
import { parsed } from '../../recordings/replay.js';
import { API, BARE_RUN, EMPTY_BLOB, KINDS, NUMBERED, PLAIN_USER, REACTED_TO, SHA, USED_BY } from './presumed-tables.js';
import {
  blobSha,
  digest,
  inOrder,
  listOf,
  mapOf,
  milestoneOf,
  pick,
  reversed,
  sideOf,
  textOf,
  toBase64,
  whatWasAsked,
  type Row,
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
  readonly #objects = new Map<string, Map<string, Row>>();
  readonly #made = new Set<string>();
  readonly #ids = new Map<string, string>();
  readonly #paths = new Map<string, string>();
  readonly #branches = new Map<string, string>();
  readonly #firstNumber = new Map<string, number>();
  readonly #lastNumber = new Map<string, number>();
  readonly #commits = new Map<string, Set<string>>();
  readonly #invited = new Map<string, string>();
  #login: string | undefined;
  #app: string | null = null;
  #count = 900_000;

  constructor(private readonly sandbox: Sandbox) {}

  /** The world that some calls presume. */
  of(calls: readonly Recorded[]): PresumedWorld {
    const responses = calls.map((call) => (call.status < 300 ? (parsed(call.text) ?? null) : undefined));
    this.#login = responses
      .filter((body, at) => calls[at].url.pathname === '/user' && isObject(body ?? null))
      .map((body) => textOf((body as JsonObject)['login']))
      .find(Boolean);
    for (const [at, call] of calls.entries()) this.#read(call, responses[at]);
    const [first] = this.#of('users').values();
    this.#login ??= first === undefined || first['type'] === 'Organization' ? 'octo' : textOf(first['id']);
    this.#complete();
    const seed = Object.fromEntries(
      [...this.#objects]
        .filter(([, rows]) => rows.size > 0)
        .map(([name, rows]) => [name, name === 'notifications' ? inOrder([...rows.values()]) : [...rows.values()]]),
    );
    return { seed, login: this.#login, app: this.#app, ids: this.#ids, paths: this.#paths, invited: this.#invited };
  }

  #of(collection: string): Map<string, Row> {
    const known = this.#objects.get(collection) ?? new Map<string, Row>();
    this.#objects.set(collection, known);
    return known;
  }

  #read(call: Recorded, body: Json | undefined): void {
    const path = decodeURI(call.url.pathname);
    const [, strange] = /^\/orgs\/([^/]+)\/members\/[^/]+$/.exec(path) ?? [];
    if (strange !== undefined && call.status === 302) this.#made.add(`strange ${strange}`);
    if (body === undefined) return;
    this.#ofApps(path, body);
    this.#ofSettings(call, path, body);
    this.#ofPerson(call, path, body);
    const created = call.method !== 'GET' && (call.status === 201 || /\/contents\/|\/merges?$/.test(path));
    if (created && isObject(body) && this.#has(call)) {
      const owner = textOf(mapOf(body['owner'])['login']);
      if (owner !== '' && textOf(body['default_branch']) !== '')
        this.#branches.set(`new ${owner}`, textOf(body['default_branch']));
      const org = /^\/orgs\/([^/]+)\/teams$/.exec(path)?.[1];
      if (org !== undefined) this.#made.add(`teams ${org}/${textOf(body['slug'])}`);
      for (const each of [body, body['content'], body['commit']]) this.#make(each, path);
      if (/\/merges?$/.test(path) && typeof body['sha'] === 'string')
        this.#made.add(`commits ${path.split('/').slice(2, 4).join('/')}/${body['sha']}`);
    }
    if (call.method === 'POST' && path.endsWith('/reactions')) this.#madeReactions.add(textOf(mapOf(body)['id']));
    if (created && Array.isArray(body)) for (const each of body as readonly Json[]) this.#make(each, path);
    this.#visit(whatWasAsked(call.url, path, body), path);
    const [, named] =
      /^\/(?:users|orgs)\/([^/]+)|\/(?:collaborators|memberships|members|assignees)\/([^/]+)/
        .exec(path)
        ?.filter(Boolean) ?? [];
    if (named !== undefined && !this.#of('users').has(named))
      this.#user({ login: named, type: path.startsWith('/orgs/') ? 'Organization' : 'User' });
    const repo = /^\/repos\/([^/]+\/[^/]+)/.exec(path)?.[1];
    if (repo === undefined) return;
    if (call.method !== 'GET') this.#branches.set(`wrote ${repo}`, 'admin');
    if (!this.#of('repos').has(repo) && !this.#made.has(`repos ${repo}/`))
      this.#of('repos').set(repo, { id: repo, name: repo.split('/')[1], owner_login: repo.split('/')[0] });
    const teams = mapOf(parsed(call.body))['team_reviewers'];
    if (Array.isArray(teams))
      for (const slug of teams as readonly Json[]) this.#askedTeam(repo.split('/')[0], textOf(slug));
    const pull = /^\/repos\/[^/]+\/[^/]+\/pulls\/(\d+)(?:\/|$)/.exec(path)?.[1];
    if (pull !== undefined) this.#pullStubs.set(`${repo}/${pull}`, null);
    // What a call names was there, unless a call before made it.
    for (const [sha] of `${path} ${call.body}`.matchAll(/\b[0-9a-f]{40}\b/g))
      if (!this.#isObject(repo, sha)) this.#commit(repo, sha, {});
    if (call.method === 'POST' && isObject(body)) this.#made.add(`reviews ${String(body['id'])}`);
    this.#repliedTo(repo, path, mapOf(body));
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
    if (!this.#seen(name, repo, part)) this.#made.add(name === 'repos' || name === 'users' ? `${name} ${repo}/` : key);
    // Both are made at once.
    if (name === 'pulls') this.#made.add(`issues ${repo}/${part}`);
    if (name === 'commits') this.#made.add(`commits ${repo}/${part}`);
    if (name === 'contents' && isObject(value ?? null))
      this.#made.add(`blobs ${repo}/${textOf((value as JsonObject)['sha'])}`);
  }

  /** Milestones count on from the last one. */
  #beforeMilestone(repo: string, number: number): void {
    const id = `${repo}/${number}`;
    if (
      number > 0 &&
      !this.#made.has(`milestones ${id}`) &&
      !this.#of('milestones').has(id) &&
      !this.#made.has(`repos ${repo}/`)
    )
      this.#of('milestones').set(id, { id, repo_id: repo, number, title: 'an old one', state: 'closed' });
  }

  #seen(name: string, repo: string, part: string): boolean {
    const rows = this.#of(name);
    return rows.has(
      name === 'repos' || name === 'users' ? repo : name in NUMBERED ? (this.#ids.get(part) ?? '') : `${repo}/${part}`,
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
    const login = textOf(value['login']);
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?$/.test(login)) return;
    const users = this.#of('users');
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
    const before = mapOf(known?.['profile']);
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
    const repo = textOf(mapOf(value['repository'])['full_name']);
    const id = this.#idOf('notifications', repo, textOf(value['id']));
    const row = { ...this.#fields('notifications', value), id, repo_id: repo, about: null };
    if (!this.#of('notifications').has(id))
      this.#of('notifications').set(id, { ...row, state: value['unread'] === true ? 'unread' : 'read' });
  }

  #team(value: JsonObject): void {
    const org =
      /\/orgs\/([^/]+)\/teams\//.exec(textOf(value['html_url']))?.[1] ?? textOf(mapOf(value['organization'])['login']);
    const id = `${org}/${textOf(value['slug'])}`;
    if (org === '' || this.#made.has(`teams ${id}`)) return;
    const known = this.#of('teams').get(id);
    const parent = mapOf(value['parent']);
    if (known && 'slug' in parent) known['parent_id'] ??= `${org}/${textOf(parent['slug'])}`;
    if (known) return;
    this.#of('teams').set(id, {
      ...this.#fields('teams', value),
      ...('slug' in parent && { parent_id: `${org}/${textOf(parent['slug'])}` }),
      id,
      org,
      ...(typeof value['id'] === 'number' && { num: value['id'] }),
    });
    if (!this.#of('users').has(org)) this.#of('users').set(org, { id: org, type: 'Organization' });
  }

  #askedTeam(org: string, slug: string): void {
    const id = `${org}/${slug}`;
    if (!this.#made.has(`teams ${id}`) && !this.#of('teams').has(id))
      this.#of('teams').set(id, { id, org, slug, name: slug, description: '' });
  }

  #take([name, repo, part, path]: readonly [string, string, string, string], value: JsonObject): void {
    if (name === 'users' || name === 'contents') return;
    if (name === 'repos') return this.#repo(repo, value);
    if (name === 'pulls' && this.#made.has(`pulls ${repo}/${part}`)) this.#sides(repo, value);
    if (this.#made.has(`${name} ${repo}/${part}`)) return;
    if (name === 'commits') return this.#commit(repo, part, value);
    if (this.#seen(name, repo, part)) return;
    if (/^(?:issues|pulls)$/.test(name) && typeof value['title'] !== 'string') return;
    if (/^(?:comments|review_comments)$/.test(name) && !('body' in value)) return;
    const id = this.#idOf(name, repo, name === 'labels' ? textOf(value['name']) || part : part);
    const row: Record<string, Json> = { ...this.#fields(name, value), id, repo_id: repo };
    if (typeof value['id'] === 'number' && !(name in NUMBERED)) row['num'] = value['id'];
    const user = isObject(value['user'] ?? null) ? (value['user'] as JsonObject) : null;
    const maker = textOf(
      (user ?? (isObject(value['creator'] ?? null) ? (value['creator'] as JsonObject) : {}))['login'],
    );
    if (maker !== '' && USED_BY.has(name)) row['user_login'] = maker;
    const number = value['number'];
    if (typeof number === 'number' && /^(?:issues|pulls)$/.test(name))
      this.#lastNumber.set(repo, Math.max(number, this.#lastNumber.get(repo) ?? 0));
    switch (name) {
      case 'issues':
        row['tags'] = listOf(value['labels'])
          .map((each) => textOf(each['name']))
          .filter(Boolean);
        row['assigned'] = listOf(value['assignees']).map((each) => textOf(each['login']));
        row['closer'] = isObject(value['closed_by'] ?? null)
          ? textOf((value['closed_by'] as JsonObject)['login'])
          : null;
        row['is_pull'] = 'pull_request' in value;
        row['comment_count'] = typeof value['comments'] === 'number' ? value['comments'] : 0;
        if (row['is_pull']) this.#pullStubs.set(id, mapOf(value['pull_request'])['merged_at'] ?? null);
        row['milestone_id'] = milestoneOf(repo, value);
        break;
      case 'pulls': {
        const [head, base] = [mapOf(value['head']), mapOf(value['base'])];
        if (!('ref' in head) || !('ref' in base)) return;
        row['issue_id'] = `${repo}/${part}`;
        for (const [side, at] of [
          ['head', head],
          ['base', base],
        ] as const) {
          row[`${side}_ref`] = textOf(at['ref']);
          row[`${side}_sha`] = textOf(at['sha']);
          if (SHA.test(textOf(at['sha']))) this.#commit(repo, textOf(at['sha']), {});
        }
        if (head['repo'] === null) row['head_repo_id'] = null;
        row['reviewers'] = listOf(value['requested_reviewers']).map((each) => textOf(each['login']));
        row['merged'] = value['merged'] === true || (value['merged_at'] ?? null) !== null;
        row['merger'] = isObject(value['merged_by'] ?? null)
          ? textOf((value['merged_by'] as JsonObject)['login'])
          : null;
        row['mergeable'] = 'mergeable' in value ? value['mergeable'] : true;
        this.#of('merge_checks').set(id, {
          id: `merge_check_${this.#count++}`,
          pull_id: id,
          repo_id: repo,
          status: 'done',
        });
        const issue = {
          ...this.#fields('issues', value),
          id,
          repo_id: repo,
          is_pull: true,
          number: value['number'] ?? 0,
          user_login: maker,
        };
        const tags = listOf(value['labels']).map((each) => textOf(each['name']));
        const assigned = listOf(value['assignees']).map((each) => textOf(each['login']));
        if (!this.#of('issues').has(id))
          this.#of('issues').set(id, { ...issue, tags, assigned, milestone_id: milestoneOf(repo, value) });
        break;
      }
      case 'comments': {
        const issue = textOf(value['issue_url']).split('/').at(-1) ?? '';
        const of = `${repo}/${issue}`;
        row['issue_id'] = of;
        if (!this.#of('issues').has(of) && !this.#made.has(`issues ${of}`)) {
          const stub = { id: of, repo_id: repo, number: Number(issue), title: 'an issue', state: 'open' };
          this.#of('issues').set(of, stub);
        }
        break;
      }
      case 'review_comments':
        row['pull_id'] = `${repo}/${textOf(value['pull_request_url']).split('/').at(-1) ?? ''}`;
        if (this.#made.has(`reviews ${textOf(value['pull_request_review_id'])}`)) return;
        row['review_id'] = this.#reviewOf(repo, textOf(row['pull_id']), value);
        break;
      case 'workflows':
        row['triggers'] = ['push', 'workflow_dispatch'];
        break;
      case 'git_refs': {
        const sha = textOf(mapOf(value['object'])['sha']);
        row['sha'] = sha;
        row['ref'] = part;
        this.#commit(repo, sha, {});
        break;
      }
      case 'releases':
        row['user_login'] = textOf(mapOf(value['author'])['login']);
        for (const each of listOf(value['assets'])) this.#asset(repo, id, each);
        break;
      case 'release_assets':
        // An asset does not say its release: it is put into one of its own unless a release shows it.
        row['release_id'] = this.#idOf('releases', repo, `of ${part}`);
        this.#of('releases').set(row['release_id'], { id: row['release_id'], repo_id: repo, tag_name: `of-${part}` });
        row['user_login'] = textOf(mapOf(value['uploader'])['login']);
        break;
      case 'issue_events': {
        const number = textOf(mapOf(value['issue'])['number']);
        if (number === '') return;
        row['issue_id'] = `${repo}/${number}`;
        row['actor_login'] = textOf(mapOf(value['actor'])['login']) || null;
        break;
      }
      case 'deployment_statuses':
        row['deployment_id'] = this.#idOf('deployments', repo, /deployments\/(\d+)/.exec(path)?.[1] ?? '');
        break;
      case 'tags':
        row['target_sha'] = textOf(mapOf(value['object'])['sha']);
        row['sha'] = part;
        break;
      case 'artifacts': {
        const run = textOf(mapOf(value['workflow_run'])['id']);
        row['run_id'] = run === '' ? null : this.#run(repo, run, mapOf(value['workflow_run']));
        break;
      }
      case 'blobs':
        row['base64'] = textOf(value['content']).replaceAll('\n', '');
        row['sha'] = part;
        break;
      case 'trees':
        if (!Array.isArray(value['tree'])) return;
        row['files'] = listOf(value['tree'])
          .filter((each) => each['type'] !== 'tree')
          .map((each) => ({ path: each['path'] ?? '', mode: each['mode'] ?? '100644', sha: each['sha'] ?? '' }));
        for (const each of listOf(value['tree'])) {
          const key = `${repo}/${textOf(each['sha'])}`;
          if (each['type'] === 'blob' && !this.#of('blobs').has(key) && !this.#made.has(`blobs ${key}`))
            this.#of('blobs').set(key, {
              id: key,
              repo_id: repo,
              sha: each['sha'],
              size: each['size'] ?? 0,
              base64: '',
            });
        }
        row['folders'] = listOf(value['tree'])
          .filter((each) => each['type'] === 'tree')
          .map((each) => pick(each, ['path', 'sha']));
        row['entries'] = listOf(value['tree']).map(({ url: _url, ...each }) => each);
        break;
      case 'check_suites':
        this.#commit(repo, textOf(value['head_sha']), {
          ...mapOf(value['head_commit']),
          tree: { sha: textOf(mapOf(value['head_commit'])['tree_id']) },
        });
        this.#runOf(repo, id, value);
        break;
      case 'check_runs':
        row['check_suite_id'] = this.#suite(repo, mapOf(value['check_suite'])['id'], textOf(value['head_sha']));
        row['output_given'] = pick(mapOf(value['output']), ['title', 'summary', 'text']);
        break;
      case 'workflow_runs':
        row['workflow_ref'] = this.#workflow(repo, value['workflow_id'], textOf(value['name']), textOf(value['path']));
        row['user_login'] = textOf(mapOf(value['actor'])['login']);
        this.#commit(repo, textOf(value['head_sha']), mapOf(value['head_commit']));
        for (const [key, first] of Object.entries(BARE_RUN)) row[key] ??= first;
        if (row['user_login'] === '') delete row['user_login'];
        break;
      case 'workflow_jobs':
        row['head_branch'] ??= 'main';
        row['run'] = this.#ids.get(String(value['run_id'])) ?? null;
        break;
    }
    for (const key of Object.keys(row)) if (!this.#def(name).schema.fields.has(key)) delete row[key];
    this.#of(name).set(id, row);
    this.#paths.set(path, path.replace(part, name in NUMBERED ? id : part));
  }

  /** A comment on code that is replied to was there, at the same place. */
  #repliedTo(repo: string, path: string, reply: JsonObject): void {
    const [, pull, recorded] = /\/pulls\/(\d+)\/comments\/(\d+)\/replies$/.exec(path) ?? [];
    if (pull === undefined || this.#made.has(`review_comments ${repo}/${recorded}`) || this.#ids.has(recorded)) return;
    const id = this.#idOf('review_comments', repo, recorded);
    const row = { ...this.#fields('review_comments', reply), id, repo_id: repo, pull_id: `${repo}/${pull}` };
    this.#of('review_comments').set(id, { ...row, in_reply_to_id: null, review_id: null });
  }

  /** Reviews that only their comments show. */
  readonly #reviewStubs = new Map<string, Row>();
  #reviewOf(repo_id: string, pull_id: string, value: JsonObject): string | null {
    const recorded = textOf(value['pull_request_review_id']);
    if (recorded === '') return null;
    const id = this.#idOf('reviews', repo_id, recorded);
    const user_login = textOf(mapOf(value['user'])['login']);
    const commit_id = value['original_commit_id'] ?? '';
    this.#reviewStubs.set(id, { id, repo_id, pull_id, user_login, commit_id, state: 'COMMENTED' });
    return id;
  }

  /** A suite is over by its runs: one of them says how. */
  #runOf(repo: string, check_suite_id: string, value: JsonObject): void {
    const { conclusion, head_sha } = value;
    if (typeof conclusion !== 'string') return;
    const id = this.#idOf('check_runs', repo, `of suite ${check_suite_id}`);
    const row = { id, repo_id: repo, check_suite_id, head_sha: head_sha ?? '', name: 'a check', status: 'completed' };
    this.#of('check_runs').set(id, { ...row, conclusion, output_given: {} });
  }

  /** A run that is only named. */
  #run(repo: string, recorded: string, value: JsonObject): string {
    const id = this.#idOf('workflow_runs', repo, recorded);
    const workflow_ref = this.#workflow(repo, undefined, 'CI', '');
    const row = { ...BARE_RUN, id, repo_id: repo, workflow_ref, status: 'completed' };
    const head = pick(value, ['head_branch', 'head_sha']);
    if (!this.#of('workflow_runs').has(id))
      this.#of('workflow_runs').set(id, { ...row, ...head, conclusion: 'success' });
    return id;
  }

  /** Apps and where they are installed. */
  #ofApps(path: string, body: Json): void {
    const named = /^\/app\/installations\/(\d+)/.exec(path)?.[1];
    const shown = [...(Array.isArray(body) ? listOf(body) : [mapOf(body)]), ...listOf(mapOf(body)['installations'])];
    if (path === '/app' && isObject(body)) {
      this.#appOf(body);
      return;
    }
    for (const each of shown.filter((one) => 'access_tokens_url' in one)) {
      const app = this.#appOf(pick(each, ['permissions', 'events']));
      const account = mapOf(each['account']);
      if (typeof account['login'] === 'string') this.#user(account);
      this.#installation(textOf(each['id']), app, textOf(account['login']), each);
    }
    const given = mapOf(mapOf(body)['permissions']);
    if (named !== undefined && path.endsWith('/access_tokens')) this.#appOf({ permissions: given });
    if (named !== undefined && !this.#ids.has(named))
      this.#installation(named, this.#appOf({ slug: 'app', permissions: mapOf(body)['permissions'] ?? {} }), '', {});
    if (path === '/installation/repositories') {
      const owner = textOf(mapOf(listOf(mapOf(body)['repositories'])[0]?.['owner'])['login']);
      this.#branches.set('installation', this.#installation('1', this.#appOf({ slug: 'app' }), owner, {}));
    }
  }

  /** All calls of a recording are one app's. */
  #appOf(value: JsonObject): string {
    const id = '3490000';
    this.#app = id;
    const known = this.#of('apps').get(id);
    if (known) known['permissions'] = { ...mapOf(known['permissions']), ...mapOf(value['permissions']) };
    if (known && !('external_url' in value)) return id;
    this.#of('apps').set(id, {
      name: 'an app',
      slug: 'app',
      ...this.#fields('apps', value),
      id,
      ...('owner' in value && { owner_login: textOf(mapOf(value['owner'])['login']) }),
    });
    return id;
  }

  #installation(recorded: string, app: string, login: string, value: JsonObject): string {
    const id = this.#idOf('installations', '', recorded);
    const row = { ...this.#fields('installations', value), id, app_id: app };
    if (this.#of('installations').get(id)?.['account_login'] === undefined)
      this.#of('installations').set(id, { ...row, ...(login !== '' && { account_login: login }) });
    return id;
  }

  /** Secrets, variables, labels and rules of branches that a call presumes. */
  #ofSettings({ method, status, url, body: sent }: Recorded, path: string, body: Json): void {
    const [, place, kind, name] = /^(.*)\/(secrets|variables)(?:\/([^/]+))?$/.exec(path) ?? [];
    const put = (what: string, value: JsonObject): void => {
      const called = textOf(value['name']).toUpperCase();
      const id = `${place}/${called}`;
      if (called === '' || this.#made.has(`${what} ${id}`) || this.#of(what).has(id)) return;
      this.#of(what).set(id, { ...this.#fields(what, value), id, place, name: called });
    };
    if (kind !== undefined) {
      for (const each of listOf(mapOf(body)[kind])) put(kind, each);
      const isMade = status === 201;
      const own = name ?? textOf(mapOf(body)['name'] ?? mapOf(parsed(sent))['name']);
      if (isMade && own !== '') this.#made.add(`${kind} ${place}/${own.toUpperCase()}`);
      else if (name !== undefined && name !== 'public-key')
        put(kind, { value: 'a value', ...(method === 'GET' ? mapOf(body) : {}), name });
      if (url.pathname.startsWith('/orgs/')) this.#user({ login: path.split('/')[2], type: 'Organization' });
    }
    const label = /^\/repos\/([^/]+\/[^/]+)\/labels\/(.+)$/.exec(path);
    if (label && (method === 'DELETE' || method === 'PATCH')) {
      const id = `${label[1]}/${decodeURIComponent(label[2])}`;
      if (!this.#made.has(`labels ${id}`) && !this.#of('labels').has(id))
        this.#of('labels').set(id, { id, repo_id: label[1], name: decodeURIComponent(label[2]) });
    }
    const rules = /^\/repos\/([^/]+\/[^/]+)\/branches\/([^/]+)\/protection(?:\/(\w+))?(?:\/(\w+))?$/.exec(path);
    if (rules) this.#protection(rules, method, body);
    if (rules?.[4] === 'teams')
      for (const each of [body, parsed(sent) ?? null])
        for (const team of Array.isArray(each) ? (each as readonly Json[]) : [])
          this.#askedTeam(rules[1].split('/')[0], textOf(mapOf(team)['slug']) || textOf(team));
    const member = /^\/orgs\/([^/]+)\/(?:public_)?members\/([^/]+)$/.exec(path);
    const set = /^\/orgs\/([^/]+)\/memberships\/([^/]+)$/.exec(path);
    if (set && method === 'PUT') this.#made.add(`members ${set[1]}/${set[2]}`);
    if (member && method === 'GET' && status === 204 && !this.#made.has(`members ${member[1]}/${member[2]}`))
      this.#of('org_members').set(`${member[1]}/${member[2]}`, {
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
    if (path === '/user/emails') this.#emails = listOf(body);
    if (path === '/user/teams')
      for (const each of listOf(body)) {
        const team_id = `${textOf(mapOf(each['organization'])['login'])}/${textOf(each['slug'])}`;
        this.#myTeams.add(team_id);
      }
    const invitation = mapOf(body);
    if (method === 'PUT' && /\/collaborators\/[^/]+$/.test(path) && 'invitee' in invitation)
      this.#invited.set(textOf(invitation['id']), textOf(mapOf(invitation['invitee'])['login']));
    if (path !== '/search/code') return;
    // What was found has the words that were looked for.
    const text = (url.searchParams.get('q') ?? '').replaceAll('"', '');
    for (const each of listOf(mapOf(body)['items'])) {
      const repo = textOf(mapOf(each['repository'])['full_name']);
      if (repo !== '') this.#file(repo, { ...pick(each, ['path', 'sha']), content: toBase64(text) }, null);
    }
  }
  #emails: readonly JsonObject[] = [];
  readonly #myTeams = new Set<string>();

  readonly #rules = new Map<string, Record<string, Json>>();
  /** What is read of the rules of a branch was there, unless a call before set it. */
  #protection([, repo, branch, part, below]: readonly string[], method: string, body: Json): void {
    const id = `${repo}/refs/heads/${branch}`;
    const known = this.#rules.get(id) ?? {};
    if (method === 'PUT' && part === undefined) this.#made.add(`rules ${id}`);
    if (this.#made.has(`rules ${id}`)) return;
    if (part === undefined) Object.assign(known, body);
    else if (below === undefined && isObject(body) && !(part in known)) known[part] = body;
    else if (below === 'contexts' && !(part in known)) known[part] = { strict: false, contexts: body, checks: [] };
    else if (part === 'restrictions' && listOf(mapOf(known[part])[below]).length === 0 && Array.isArray(body))
      known[part] = { users: [], teams: [], apps: [], ...mapOf(known[part]), [below]: body };
    else if (!(part in known) && /POST|DELETE/.test(method)) known[part] = { enabled: method === 'DELETE' };
    this.#rules.set(id, known);
  }

  #asset(repo: string, release: string, value: JsonObject): void {
    const id = this.#idOf('release_assets', repo, textOf(value['id']));
    const uploader = textOf(mapOf(value['uploader'])['login']);
    const row = { ...this.#fields('release_assets', value), id, repo_id: repo, release_id: release };
    this.#of('release_assets').set(id, { ...row, ...(uploader !== '' && { user_login: uploader }) });
  }

  /** Pull requests that are only named, with the time of their merge. */
  readonly #pullStubs = new Map<string, Json>();
  /** The ends of what such a pull request proposes, by its list of commits. */
  readonly #pullSides = new Map<string, { readonly base_sha: string; readonly head_sha: string }>();
  #completePulls(): void {
    for (const [id, merged_at] of this.#pullStubs) {
      const [repo_id, number] = [id.slice(0, id.lastIndexOf('/')), Number(id.slice(id.lastIndexOf('/') + 1))];
      if (this.#of('pulls').has(id) || this.#made.has(`pulls ${id}`) || this.#made.has(`repos ${repo_id}/`)) continue;
      const issue = this.#of('issues').get(id);
      if (!issue && this.#made.has(`issues ${id}`)) continue;
      const { base_sha, head_sha } = this.#pullSides.get(id) ?? { base_sha: digest(id), head_sha: digest(id) };
      for (const sha of [base_sha, head_sha]) this.#commit(repo_id, sha, {});
      const state = issue?.['state'] ?? 'open';
      const base = { id, repo_id, number, state };
      if (!issue) this.#of('issues').set(id, { ...base, is_pull: true, title: 'a pull request' });
      this.#of('pulls').set(id, {
        ...base,
        issue_id: id,
        merged_at,
        merged: merged_at !== null,
        ...{ head_ref: 'topic', head_sha, base_ref: 'main', base_sha, reviewers: [], mergeable: true },
        user_login: issue?.['user_login'] ?? this.#login ?? 'octo',
      });
      const check = { id: `merge_check_${this.#count++}`, pull_id: id, repo_id, status: 'done' };
      this.#of('merge_checks').set(id, check);
    }
  }

  /** The branches that a pull request was made of; those of a fork are put into the repository. */
  #sides(repo: string, value: JsonObject): void {
    const [head, base] = [mapOf(value['head']), mapOf(value['base'])];
    this.#ref(repo, `refs/heads/${textOf(base['ref'])}`, textOf(base['sha']));
    const sha = textOf(head['sha']);
    if (this.#made.has(`git_refs ${repo}/refs/heads/${textOf(head['ref'])}`)) return;
    this.#ref(repo, `refs/heads/${textOf(head['ref'])}`, sha);
    const commit = this.#of('commits').get(`${repo}/${sha}`);
    if (commit && Array.isArray(commit['parent_shas']) && commit['parent_shas'].length === 0)
      commit['parent_shas'] = [textOf(base['sha'])];
  }

  #suite(repo: string, recorded: Json | undefined, sha: string): string {
    const id = this.#idOf('check_suites', repo, String(recorded ?? this.#count));
    if (!this.#of('check_suites').has(id))
      this.#of('check_suites').set(id, { id, repo_id: repo, head_sha: sha, head_branch: null });
    return id;
  }

  #workflow(repo: string, recorded: Json | undefined, name: string, path: string): string {
    const id = this.#idOf('workflows', repo, String(recorded ?? this.#count));
    if (!this.#of('workflows').has(id))
      this.#of('workflows').set(id, {
        id,
        repo_id: repo,
        name,
        path: path || '.github/workflows/ci.yml',
        state: 'active',
        triggers: ['push', 'workflow_dispatch'],
      });
    return id;
  }

  #idOf(name: string, repo: string, part: string): string {
    if (!(name in NUMBERED)) return `${repo}/${part}`;
    const id = this.#ids.get(part) ?? `${NUMBERED[name]}${this.#count++}`;
    this.#ids.set(part, id);
    return id;
  }

  #def(collection: string): ResourceDef {
    const def = this.sandbox.engine.model.byCollection.get(collection);
    if (!def) throw new Error(`the pack has no ${collection}`);
    return def;
  }

  /** What the pack stores of an object, under the same name and with a type that fits. */
  #fields(collection: string, value: JsonObject): JsonObject {
    const { time } = this.sandbox.engine.model.settings;
    const stored = [...this.#def(collection).schema.fields].filter(
      ([key, schema]) =>
        key !== 'id' && schema.view === undefined && schema.kind !== 'const' && value[key] !== undefined,
    );
    return Object.fromEntries(
      stored.flatMap(([key, schema]) =>
        misfit(schema, value[key], key, time) === undefined ? [[key, value[key]]] : [],
      ),
    );
  }

  #repo(repo: string, value: JsonObject): void {
    const repos = this.#of('repos');
    const known = repos.get(repo);
    const full = 'default_branch' in value;
    const parent = mapOf(value['parent']);
    if (this.#made.has(`repos ${repo}/`)) return;
    if (known && (known['default_branch'] !== undefined || !full)) {
      for (const [key, stored] of Object.entries(this.#fields('repos', value))) known[key] ??= stored;
      if (typeof value['id'] === 'number') known['num'] ??= value['id'];
      return;
    }
    const owner = repo.split('/')[0];
    const num: JsonObject = typeof value['id'] === 'number' ? { num: value['id'] } : {};
    repos.set(repo, {
      ...this.#fields('repos', value),
      id: repo,
      name: repo.split('/')[1],
      owner_login: owner,
      ...num,
      ...(typeof parent['full_name'] === 'string' && { forked_from: parent['full_name'] }),
    });
    const role = mapOf(value['permissions']);
    const permission =
      role['admin'] === true ? 'admin' : role['push'] === true ? 'write' : 'permissions' in value ? 'read' : null;
    if (permission !== null || !this.#branches.has(`role ${repo}`))
      this.#branches.set(`role ${repo}`, permission ?? 'admin');
  }

  #commit(repo: string, sha: string, value: JsonObject): void {
    if (!SHA.test(sha) || this.#made.has(`commits ${repo}/${sha}`)) return;
    const known = this.#of('commits').get(`${repo}/${sha}`) ?? {};
    const git = isObject(value['commit'] ?? null) ? mapOf(value['commit']) : value;
    const tree = textOf(mapOf(git['tree'])['sha']) || textOf(known['tree_sha']);
    const parents = Array.isArray(value['parents'])
      ? listOf(value['parents']).map((each) => textOf(each['sha']))
      : known['parent_shas'];
    const person = { name: 'someone', email: 'someone@example.com', date: '2020-01-01T00:00:00Z' };
    const shas = this.#commits.get(repo) ?? new Set();
    this.#commits.set(repo, shas.add(sha));
    if (Array.isArray(value['files'])) this.#changes.set(`${repo}/${sha}`, listOf(value['files']));
    const login = textOf(mapOf(value['author'])['login']) || textOf(known['user_login']);
    this.#of('commits').set(`${repo}/${sha}`, {
      id: `${repo}/${sha}`,
      repo_id: repo,
      sha,
      message: textOf(git['message']) || textOf(known['message']) || 'a commit',
      tree_sha: tree,
      parent_shas: parents ?? [],
      author_info: 'date' in mapOf(git['author']) ? mapOf(git['author']) : (known['author_info'] ?? person),
      committer_info: 'date' in mapOf(git['committer']) ? mapOf(git['committer']) : (known['committer_info'] ?? person),
      user_login: login === '' ? null : login,
      ...(isObject(git['verification'] ?? null)
        ? { verification: git['verification'] }
        : 'verification' in known
          ? { verification: known['verification'] }
          : {}),
    });
  }

  /** What a response shows only together with its path. */
  #ofPath(repo: string, path: string, body: Json, branch: string | null): void {
    const rest = path.split('/').slice(4).join('/');
    const proposed = /^pulls\/(\d+)\/commits$/.exec(rest) && Array.isArray(body) ? listOf(body) : [];
    const base = textOf(listOf(proposed[0]?.['parents'])[0]?.['sha']);
    if (base !== '')
      this.#pullSides.set(`${repo}/${rest.split('/')[1]}`, {
        base_sha: base,
        head_sha: textOf(proposed.at(-1)?.['sha']),
      });
    for (const each of Array.isArray(body) ? listOf(body) : [mapOf(body)]) {
      const commit = mapOf(each['commit']);
      if (/^branches(?:\/|$)/.test(rest) && typeof each['name'] === 'string')
        this.#ref(repo, `refs/heads/${each['name']}`, textOf(commit['sha']) || digest(each['name']));
      if (/^tags$/.test(rest)) this.#ref(repo, `refs/tags/${textOf(each['name'])}`, textOf(commit['sha']));
      const named = this.#of('repos').get(repo);
      if (rest === 'topics' && named && Array.isArray(each['names'])) named['topics'] = each['names'];
      this.#ofChecks(repo, rest, each, Array.isArray(body) ? listOf(body) : []);
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
        !this.#of('reviews').has(this.#ids.get(String(each['id'])) ?? '') &&
        !this.#made.has(`reviews ${String(each['id'])}`)
      ) {
        const id = this.#idOf('reviews', repo, String(each['id']));
        const row = {
          ...this.#fields('reviews', each),
          id,
          repo_id: repo,
          pull_id: `${repo}/${review[1]}`,
          user_login: textOf(mapOf(each['user'])['login']),
        };
        this.#of('reviews').set(id, row);
      }
      if (/^(?:contents|readme)/.test(rest) && typeof each['path'] === 'string') {
        if (each['type'] === 'file') this.#file(repo, each, branch);
        if (each['type'] === 'symlink')
          this.#file(repo, { ...each, mode: '120000', content: toBase64(textOf(each['target'])) }, branch);
        // What is in a folder is not said: it holds something.
        if (each['type'] === 'dir')
          this.#file(repo, { path: `${each['path']}/file`, sha: EMPTY_BLOB, content: '' }, branch);
      }
      const ends = /^compare\/[^/]+\.\.\.([^/]+)$/.exec(rest);
      const head = listOf(each['commits']).at(-1) ?? {};
      if (ends && Array.isArray(each['files']))
        this.#compared.push([
          repo,
          textOf(mapOf(each['merge_base_commit'])['sha']),
          textOf(head['sha']),
          listOf(each['files']),
        ]);
      const [, ofBranch] = /^git\/trees\/([^/]+)$/.exec(rest) ?? [];
      if (ofBranch !== undefined && !SHA.test(ofBranch))
        this.#branchTrees.set(`${repo}/refs/heads/${ofBranch}`, textOf(each['sha']));
      const [, subject, reaction] = /^(.+?)\/reactions(?:\/(\d+))?$/.exec(rest) ?? [];
      if (subject !== undefined)
        this.#reaction(repo, subject, reaction === undefined ? each : { ...each, id: reaction });
      if (rest === 'collaborators' && typeof each['login'] === 'string') {
        const id = `${repo}/${each['login']}`;
        const permission =
          textOf(each['role_name']) || (mapOf(each['permissions'])['admin'] === true ? 'admin' : 'write');
        this.#of('collaborators').set(id, { id, login: each['login'], permission, repo_id: repo });
      }
    }
  }

  /** Branches and tags whose checks are listed, and what a check says of lines. */
  #ofChecks(repo: string, rest: string, value: JsonObject, listed: readonly JsonObject[]): void {
    const [, ref] = /^commits\/([^/]+)\/check-(?:runs|suites)$/.exec(rest) ?? [];
    const first = listOf(value['check_runs'] ?? value['check_suites'])[0];
    if (ref !== undefined && !SHA.test(ref) && first !== undefined)
      this.#ref(repo, `refs/heads/${ref}`, textOf(first['head_sha']));
    const [, check] = /^check-runs\/(\d+)\/annotations$/.exec(rest) ?? [];
    if (check === undefined || this.#made.has(`check_runs ${repo}/${check}`)) return;
    const id = this.#idOf('check_runs', repo, check);
    const head_sha = digest(id);
    const known = this.#of('check_runs').get(id) ?? {
      ...{ id, repo_id: repo, name: 'a check', head_sha, check_suite_id: this.#suite(repo, `of ${check}`, head_sha) },
      ...{ status: 'completed', conclusion: 'neutral' },
    };
    const before = listOf(mapOf(known['output_given'])['annotations']);
    const annotations = [
      ...before,
      ...listed.filter((each) => !before.some((one) => JSON.stringify(one) === JSON.stringify(each))),
    ];
    this.#of('check_runs').set(id, { ...known, output_given: { ...mapOf(known['output_given']), annotations } });
  }

  /** A reaction that is listed or taken away was there, unless a call made it. */
  #reaction(repo: string, subject: string, value: JsonObject): void {
    const recorded = textOf(value['id']);
    const [, name, number] = /^(issues\/comments|pulls\/comments|issues|comments|releases)\/(\d+)$/.exec(subject) ?? [];
    if (name === undefined || recorded === '' || this.#madeReactions.has(recorded) || this.#ids.has(recorded)) return;
    const [kind, collection] = REACTED_TO[name];
    const part = collection === null ? `${repo}/${number}` : this.#idOf(collection, repo, number);
    const id = this.#idOf('reactions', repo, recorded);
    const user_login = textOf(mapOf(value['user'])['login']) || this.#login;
    this.#of('reactions').set(id, {
      ...this.#fields('reactions', { content: '+1', ...value }),
      id,
      of: `${kind}:${part}`,
      ...(user_login !== undefined && { user_login }),
    });
  }
  readonly #madeReactions = new Set<string>();

  /** Whether a sha is known to be no commit. */
  #isObject(repo: string, sha: string): boolean {
    const key = `${repo}/${sha}`;
    return ['trees', 'blobs'].some((name) => this.#of(name).has(key) || this.#made.has(`${name} ${key}`));
  }

  #ref(repo: string, ref: string, sha: string): void {
    const id = `${repo}/${ref}`;
    if (!SHA.test(sha) || this.#made.has(`git_refs ${id}`) || this.#of('git_refs').has(id)) return;
    this.#of('git_refs').set(id, { id, repo_id: repo, ref, sha });
    this.#commit(repo, sha, {});
  }

  /** The files that were read of a repository, and those of each branch that was named. */
  readonly #files = new Map<string, Map<string, JsonObject>>();
  /** What commits say that they changed. */
  readonly #changes = new Map<string, readonly JsonObject[]>();
  #file(repo: string, { path, sha, content, size, mode }: JsonObject, branch: string | null): void {
    const blob = `${repo}/${textOf(sha)}`;
    if (this.#made.has(`blobs ${blob}`) || this.#made.has(`contents ${repo}/${textOf(path)}`)) return;
    for (const place of branch === null ? [repo] : [repo, `${repo}/refs/heads/${branch}`]) {
      const files = this.#files.get(place) ?? new Map<string, JsonObject>();
      this.#files.set(place, files);
      if (!files.has(textOf(path)))
        files.set(textOf(path), { path: path ?? '', mode: mode ?? '100644', sha: sha ?? '' });
    }
    const known = this.#of('blobs').get(blob);
    if (known && content === undefined) return;
    const base64 = textOf(content).replaceAll('\n', '');
    this.#of('blobs').set(blob, { id: blob, repo_id: repo, sha: sha ?? '', size: size ?? 0, base64 });
  }

  /** What the pack needs beside what was seen: branches, trees, roles, the people and places that objects name. */
  #complete(): void {
    const login = this.#login ?? 'octo';
    const users = this.#of('users');
    for (const [name, rows] of this.#objects) {
      if (['users', 'repos', 'merge_checks'].includes(name)) continue;
      for (const [key, row] of rows) {
        const repo = textOf(row['repo_id']);
        // What belongs to a repository that a call makes comes after it.
        if (this.#made.has(`repos ${repo}/`)) rows.delete(key);
        if (repo !== '' && !this.#of('repos').has(repo) && !this.#made.has(`repos ${repo}/`))
          this.#of('repos').set(repo, { id: repo, name: repo.split('/')[1], owner_login: repo.split('/')[0] });
      }
    }
    for (const row of this.#of('issues').values()) {
      const milestone = textOf(row['milestone_id']);
      if (milestone !== '' && !this.#of('milestones').has(milestone)) row['milestone_id'] = null;
    }
    this.#completePulls();
    for (const [id, review] of this.#reviewStubs) if (!this.#of('reviews').has(id)) this.#of('reviews').set(id, review);
    for (const [id, pull] of this.#of('pulls')) {
      const repo = textOf(pull['repo_id']);
      if (pull['state'] !== 'open') continue;
      this.#ref(repo, `refs/heads/${textOf(pull['head_ref'])}`, textOf(pull['head_sha']));
      this.#ref(repo, `refs/heads/${textOf(pull['base_ref'])}`, textOf(pull['base_sha']));
      if (!this.#of('issues').has(id)) this.#of('pulls').delete(id);
    }
    for (const [repo, row] of this.#of('repos')) {
      const owner = repo.split('/')[0];
      if (!users.has(owner)) users.set(owner, { id: owner, type: 'User' });
      const first = this.#firstNumber.get(repo);
      row['next_number'] = first ?? (this.#lastNumber.get(repo) ?? 0) + 1;
      const branch = textOf(row['default_branch']) || 'main';
      const ref = `${repo}/refs/heads/${branch}`;
      if (!this.#of('git_refs').has(ref) && !this.#made.has(`git_refs ${ref}`)) {
        const sha = [...(this.#commits.get(repo) ?? [])][0] ?? 'c0ffee'.padEnd(40, '0');
        this.#ref(repo, `refs/heads/${branch}`, sha);
      }
      const role = this.#branches.get(`wrote ${repo}`) ?? this.#branches.get(`role ${repo}`) ?? 'admin';
      if (owner !== login && users.get(owner)?.['type'] !== 'Organization')
        this.#of('collaborators').set(`${repo}/${login}`, {
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
    for (const row of this.#of('notifications').values()) row['user_login'] = login;
    for (const team_id of this.#myTeams)
      if (this.#of('teams').has(team_id))
        this.#of('team_members').set(team_id, { id: `${team_id}/${login}`, team_id, login });
    for (const name of [login, 'octo']) if (!users.has(name)) users.set(name, { id: name, type: 'User' });
    for (const [name, { type, profile }] of users)
      if (type === 'Organization' && name !== login && !this.#made.has(`strange ${name}`))
        this.#of('org_members').set(name, {
          ...{ id: `${name}/${login}`, org: name, login, state: 'active' },
          // Only owners see what others are shown as null.
          role: mapOf(profile)['billing_email'] === null ? 'member' : 'admin',
        });
    for (const rows of this.#objects.values())
      for (const row of rows.values()) {
        for (const key of ['user_login', 'login', 'merger', 'closer'])
          if (typeof row[key] === 'string' && !users.has(row[key])) users.set(row[key], { id: row[key], type: 'User' });
      }
    for (const [id, rules] of this.#rules) {
      const [owner, name, , , ...branch] = id.split('/');
      const repo = `${owner}/${name}`;
      if (this.#made.has(`repos ${repo}/`) || this.#made.has(`rules ${id}`)) continue;
      if (!this.#of('git_refs').has(id))
        this.#ref(
          repo,
          `refs/heads/${branch.join('/')}`,
          [...(this.#commits.get(repo) ?? [])][0] ?? 'c0ffee'.padEnd(40, '0'),
        );
      const ref = this.#of('git_refs').get(id);
      if (ref) ref['protection'] = rules;
    }
    for (const place of this.#files.keys()) {
      const [repo, branch] = place.split('/refs/heads/');
      if (branch !== undefined && !this.#made.has(`repos ${repo}/`))
        this.#ref(repo, `refs/heads/${branch}`, digest(place));
    }
    this.#history();
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
      this.#of('access_tokens').set(invitee, { id: `access_token_${invitee}`, ...token });
    }
    const scope = ['repo', 'admin:org', 'user', 'delete_repo', 'admin:repo_hook', 'workflow', 'notifications'];
    this.#of('access_tokens').set('it', {
      id: `access_token_recorded0001`,
      token: RECORDED_TOKEN,
      user_login: login,
      installation: this.#branches.get('installation') ?? null,
      scope,
      permissions: {},
    });
  }

  readonly #branchTrees = new Map<string, string>();
  readonly #compared: [repo: string, before: string, after: string, files: readonly JsonObject[]][] = [];
  /** A commit that says what it changed has these files, and its parent has them as they were. */
  #trees(): void {
    const commits = this.#of('commits');
    const changes = [...this.#changes].map(([id, files]) => {
      const { repo_id, parent_shas } = commits.get(id) ?? {};
      return [textOf(repo_id), textOf(((parent_shas ?? []) as readonly string[])[0]), id.slice(-40), files] as const;
    });
    for (const [repo, base, head, files] of [...this.#compared, ...changes]) {
      const [parent, commit] = [base, head].map((sha) => commits.get(`${repo}/${sha}`));
      if (!commit || this.#of('trees').has(`${repo}/${textOf(commit['tree_sha'])}`)) continue;
      const [before, after] = [false, true].map((isAfter) =>
        files
          .filter(({ status }) => status !== (isAfter ? 'removed' : 'added'))
          .map(({ filename, sha, patch, previous_filename: previous }) => {
            const text = sideOf(textOf(patch), isAfter);
            const blob = isAfter && SHA.test(textOf(sha)) ? textOf(sha) : blobSha(text + (isAfter ? '' : '\n'));
            const key = `${repo}/${blob}`;
            if (!this.#of('blobs').has(key))
              this.#of('blobs').set(key, {
                id: key,
                repo_id: repo,
                sha: blob,
                size: text.length,
                base64: toBase64(text),
              });
            return { path: (isAfter ? filename : (previous ?? filename)) ?? '', mode: '100644', sha: blob };
          }),
      );
      if (commit['tree_sha'] === '') commit['tree_sha'] = reversed(commit['sha']);
      this.#tree(repo, textOf(commit['tree_sha']), after);
      if (!parent) continue;
      if (parent['tree_sha'] === '') parent['tree_sha'] = reversed(parent['sha']);
      if (!this.#of('trees').has(`${repo}/${textOf(parent['tree_sha'])}`))
        this.#tree(repo, textOf(parent['tree_sha']), before);
    }
  }

  /** Commits have trees and parents. */
  #history(): void {
    const commits = this.#of('commits');
    const before = (id: string, repo: string, seen = new Set<string>()): Set<string> => {
      for (const parent of (commits.get(id)?.['parent_shas'] ?? []) as readonly string[])
        if (!seen.has(parent)) before(`${repo}/${parent}`, repo, seen.add(parent));
      return seen;
    };
    for (const [id, sha] of this.#branchTrees) {
      const ref = this.#of('git_refs').get(id);
      const commit = commits.get(`${textOf(ref?.['repo_id'])}/${textOf(ref?.['sha'])}`);
      if (commit && commit['tree_sha'] === '') commit['tree_sha'] = sha;
    }
    for (const [repo, branch] of [...this.#of('git_refs').values()].map(
      (each) => [textOf(each['repo_id']), each] as const,
    )) {
      const files = this.#files.get(textOf(branch['id'])) ?? this.#files.get(repo);
      const commit = commits.get(`${repo}/${textOf(branch['sha'])}`);
      if (files && commit && !this.#of('trees').has(`${repo}/${textOf(commit['tree_sha'])}`)) {
        if (commit['tree_sha'] === '') commit['tree_sha'] = 'f11e5'.padEnd(40, '0');
        this.#tree(repo, textOf(commit['tree_sha']), [...files.values()]);
      }
    }
    this.#trees();
    for (const [id, commit] of commits) {
      const row = commit;
      const repo = textOf(row['repo_id']);
      row['history'] = [...before(id, repo)];
      if (row['tree_sha'] === '') row['tree_sha'] = reversed(row['sha']);
      if (!this.#of('trees').has(`${repo}/${textOf(row['tree_sha'])}`)) this.#tree(repo, textOf(row['tree_sha']), []);
    }
  }

  #tree(repo: string, sha: string, files: readonly JsonObject[]): void {
    const entries = files.map((each) => ({ ...each, type: 'blob' }));
    this.#of('trees').set(`${repo}/${sha}`, { id: `${repo}/${sha}`, repo_id: repo, sha, files, entries });
  }
}
