import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Recorded } from '../../recordings/read.js';
import { parsed } from '../../recordings/replay.js';
import type { PresumedGit } from './presumed-git.js';
import type { PresumedObjects } from './presumed-objects.js';
import type { PresumedPeople } from './presumed-people.js';
import { listIn, mapIn, shownText } from './presumed-values.js';

/** Secrets, variables, labels and branch rules in a reconstructed world. */
export class PresumedSettings {
  readonly #rules = new Map<string, Record<string, Json>>();

  constructor(
    private readonly objects: PresumedObjects,
    private readonly git: PresumedGit,
    private readonly people: PresumedPeople,
  ) {}

  /** Reads secrets, variables, labels and branch rules that a call needs. */
  read({ method, status, url, body: sent }: Recorded, path: string, body: Json): void {
    const [, place, kind, name] = /^(.*)\/(secrets|variables)(?:\/([^/]+))?$/.exec(path) ?? [];
    const put = (what: string, value: JsonObject): void => {
      const called = shownText(value['name']).toUpperCase();
      const id = `${place}/${called}`;
      const row = { ...this.objects.fields(what, value), id, place, name: called };
      if (called !== '') this.objects.presume(what, id, row);
    };
    if (kind !== undefined) {
      for (const each of listIn(mapIn(body)[kind])) put(kind, each);
      const isMade = status === 201;
      const own = name ?? shownText(mapIn(body)['name'] ?? mapIn(parsed(sent))['name']);
      if (isMade && own !== '') this.objects.made.add(`${kind} ${place}/${own.toUpperCase()}`);
      else if (name !== undefined && name !== 'public-key')
        put(kind, { value: 'a value', ...(method === 'GET' ? mapIn(body) : {}), name });
      if (url.pathname.startsWith('/orgs/')) this.people.user({ login: path.split('/')[2], type: 'Organization' });
    }
    const label = /^\/repos\/([^/]+\/[^/]+)\/labels\/(.+)$/.exec(path);
    if (label && (method === 'DELETE' || method === 'PATCH')) {
      const id = `${label[1]}/${decodeURIComponent(label[2])}`;
      this.objects.presume('labels', id, { id, repo_id: label[1], name: decodeURIComponent(label[2]) });
    }
    const rules = /^\/repos\/([^/]+\/[^/]+)\/branches\/([^/]+)\/protection(?:\/(\w+))?(?:\/(\w+))?$/.exec(path);
    if (rules) this.#protection(rules, method, body);
    if (rules?.[4] === 'teams')
      for (const each of [body, parsed(sent) ?? null])
        for (const team of Array.isArray(each) ? (each as readonly Json[]) : [])
          this.people.askedTeam(rules[1].split('/')[0], shownText(mapIn(team)['slug']) || shownText(team));
  }

  /** Copies branch rules into the branches. */
  complete(): void {
    for (const [id, rules] of this.#rules) {
      const [owner, name, , , ...branch] = id.split('/');
      const repo = `${owner}/${name}`;
      if (this.objects.made.has(`repos ${repo}/`) || this.objects.made.has(`rules ${id}`)) continue;
      this.git.ref(repo, `refs/heads/${branch.join('/')}`, this.git.first(repo));
      const ref = this.objects.of('git_refs').get(id);
      if (ref) ref['protection'] = rules;
    }
  }

  /** Adds a branch rule that is read, unless an earlier call set it. */
  #protection([, repo, branch, part, below]: readonly string[], method: string, body: Json): void {
    const id = `${repo}/refs/heads/${branch}`;
    const known = this.#rules.get(id) ?? {};
    if (method === 'PUT' && part === undefined) this.objects.made.add(`rules ${id}`);
    if (this.objects.made.has(`rules ${id}`)) return;
    if (part === undefined) Object.assign(known, body);
    else if (below === undefined && isObject(body) && !(part in known)) known[part] = body;
    else if (below === 'contexts' && !(part in known)) known[part] = { strict: false, contexts: body, checks: [] };
    else if (part === 'restrictions' && listIn(mapIn(known[part])[below]).length === 0 && Array.isArray(body))
      known[part] = { users: [], teams: [], apps: [], ...mapIn(known[part]), [below]: body };
    else if (!(part in known) && /POST|DELETE/.test(method)) known[part] = { enabled: method === 'DELETE' };
    this.#rules.set(id, known);
  }
}
