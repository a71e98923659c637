import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Recorded } from '../../recordings/read.js';
import type { PresumedSeed } from './presumed-seed.js';
import { digest, listIn, loginIn, mapIn, pick, shownText } from './presumed-values.js';

/** The token of the person who made the recording. */
export const RECORDED_TOKEN = 'ghp_of_the_recording';
/** Returns the token of a person who was invited in a recording. */
export function tokenOf(login: string): string {
  return `ghp_of${digest(login).slice(0, 34)}`;
}

/** Id of the app that made the recorded calls; a recording has at most one. */
const APP = '3490000';
const SCOPES = ['repo', 'admin:org', 'user', 'delete_repo', 'admin:repo_hook', 'workflow', 'notifications'];
/** Members that every user object has; others belong to the profile. */
const PLAIN_USER = new Set(
  'login id node_id avatar_url gravatar_id url html_url followers_url following_url gists_url starred_url subscriptions_url organizations_url repos_url events_url received_events_url type site_admin user_view_type'.split(
    ' ',
  ),
);

/** People, organizations, teams and apps in a reconstructed world, and the caller's own objects. */
export class PresumedPeople {
  /** The login of the caller; undefined if no call shows it. */
  login: string | undefined;
  /** The app that authenticates with a JSON Web Token; null if none does. */
  app: string | null = null;
  /** Login of the invited person, by id of the invitation. */
  readonly invited = new Map<string, string>();
  /** The installation whose token the calls use; null if they use a person's. */
  #calling: string | null = null;
  #emails: readonly JsonObject[] = [];
  readonly #myTeams = new Set<string>();

  constructor(private readonly seed: PresumedSeed) {}

  /** Reads members of organizations, the caller's own lists, its invitations, and its app. */
  read({ method, status }: Recorded, path: string, body: Json): void {
    const [, org, login] = /^\/orgs\/([^/]+)\/(?:public_)?members\/([^/]+)$/.exec(path) ?? [];
    const [, setOrg, setLogin] = /^\/orgs\/([^/]+)\/memberships\/([^/]+)$/.exec(path) ?? [];
    if (setOrg !== undefined && method === 'PUT') this.seed.make('members', `${setOrg}/${setLogin}`);
    if (org !== undefined && method === 'GET' && status === 204 && !this.seed.isMade('members', `${org}/${login}`)) {
      const isPublic = path.includes('/public_members/');
      this.seed.set('org_members', `${org}/${login}`, {
        org,
        login,
        role: 'member',
        state: 'active',
        public: isPublic,
      });
    }
    if (path === '/user/emails') this.#emails = listIn(body);
    if (path === '/user/teams')
      for (const each of listIn(body)) this.#myTeams.add(`${loginIn(each['organization'])}/${shownText(each['slug'])}`);
    const invitation = mapIn(body);
    if (method === 'PUT' && /\/collaborators\/[^/]+$/.test(path) && 'invitee' in invitation)
      this.invited.set(shownText(invitation['id']), loginIn(invitation['invitee']));
    if (path === '/app' && isObject(body)) this.#appOf(body);
    else this.#installations(path, body);
  }

  /** Notes that the caller isn't a member of an organization, from a redirect to the list of public members. */
  ofNonMember(path: string, status: number): void {
    const [, org] = /^\/orgs\/([^/]+)\/members\/[^/]+$/.exec(path) ?? [];
    if (org !== undefined && status === 302) this.seed.make('strange', org);
  }

  /** Adds a person or organization that a call or object names. */
  named(login: string, type = 'User'): void {
    this.seed.add('users', login, { type });
  }

  /** Adds a person or organization from a response. */
  user(value: JsonObject): void {
    const login = shownText(value['login']);
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?$/.test(login)) return;
    const known = this.seed.get('users', login);
    const isOrganization = value['type'] === 'Organization' || 'members_url' in value;
    if (known?.['type'] === 'Organization' && !known['profile'] && typeof value['description'] === 'string')
      known['profile'] = { description: value['description'] };
    const isFull = 'public_repos' in value || 'created_at' in value;
    const before = mapIn(known?.['profile']);
    if (known && !(isFull && (before['created_at'] === undefined || !('billing_email' in before)))) return;
    const profile = isFull
      ? { ...before, ...Object.fromEntries(Object.entries(value).filter(([key]) => !PLAIN_USER.has(key))) }
      : isOrganization && 'description' in value
        ? pick(value, ['description'])
        : undefined;
    this.seed.set('users', login, {
      type: isOrganization ? 'Organization' : value['type'] === 'Bot' ? 'Bot' : 'User',
      ...(typeof value['id'] === 'number' && { num: value['id'] }),
      ...(profile && { profile }),
    });
  }

  /** Adds a notification from a response. */
  notification(value: JsonObject): void {
    const repo = shownText(mapIn(value['repository'])['full_name']);
    const id = this.seed.idOf('notifications', repo, shownText(value['id']));
    const state = value['unread'] === true ? 'unread' : 'read';
    this.seed.add('notifications', id, {
      ...this.seed.fields('notifications', value),
      repo_id: repo,
      about: null,
      state,
    });
  }

  /** Adds a team from a response, with its organization. */
  team(value: JsonObject): void {
    const org = /\/orgs\/([^/]+)\/teams\//.exec(shownText(value['html_url']))?.[1] ?? loginIn(value['organization']);
    const id = `${org}/${shownText(value['slug'])}`;
    if (org === '' || this.seed.isMade('teams', id)) return;
    const known = this.seed.get('teams', id);
    const { slug: parent } = mapIn(value['parent']);
    const inParent = parent !== undefined && { parent_id: `${org}/${shownText(parent)}` };
    if (known && inParent) known['parent_id'] ??= inParent.parent_id;
    if (known) return;
    const num = typeof value['id'] === 'number' && { num: value['id'] };
    this.seed.set('teams', id, { ...this.seed.fields('teams', value), ...inParent, org, ...num });
    this.named(org, 'Organization');
  }

  /** Adds a team that a call names, unless a call created it. */
  askedTeam(org: string, slug: string): void {
    this.seed.presume('teams', `${org}/${slug}`, { org, slug, name: slug, description: '' });
  }

  /** Adds the caller's notifications, teams and memberships, and all people in objects. */
  complete(login: string): void {
    const users = this.seed.of('users');
    for (const row of this.seed.of('notifications').values()) row['user_login'] = login;
    for (const team_id of this.#myTeams)
      if (this.seed.of('teams').has(team_id))
        this.seed.set('team_members', team_id, { id: `${team_id}/${login}`, team_id, login });
    for (const name of [login, 'octo']) this.named(name);
    for (const [org, { type, profile }] of users)
      if (type === 'Organization' && org !== login && !this.seed.isMade('strange', org)) {
        // Only owners of an organization get this member; others get null.
        const role = mapIn(profile)['billing_email'] === null ? 'member' : 'admin';
        this.seed.set('org_members', org, { id: `${org}/${login}`, org, login, state: 'active', role });
      }
    for (const rows of this.seed.all.values())
      for (const row of rows.values())
        for (const key of ['user_login', 'login', 'merger', 'closer'])
          if (typeof row[key] === 'string') this.named(row[key]);
    const me = users.get(login);
    if (me && this.#emails.length > 0) me['emails'] = this.#emails;
  }

  /** Adds the tokens of the caller and of invited people. */
  completeTokens(login: string): void {
    for (const invitee of new Set(this.invited.values())) {
      this.named(invitee);
      const token = { token: tokenOf(invitee), user_login: invitee, installation: null, scope: ['repo'] };
      this.seed.set('access_tokens', invitee, { id: `access_token_${invitee}`, ...token, permissions: {} });
    }
    const token = { token: RECORDED_TOKEN, user_login: login, installation: this.#calling, scope: SCOPES };
    this.seed.set('access_tokens', 'it', { id: 'access_token_recorded0001', ...token, permissions: {} });
  }

  /** Reads the installations of the app from responses. */
  #installations(path: string, body: Json): void {
    const shown = [...(Array.isArray(body) ? listIn(body) : [mapIn(body)]), ...listIn(mapIn(body)['installations'])];
    for (const each of shown.filter((one) => 'access_tokens_url' in one)) {
      this.#appOf(pick(each, ['permissions', 'events']));
      const account = mapIn(each['account']);
      if (typeof account['login'] === 'string') this.user(account);
      this.#installation(shownText(each['id']), shownText(account['login']), each);
    }
    const named = /^\/app\/installations\/(\d+)/.exec(path)?.[1];
    const { permissions = {}, repositories } = mapIn(body);
    if (named !== undefined && path.endsWith('/access_tokens')) this.#appOf({ permissions: mapIn(permissions) });
    if (named !== undefined && !this.seed.ids.has(named)) {
      this.#appOf({ slug: 'app', permissions });
      this.#installation(named, '', {});
    }
    if (path !== '/installation/repositories') return;
    this.#appOf({ slug: 'app' });
    this.#calling = this.#installation('1', loginIn(listIn(repositories)[0]?.['owner']), {});
  }

  #appOf(value: JsonObject): void {
    this.app = APP;
    const known = this.seed.get('apps', APP);
    if (known) known['permissions'] = { ...mapIn(known['permissions']), ...mapIn(value['permissions']) };
    if (known && !('external_url' in value)) return;
    const owner = 'owner' in value && { owner_login: loginIn(value['owner']) };
    this.seed.set('apps', APP, { name: 'an app', slug: 'app', ...this.seed.fields('apps', value), ...owner });
  }

  #installation(recorded: string, login: string, value: JsonObject): string {
    const id = this.seed.idOf('installations', '', recorded);
    const row = { ...this.seed.fields('installations', value), app_id: APP };
    if (this.seed.get('installations', id)?.['account_login'] === undefined)
      this.seed.set('installations', id, { ...row, ...(login !== '' && { account_login: login }) });
    return id;
  }
}
