import { get } from './api.js';
import { Store } from './store.js';
import type { Glance, Json, Pack, Shape } from './types.js';

/** The display name of an object, with its collection and status. */
interface Label {
  readonly collection: string;
  readonly status: Json;
  readonly name: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  /** The id of the object that the labelled one belongs to. */
  readonly owner: string | null;
}

const NAMES = ['name', 'email', 'login', 'nickname', 'title'];
const AMOUNTS = ['amount', 'total', 'unit_amount'];
/** Maximum number of ids in one request. */
const MOST = 300;

/** Display names of objects, requested together and cached. */
class Labels extends Store {
  readonly #known = new Map<string, Label | null>();
  readonly #wanted = new Set<string>();
  #isAsked = false;
  #owners = new Map<string, string>();
  #fields = '';

  /** Determines the fields of the pack's objects that refer to a person or company. */
  begin({ resources }: Pack): void {
    const named = new Set(
      resources
        .filter(({ fields, machine }) => !machine && ('email' in fields || 'login' in fields))
        .map(({ name }) => name),
    );
    this.#owners = new Map(
      resources.flatMap(({ collection, name, fields }) => {
        const owner = Object.entries(fields).find(([, shape]) =>
          refsOf(shape).some((each) => each !== name && named.has(each)),
        );
        return owner ? [[collection, owner[0]] as const] : [];
      }),
    );
    this.#fields = [...new Set([...NAMES, ...AMOUNTS, 'currency', ...this.#owners.values()])].join(',');
  }

  of(id: string): Label | null {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    this.#wanted.add(id);
    if (!this.#isAsked) setTimeout(() => void this.#ask(), 20);
    this.#isAsked = true;
    return null;
  }

  /** Returns the display name of an object's owner. */
  ownerOf(id: string): string | null {
    const owner = this.of(id)?.owner ?? null;
    return owner === null ? null : (this.of(owner)?.name ?? null);
  }

  async #ask(): Promise<void> {
    this.#isAsked = false;
    const ids = [...this.#wanted].slice(0, MOST);
    for (const id of ids) this.#wanted.delete(id);
    const found = await get<Glance>('/glance', { ids: ids.join(','), fields: this.#fields }).catch(() => null);
    for (const id of ids) this.#known.set(id, null);
    for (const { id, collection, status, fields } of found?.data ?? []) {
      const text = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null);
      const amount = AMOUNTS.map((name) => fields[name]).find((value) => typeof value === 'number');
      const owner = text(this.#owners.get(collection) ?? '');
      const name = NAMES.map(text).find((value) => value !== null && value !== '') ?? null;
      this.#known.set(id, { collection, status, name, amount: amount ?? null, currency: text('currency'), owner });
    }
    this.changed();
  }
}

function refsOf({ refs = [], options = [] }: Shape): readonly string[] {
  return [...refs, ...options.flatMap(refsOf)];
}

export const labels = new Labels();

/** Display names of the kinds of rows. */
export const KINDS = {
  call: 'call',
  clock: 'clock',
  cause: 'external event',
  seed: 'seed',
  control: 'control',
  outside: 'outside',
  gap: 'gap',
} as const;
