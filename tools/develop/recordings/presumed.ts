import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Sandbox } from '../../../engine/index.js';
import type { Recorded } from '../../recordings/read.js';
import { parsed } from '../../recordings/replay.js';
import { PresumedChecks, runsAsAsked } from './presumed-checks.js';
import { PresumedGit } from './presumed-git.js';
import { PresumedIssues } from './presumed-issues.js';
import { KINDS, kindOf, type ObjectAddress } from './presumed-kinds.js';
import { PresumedPeople } from './presumed-people.js';
import { PresumedRepositories } from './presumed-repositories.js';
import { type PresumedRow, PresumedSeed } from './presumed-seed.js';
import { listIn, loginIn, mapIn, shownText } from './presumed-values.js';

/** The initial world that a recording of the code host needs: objects in its responses that none of its calls created. */
export interface PresumedWorld {
  readonly seed: Record<string, JsonObject[]>;
  /** The login of the caller. */
  readonly login: string;
  /** The app that authenticates with a JSON Web Token; null if none does. */
  readonly app: string | null;
  /** Ids and paths in the reconstructed world, by recorded ones. */
  readonly ids: ReadonlyMap<string, string>;
  readonly paths: ReadonlyMap<string, string>;
  /** Login of the invited person, by id of the invitation. */
  readonly invited: ReadonlyMap<string, string>;
}

/** Reconstructs worlds from recordings of the code host. */
export class Presumption {
  readonly #seed: PresumedSeed;
  readonly #git: PresumedGit;
  readonly #people: PresumedPeople;
  readonly #issues: PresumedIssues;
  readonly #repositories: PresumedRepositories;
  readonly #checks: PresumedChecks;
  readonly #paths = new Map<string, string>();

  constructor(private readonly sandbox: Sandbox) {
    this.#seed = new PresumedSeed(sandbox);
    this.#git = new PresumedGit(this.#seed);
    this.#people = new PresumedPeople(this.#seed);
    this.#issues = new PresumedIssues(this.#seed, this.#git, this.#people);
    this.#repositories = new PresumedRepositories(this.#seed, this.#git, this.#people, this.#issues);
    this.#checks = new PresumedChecks(this.#seed, this.#git);
  }

  /** Reconstructs the initial world that some calls need. */
  of(calls: readonly Recorded[]): PresumedWorld {
    const responses = calls.map((call) => (call.status < 300 ? (parsed(call.text) ?? null) : undefined));
    this.#people.login = recorderOf(calls, responses);
    for (const [at, call] of calls.entries()) this.#read(call, responses[at]);
    const [first] = this.#seed.of('users').values();
    const login =
      this.#people.login ?? (first === undefined || first['type'] === 'Organization' ? 'octo' : shownText(first['id']));
    this.#complete(login);
    const { ids, all } = this.#seed;
    const seed: Record<string, JsonObject[]> = {};
    for (const [name, rows] of all)
      if (rows.size > 0) seed[name] = name === 'notifications' ? asListed([...rows.values()]) : [...rows.values()];
    const { app, invited } = this.#people;
    return { seed, login, app, ids, paths: this.#paths, invited };
  }

  #read(call: Recorded, body: Json | undefined): void {
    const path = decodeURI(call.url.pathname);
    this.#people.ofNonMember(path, call.status);
    if (body === undefined) return;
    this.#people.read(call, path, body);
    this.#repositories.read(call, path, body);
    const created = call.method !== 'GET' && (call.status === 201 || /\/contents\/|\/merges?$/.test(path));
    if (created && isObject(body) && this.#has(call)) {
      this.#repositories.make(body);
      const org = /^\/orgs\/([^/]+)\/teams$/.exec(path)?.[1];
      if (org !== undefined) this.#seed.make('teams', `${org}/${shownText(body['slug'])}`);
      for (const each of [body, body['content'], body['commit']]) this.#make(each, path);
      if (/\/merges?$/.test(path) && typeof body['sha'] === 'string')
        this.#seed.make('commits', `${path.split('/').slice(2, 4).join('/')}/${body['sha']}`);
    }
    if (call.method === 'POST' && path.endsWith('/reactions'))
      this.#seed.make('reactions', shownText(mapIn(body)['id']));
    if (created && Array.isArray(body)) for (const each of body as readonly Json[]) this.#make(each, path);
    this.#visit(runsAsAsked(call.url, path, body));
    const [, named] =
      /^\/(?:users|orgs)\/([^/]+)|\/(?:collaborators|memberships|members|assignees)\/([^/]+)/
        .exec(path)
        ?.filter(Boolean) ?? [];
    if (named !== undefined && !this.#seed.of('users').has(named))
      this.#people.user({ login: named, type: path.startsWith('/orgs/') ? 'Organization' : 'User' });
    const repo = /^\/repos\/([^/]+\/[^/]+)/.exec(path)?.[1];
    if (repo === undefined) return;
    if (call.method !== 'GET') this.#repositories.written(repo);
    this.#repositories.named(repo);
    const { new_owner, new_name } = mapIn(parsed(call.body));
    // Notes the new path of a transferred object as created by the call.
    if (path.endsWith('/transfer') && typeof new_owner === 'string') {
      this.#people.named(new_owner);
      this.#seed.make('repos', `${new_owner}/${shownText(new_name) || repo.split('/')[1]}/`);
    }
    const teams = mapIn(parsed(call.body))['team_reviewers'];
    if (Array.isArray(teams))
      for (const slug of teams as readonly Json[]) this.#people.askedTeam(repo.split('/')[0], shownText(slug));
    const pull = /^\/repos\/[^/]+\/[^/]+\/pulls\/(\d+)(?:\/|$)/.exec(path)?.[1];
    if (pull !== undefined) this.#issues.namedPull(`${repo}/${pull}`);
    // Treats a named commit as initial, unless an earlier call created it.
    for (const [sha] of `${path} ${call.body}`.matchAll(/\b[0-9a-f]{40}\b/g))
      if (!this.#git.isObject(repo, sha)) this.#git.commit(repo, sha, {});
    if (call.method === 'POST' && isObject(body)) this.#seed.make('reviews', String(body['id']));
    this.#issues.repliedTo(repo, path, mapIn(body));
    this.#ofPath(repo, path, body, call.url.searchParams.get('ref'));
  }

  /** Whether the pack has the call's operation. Otherwise its objects are initial. */
  #has({ method, url }: Recorded): boolean {
    return this.sandbox.engine.pack.routes.match(method, url.pathname).kind === 'operation';
  }

  /** Notes that a call created an object, which isn't initial unless it appeared before. */
  #make(value: Json | undefined, path: string): void {
    const kind = kindOf(value);
    if (!kind) return;
    const [name, repo, part] = kind;
    const { number } = value as JsonObject;
    if (typeof number === 'number') this.#issues.make(name, repo, number, path);
    if (!this.#seed.seen(name, repo, part)) this.#seed.make(name, `${repo}/${part}`);
    // Also adds the issue, which the vendor creates with a pull request.
    if (name === 'pulls') this.#seed.make('issues', `${repo}/${part}`);
    if (name === 'commits') this.#seed.make('commits', `${repo}/${part}`);
    if (name === 'contents' && isObject(value ?? null))
      this.#seed.make('blobs', `${repo}/${shownText((value as JsonObject)['sha'])}`);
  }

  #visit(value: Json): void {
    if (Array.isArray(value)) {
      for (const each of value as readonly Json[]) this.#visit(each);
      return;
    }
    if (!isObject(value)) return;
    const kind = kindOf(value);
    if (kind) this.#take(kind, value);
    if (typeof value['login'] === 'string') this.#people.user(value);
    if (typeof value['slug'] === 'string' && 'members_url' in value) this.#people.team(value);
    if ('unread' in value && 'subject' in value) this.#people.notification(value);
    for (const each of Object.values(value)) this.#visit(each);
  }

  #take([name, repo, part, path]: ObjectAddress, value: JsonObject): void {
    if (name === 'users' || name === 'contents') return;
    if (name === 'repos') return this.#repositories.repo(repo, value);
    if (name === 'pulls') this.#issues.seenPull(repo, `${repo}/${part}`, value);
    if (name === 'review_comments') this.#issues.changed(repo, value);
    if (this.#seed.isMade(name, `${repo}/${part}`)) return;
    if (name === 'commits') return this.#git.commit(repo, part, value);
    if (this.#seed.seen(name, repo, part)) return;
    if (/^(?:issues|pulls)$/.test(name) && typeof value['title'] !== 'string') return;
    if (/^(?:comments|review_comments)$/.test(name) && !('body' in value)) return;
    const shown = this.#seed.shown([name, repo, part, path], value);
    const isWhole = [this.#git, this.#issues, this.#checks].every((subject) => subject.fill(shown));
    if (!isWhole) return;
    this.#seed.put(shown);
    // The object's URL also contains the ids of its parents.
    const own = KINDS[name].digits === undefined ? path : path.replace(part, shown.id);
    this.#paths.set(
      path,
      own.replace(/(?<=\/)\d{4,}(?=\/)/g, (each) => this.#seed.ids.get(each) ?? each),
    );
  }

  /** Adds objects whose parents are only in the path. */
  #ofPath(repo: string, path: string, body: Json, branch: string | null): void {
    const rest = path.split('/').slice(4).join('/');
    const listed = listIn(body);
    this.#issues.ofCommits(repo, rest, listed);
    for (const each of Array.isArray(body) ? listed : [mapIn(body)]) {
      this.#git.ofPath(repo, rest, each, branch);
      this.#repositories.ofPath(repo, rest, each);
      this.#checks.ofPath(repo, rest, each, listed);
      const [, ofIssue] = /^issues\/(\d+)\/(?:events|timeline)$/.exec(rest) ?? [];
      const address = kindOf(each);
      if (ofIssue !== undefined && typeof each['event'] === 'string' && address?.[0] === 'issue_events')
        this.#take(address, { ...each, issue: { number: Number(ofIssue) } });
      this.#issues.ofPath(repo, rest, each);
    }
  }

  /** Adds initial objects that the pack needs and no response shows: branches, trees, roles, and people and repositories named in objects. */
  #complete(login: string): void {
    for (const [name, rows] of this.#seed.all) {
      if (['users', 'repos', 'merge_checks'].includes(name)) continue;
      for (const [key, row] of rows) {
        const repo = shownText(row['repo_id']);
        // Removes objects of a repository that a call creates, since they aren't initial.
        if (this.#seed.isMade('repos', `${repo}/`)) rows.delete(key);
        if (repo !== '') this.#repositories.named(repo);
      }
    }
    this.#issues.complete(login);
    this.#repositories.complete(login);
    this.#people.complete(login);
    this.#repositories.completeRules();
    this.#git.complete();
    this.#people.completeTokens(login);
  }
}

/** Finds the login of the person who made the recording: the one at `/user`, or the author of a created object. */
function recorderOf(calls: readonly Recorded[], responses: readonly (Json | undefined)[]): string | undefined {
  const asked = responses.filter((_, at) => calls[at].url.pathname === '/user').map(loginIn);
  const made = responses.filter(
    (_, at) => calls[at].method === 'POST' && /\/(?:comments|reviews|issues|pulls)$/.test(calls[at].url.pathname),
  );
  return [...asked, ...made.map((body) => loginIn(mapIn(body)['user']))].find(Boolean);
}

/**
 * Orders notifications as they were listed; at equal times the newest comes first. The vendor sorts by a hidden time; here it is the shown time if
 * that matches the order.
 */
function asListed(rows: readonly PresumedRow[]): PresumedRow[] {
  let before = '9';
  for (const row of rows) {
    if (shownText(row['updated_at']) > before) row['updated_at'] = before;
    before = shownText(row['updated_at']);
  }
  return [...rows].reverse();
}
