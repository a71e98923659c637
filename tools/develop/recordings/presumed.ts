import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Sandbox } from '../../../engine/index.js';
import type { Recorded } from '../../recordings/read.js';
import { parsed } from '../../recordings/replay.js';
import { PresumedApps } from './presumed-apps.js';
import { PresumedChecks } from './presumed-checks.js';
import { PresumedGit } from './presumed-git.js';
import { PresumedIssues } from './presumed-issues.js';
import { PresumedObjects } from './presumed-objects.js';
import { PresumedPeople } from './presumed-people.js';
import { PresumedPulls } from './presumed-pulls.js';
import { PresumedReleases } from './presumed-releases.js';
import { PresumedRepositories } from './presumed-repositories.js';
import { PresumedSettings } from './presumed-settings.js';
import { NUMBERED, USED_BY } from './presumed-tables.js';
import {
  type ObjectAddress,
  inOrder,
  kindOf,
  listIn,
  mapIn,
  type PresumedRow,
  shownText,
  whatWasAsked,
  loginIn,
} from './presumed-values.js';

/** The initial world that a recording of the code host needs: objects in its responses that none of its calls created. */
export interface PresumedWorld {
  readonly seed: Record<string, JsonObject[]>;
  /** The login of the caller. */
  readonly login: string;
  /** The app that authenticates with a JSON Web Token; null if none does. */
  readonly app: string | null;
  /** Ids and paths in the world by recorded ones. */
  readonly ids: ReadonlyMap<string, string>;
  readonly paths: ReadonlyMap<string, string>;
  /** Invited logins by invitation. */
  readonly invited: ReadonlyMap<string, string>;
}

/** Reconstructs worlds from recordings of the code host. */
export class Presumption {
  readonly #objects: PresumedObjects;
  readonly #git: PresumedGit;
  readonly #people: PresumedPeople;
  readonly #pulls: PresumedPulls;
  readonly #issues: PresumedIssues;
  readonly #repositories: PresumedRepositories;
  readonly #checks: PresumedChecks;
  readonly #releases: PresumedReleases;
  readonly #apps: PresumedApps;
  readonly #settings: PresumedSettings;
  readonly #paths = new Map<string, string>();

  constructor(private readonly sandbox: Sandbox) {
    this.#objects = new PresumedObjects(sandbox);
    this.#git = new PresumedGit(this.#objects);
    this.#people = new PresumedPeople(this.#objects);
    this.#pulls = new PresumedPulls(this.#objects, this.#git);
    this.#issues = new PresumedIssues(this.#objects, this.#people, this.#pulls);
    this.#repositories = new PresumedRepositories(this.#objects, this.#git, this.#people, this.#issues);
    this.#checks = new PresumedChecks(this.#objects, this.#git);
    this.#releases = new PresumedReleases(this.#objects);
    this.#apps = new PresumedApps(this.#objects, this.#people);
    this.#settings = new PresumedSettings(this.#objects, this.#git, this.#people);
  }

  /** The initial world that some calls need. */
  of(calls: readonly Recorded[]): PresumedWorld {
    const responses = calls.map((call) => (call.status < 300 ? (parsed(call.text) ?? null) : undefined));
    this.#people.login = responses
      .filter((body, at) => calls[at].url.pathname === '/user' && isObject(body ?? null))
      .map((body) => shownText((body as JsonObject)['login']))
      .find(Boolean);
    // Otherwise the owner of an object that a call created.
    this.#people.login ??= responses
      .filter(
        (_, at) => calls[at].method === 'POST' && /\/(?:comments|reviews|issues|pulls)$/.test(calls[at].url.pathname),
      )
      .map((body) => loginIn(mapIn(body)['user']))
      .find(Boolean);
    for (const [at, call] of calls.entries()) this.#read(call, responses[at]);
    const [first] = this.#objects.of('users').values();
    const login =
      this.#people.login ?? (first === undefined || first['type'] === 'Organization' ? 'octo' : shownText(first['id']));
    this.#complete(login);
    const seed = Object.fromEntries(
      [...this.#objects.all]
        .filter(([, rows]) => rows.size > 0)
        .map(([name, rows]) => [name, name === 'notifications' ? inOrder([...rows.values()]) : [...rows.values()]]),
    );
    return {
      seed,
      login,
      app: this.#apps.app,
      ids: this.#objects.ids,
      paths: this.#paths,
      invited: this.#people.invited,
    };
  }

  #read(call: Recorded, body: Json | undefined): void {
    const path = decodeURI(call.url.pathname);
    this.#people.ofNonMember(path, call.status);
    if (body === undefined) return;
    this.#apps.read(path, body);
    this.#settings.read(call, path, body);
    this.#people.read(call, path, body);
    this.#repositories.ofSearch(call.url, path, body);
    const created = call.method !== 'GET' && (call.status === 201 || /\/contents\/|\/merges?$/.test(path));
    if (created && isObject(body) && this.#has(call)) {
      this.#repositories.make(body);
      const org = /^\/orgs\/([^/]+)\/teams$/.exec(path)?.[1];
      if (org !== undefined) this.#objects.made.add(`teams ${org}/${shownText(body['slug'])}`);
      for (const each of [body, body['content'], body['commit']]) this.#make(each, path);
      if (/\/merges?$/.test(path) && typeof body['sha'] === 'string')
        this.#objects.made.add(`commits ${path.split('/').slice(2, 4).join('/')}/${body['sha']}`);
    }
    if (call.method === 'POST' && path.endsWith('/reactions')) this.#issues.makeReaction(shownText(mapIn(body)['id']));
    if (created && Array.isArray(body)) for (const each of body as readonly Json[]) this.#make(each, path);
    this.#visit(whatWasAsked(call.url, path, body));
    const [, named] =
      /^\/(?:users|orgs)\/([^/]+)|\/(?:collaborators|memberships|members|assignees)\/([^/]+)/
        .exec(path)
        ?.filter(Boolean) ?? [];
    if (named !== undefined && !this.#objects.of('users').has(named))
      this.#people.user({ login: named, type: path.startsWith('/orgs/') ? 'Organization' : 'User' });
    const repo = /^\/repos\/([^/]+\/[^/]+)/.exec(path)?.[1];
    if (repo === undefined) return;
    if (call.method !== 'GET') this.#repositories.written(repo);
    this.#repositories.named(repo);
    const { new_owner, new_name } = mapIn(parsed(call.body));
    // A transferred object is created at its new path.
    if (path.endsWith('/transfer') && typeof new_owner === 'string') {
      this.#people.named(new_owner);
      this.#objects.made.add(`repos ${new_owner}/${shownText(new_name) || repo.split('/')[1]}/`);
    }
    const teams = mapIn(parsed(call.body))['team_reviewers'];
    if (Array.isArray(teams))
      for (const slug of teams as readonly Json[]) this.#people.askedTeam(repo.split('/')[0], shownText(slug));
    const pull = /^\/repos\/[^/]+\/[^/]+\/pulls\/(\d+)(?:\/|$)/.exec(path)?.[1];
    if (pull !== undefined) this.#pulls.stubs.set(`${repo}/${pull}`, null);
    // A named commit is initial, unless an earlier call created it.
    for (const [sha] of `${path} ${call.body}`.matchAll(/\b[0-9a-f]{40}\b/g))
      if (!this.#git.isObject(repo, sha)) this.#git.commit(repo, sha, {});
    if (call.method === 'POST' && isObject(body)) this.#objects.made.add(`reviews ${String(body['id'])}`);
    this.#pulls.repliedTo(repo, path, mapIn(body));
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
    const key = `${name} ${repo}/${part}`;
    if (!this.#objects.seen(name, repo, part))
      this.#objects.made.add(name === 'repos' || name === 'users' ? `${name} ${repo}/` : key);
    // Creating a pull request also creates its issue.
    if (name === 'pulls') this.#objects.made.add(`issues ${repo}/${part}`);
    if (name === 'commits') this.#objects.made.add(`commits ${repo}/${part}`);
    if (name === 'contents' && isObject(value ?? null))
      this.#objects.made.add(`blobs ${repo}/${shownText((value as JsonObject)['sha'])}`);
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
    if (name === 'pulls' && this.#objects.made.has(`pulls ${repo}/${part}`)) this.#pulls.sides(repo, value);
    if (name === 'pulls') this.#pulls.between(`${repo}/${part}`, value);
    if (name === 'review_comments') this.#pulls.changed(repo, value);
    if (this.#objects.made.has(`${name} ${repo}/${part}`)) return;
    if (name === 'commits') return this.#git.commit(repo, part, value);
    if (this.#objects.seen(name, repo, part)) return;
    if (/^(?:issues|pulls)$/.test(name) && typeof value['title'] !== 'string') return;
    if (/^(?:comments|review_comments)$/.test(name) && !('body' in value)) return;
    const id = this.#objects.idOf(name, repo, name === 'labels' ? shownText(value['name']) || part : part);
    const row: PresumedRow = { ...this.#objects.fields(name, value), id, repo_id: repo };
    if (typeof value['id'] === 'number' && !(name in NUMBERED)) row['num'] = value['id'];
    const user = isObject(value['user'] ?? null) ? (value['user'] as JsonObject) : null;
    const maker = shownText(
      (user ?? (isObject(value['creator'] ?? null) ? (value['creator'] as JsonObject) : {}))['login'],
    );
    if (maker !== '' && USED_BY.has(name)) row['user_login'] = maker;
    const shown = { kind: name, repo, part, path, value, id, row };
    const subjects = [this.#git, this.#issues, this.#pulls, this.#checks, this.#releases];
    if (!subjects.every((subject) => subject.fill(shown))) return;
    for (const key of Object.keys(row)) if (!this.#objects.def(name).schema.fields.has(key)) delete row[key];
    this.#objects.of(name).set(id, row);
    // Its URL also contains the ids of its parents.
    const own = path.replace(part, name in NUMBERED ? id : part);
    this.#paths.set(
      path,
      own.replace(/(?<=\/)\d{4,}(?=\/)/g, (each) => this.#objects.ids.get(each) ?? each),
    );
  }

  /** Adds objects whose parents are only in the path. */
  #ofPath(repo: string, path: string, body: Json, branch: string | null): void {
    const rest = path.split('/').slice(4).join('/');
    const listed = listIn(body);
    this.#pulls.ofCommits(repo, rest, listed);
    for (const each of Array.isArray(body) ? listed : [mapIn(body)]) {
      this.#repositories.ofPath(repo, rest, each, branch);
      this.#checks.ofPath(repo, rest, each, listed);
      const [, ofIssue] = /^issues\/(\d+)\/(?:events|timeline)$/.exec(rest) ?? [];
      const address = kindOf(each);
      if (ofIssue !== undefined && typeof each['event'] === 'string' && address?.[0] === 'issue_events')
        this.#take(address, { ...each, issue: { number: Number(ofIssue) } });
      this.#pulls.ofPath(repo, rest, each);
      this.#issues.ofPath(repo, rest, each);
    }
  }

  /** Adds what the pack needs besides: branches, trees, roles, people and repositories named in objects. */
  #complete(login: string): void {
    for (const [name, rows] of this.#objects.all) {
      if (['users', 'repos', 'merge_checks'].includes(name)) continue;
      for (const [key, row] of rows) {
        const repo = shownText(row['repo_id']);
        // Objects of a repository that a call creates aren't initial.
        if (this.#objects.made.has(`repos ${repo}/`)) rows.delete(key);
        if (repo !== '') this.#repositories.named(repo);
      }
    }
    this.#issues.complete();
    this.#pulls.complete(login);
    this.#repositories.complete(login);
    this.#people.complete(login);
    this.#settings.complete();
    this.#git.history();
    this.#people.completeTokens(login, this.#apps.calling);
  }
}
