import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { Recorded } from '../../recordings/read.js';
import type { PresumedObjects } from './presumed-objects.js';
import { PLAIN_USER } from './presumed-tables.js';
import { digest, listIn, mapIn, pick, shownText, loginIn } from './presumed-values.js';

/** The token of the person who made the recording. */
export const RECORDED_TOKEN = 'ghp_of_the_recording';
/** The token of a person who was invited in a recording. */
export function tokenOf(login: string): string {
  return `ghp_of${digest(login).slice(0, 34)}`;
}

/** People, organizations and teams in a reconstructed world, and the caller's own objects. */
export class PresumedPeople {
  /** The login of the caller; undefined if no call shows it. */
  login: string | undefined;
  /** Invited logins by invitation. */
  readonly invited = new Map<string, string>();
  #emails: readonly JsonObject[] = [];
  readonly #myTeams = new Set<string>();

  constructor(private readonly objects: PresumedObjects) {}

  /** Notes that the caller is no member of an organization, since it redirects to the public list. */
  ofNonMember(path: string, status: number): void {
    const [, strange] = /^\/orgs\/([^/]+)\/members\/[^/]+$/.exec(path) ?? [];
    if (strange !== undefined && status === 302) this.objects.made.add(`strange ${strange}`);
  }

  /** Reads members of organizations, the caller's own lists, and its invitations. */
  read({ method, status }: Recorded, path: string, body: Json): void {
    const member = /^\/orgs\/([^/]+)\/(?:public_)?members\/([^/]+)$/.exec(path);
    const set = /^\/orgs\/([^/]+)\/memberships\/([^/]+)$/.exec(path);
    if (set && method === 'PUT') this.objects.made.add(`members ${set[1]}/${set[2]}`);
    if (member && method === 'GET' && status === 204 && !this.objects.made.has(`members ${member[1]}/${member[2]}`))
      this.objects.of('org_members').set(`${member[1]}/${member[2]}`, {
        id: `${member[1]}/${member[2]}`,
        org: member[1],
        login: member[2],
        role: 'member',
        state: 'active',
        public: path.includes('/public_members/'),
      });
    if (path === '/user/emails') this.#emails = listIn(body);
    if (path === '/user/teams')
      for (const each of listIn(body)) {
        const team_id = `${loginIn(each['organization'])}/${shownText(each['slug'])}`;
        this.#myTeams.add(team_id);
      }
    const invitation = mapIn(body);
    if (method === 'PUT' && /\/collaborators\/[^/]+$/.test(path) && 'invitee' in invitation)
      this.invited.set(shownText(invitation['id']), loginIn(invitation['invitee']));
  }

  /** Adds a person or organization that a call or object names. */
  named(login: string, type = 'User'): void {
    this.objects.add('users', login, { id: login, type });
  }

  /** Adds a person or organization from a response. */
  user(value: JsonObject): void {
    const login = shownText(value['login']);
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?$/.test(login)) return;
    const users = this.objects.of('users');
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

  /** Adds a notification from a response. */
  notification(value: JsonObject): void {
    const repo = shownText(mapIn(value['repository'])['full_name']);
    const id = this.objects.idOf('notifications', repo, shownText(value['id']));
    const row = { ...this.objects.fields('notifications', value), id, repo_id: repo, about: null };
    this.objects.add('notifications', id, { ...row, state: value['unread'] === true ? 'unread' : 'read' });
  }

  /** Adds a team from a response, with its organization. */
  team(value: JsonObject): void {
    const org = /\/orgs\/([^/]+)\/teams\//.exec(shownText(value['html_url']))?.[1] ?? loginIn(value['organization']);
    const id = `${org}/${shownText(value['slug'])}`;
    if (org === '' || this.objects.made.has(`teams ${id}`)) return;
    const known = this.objects.of('teams').get(id);
    const parent = mapIn(value['parent']);
    if (known && 'slug' in parent) known['parent_id'] ??= `${org}/${shownText(parent['slug'])}`;
    if (known) return;
    this.objects.of('teams').set(id, {
      ...this.objects.fields('teams', value),
      ...('slug' in parent && { parent_id: `${org}/${shownText(parent['slug'])}` }),
      id,
      org,
      ...(typeof value['id'] === 'number' && { num: value['id'] }),
    });
    this.named(org, 'Organization');
  }

  /** Adds a team that a call names, unless a call created it. */
  askedTeam(org: string, slug: string): void {
    const id = `${org}/${slug}`;
    this.objects.presume('teams', id, { id, org, slug, name: slug, description: '' });
  }

  /** Adds the caller's notifications, teams and memberships, and all people in objects. */
  complete(login: string): void {
    const users = this.objects.of('users');
    for (const row of this.objects.of('notifications').values()) row['user_login'] = login;
    for (const team_id of this.#myTeams)
      if (this.objects.of('teams').has(team_id))
        this.objects.of('team_members').set(team_id, { id: `${team_id}/${login}`, team_id, login });
    for (const name of [login, 'octo']) this.named(name);
    for (const [name, { type, profile }] of users)
      if (type === 'Organization' && name !== login && !this.objects.made.has(`strange ${name}`))
        this.objects.of('org_members').set(name, {
          ...{ id: `${name}/${login}`, org: name, login, state: 'active' },
          // Only owners get this member; others get null.
          role: mapIn(profile)['billing_email'] === null ? 'member' : 'admin',
        });
    for (const rows of this.objects.all.values())
      for (const row of rows.values()) {
        for (const key of ['user_login', 'login', 'merger', 'closer'])
          if (typeof row[key] === 'string') this.named(row[key]);
      }
    const me = users.get(login);
    if (me && this.#emails.length > 0) me['emails'] = this.#emails;
  }

  /** Adds the tokens of the caller and of invited people. */
  completeTokens(login: string, installation: string | null): void {
    for (const invitee of new Set(this.invited.values())) {
      this.named(invitee);
      const token = {
        token: tokenOf(invitee),
        user_login: invitee,
        installation: null,
        scope: ['repo'],
        permissions: {},
      };
      this.objects.of('access_tokens').set(invitee, { id: `access_token_${invitee}`, ...token });
    }
    const scope = ['repo', 'admin:org', 'user', 'delete_repo', 'admin:repo_hook', 'workflow', 'notifications'];
    this.objects.of('access_tokens').set('it', {
      id: `access_token_recorded0001`,
      token: RECORDED_TOKEN,
      user_login: login,
      installation,
      scope,
      permissions: {},
    });
  }
}
