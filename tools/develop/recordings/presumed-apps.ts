import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { PresumedObjects } from './presumed-objects.js';
import type { PresumedPeople } from './presumed-people.js';
import { listIn, mapIn, pick, shownText, loginIn } from './presumed-values.js';

/** Apps in a reconstructed world, and their installations. */
export class PresumedApps {
  /** The app that authenticates with a JSON Web Token; null if none does. */
  app: string | null = null;
  /** The installation whose token the calls use; null if they use a person's. */
  calling: string | null = null;

  constructor(
    private readonly objects: PresumedObjects,
    private readonly people: PresumedPeople,
  ) {}

  /** Reads apps and installations from a response. */
  read(path: string, body: Json): void {
    const named = /^\/app\/installations\/(\d+)/.exec(path)?.[1];
    const shown = [...(Array.isArray(body) ? listIn(body) : [mapIn(body)]), ...listIn(mapIn(body)['installations'])];
    if (path === '/app' && isObject(body)) {
      this.#appOf(body);
      return;
    }
    for (const each of shown.filter((one) => 'access_tokens_url' in one)) {
      const app = this.#appOf(pick(each, ['permissions', 'events']));
      const account = mapIn(each['account']);
      if (typeof account['login'] === 'string') this.people.user(account);
      this.#installation(shownText(each['id']), app, shownText(account['login']), each);
    }
    const given = mapIn(mapIn(body)['permissions']);
    if (named !== undefined && path.endsWith('/access_tokens')) this.#appOf({ permissions: given });
    if (named !== undefined && !this.objects.ids.has(named))
      this.#installation(named, this.#appOf({ slug: 'app', permissions: mapIn(body)['permissions'] ?? {} }), '', {});
    if (path === '/installation/repositories') {
      const owner = shownText(mapIn(listIn(mapIn(body)['repositories'])[0]?.['owner'])['login']);
      this.calling = this.#installation('1', this.#appOf({ slug: 'app' }), owner, {});
    }
  }

  /** All calls of a recording belong to one app. */
  #appOf(value: JsonObject): string {
    const id = '3490000';
    this.app = id;
    const known = this.objects.of('apps').get(id);
    if (known) known['permissions'] = { ...mapIn(known['permissions']), ...mapIn(value['permissions']) };
    if (known && !('external_url' in value)) return id;
    this.objects.of('apps').set(id, {
      name: 'an app',
      slug: 'app',
      ...this.objects.fields('apps', value),
      id,
      ...('owner' in value && { owner_login: loginIn(value['owner']) }),
    });
    return id;
  }

  #installation(recorded: string, app: string, login: string, value: JsonObject): string {
    const id = this.objects.idOf('installations', '', recorded);
    const row = { ...this.objects.fields('installations', value), id, app_id: app };
    if (this.objects.of('installations').get(id)?.['account_login'] === undefined)
      this.objects.of('installations').set(id, { ...row, ...(login !== '' && { account_login: login }) });
    return id;
  }
}
