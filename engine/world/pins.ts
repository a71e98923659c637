import type { Json, JsonObject } from '../values/index.js';
import { Register } from './register.js';

/** A test's override of a value from outside, for one object or for a whole collection. */
export interface Pin {
  readonly id: string;
  readonly seq: number;
  /** Name of the collection that contains the pinned objects. */
  readonly collection: string;
  /** The object that the pin applies to; null: every object of the collection. */
  readonly object: string | null;
  /** Limits a collection's pin to objects that refer to an id in one of the given fields; null or absent: all objects. */
  readonly owner?: { readonly fields: readonly string[]; readonly id: string } | null;
  /** The tenant to whose objects the pin is limited; null: objects without a tenant; absent: objects of all tenants. */
  readonly tenant?: string | null;
  readonly path: string;
  readonly value: Json;
  /** Whether the pin is removed after its first use. */
  readonly once: boolean;
}

/** The object whose pins are searched; `id` null: the whole collection. */
export interface Pinned {
  readonly resource: number;
  readonly id: string | null;
  readonly tenant: string | null;
  /** The object's value, whose references select pins that are limited to an owner. */
  readonly value: JsonObject | undefined;
}

/** The active pins. A search costs nothing if the resource has none; otherwise it visits all pins of the resource. */
export class Pins extends Register<Pin> {
  #byCollection = new Map<string, Pin[]>();
  #derivedFrom = -1;

  /** @param collections names of the collections, by resource number */
  constructor(private readonly collections: readonly string[]) {
    super('pins');
  }

  /** Finds the pin for a path: the object's own before its owner's before the collection's, newer before older. */
  find(subject: Pinned, path: string): Pin | undefined {
    let found: Pin | undefined;
    for (const pin of this.of(subject.resource)) {
      if (pin.path !== path || !applies(pin, subject)) continue;
      if (found === undefined || closeness(pin) >= closeness(found)) found = pin;
    }
    return found;
  }

  /** Lists the pins that apply to an object, older first. */
  for(subject: Pinned): readonly Pin[] {
    return this.of(subject.resource).filter((pin) => applies(pin, subject));
  }

  /** Lists the pins of a resource's objects, older first. */
  of(resource: number): readonly Pin[] {
    if (this.#derivedFrom !== this.version) {
      this.#byCollection = new Map();
      for (const pin of [...this.values()].sort((a, b) => a.seq - b.seq)) {
        const pins = this.#byCollection.get(pin.collection);
        if (pins === undefined) this.#byCollection.set(pin.collection, [pin]);
        else pins.push(pin);
      }
      this.#derivedFrom = this.version;
    }
    return this.#byCollection.get(this.collections[resource]) ?? [];
  }
}

function applies({ object, owner, tenant: wanted }: Pin, { id, tenant, value }: Pinned): boolean {
  if (wanted !== undefined && wanted !== tenant) return false;
  if (object !== null) return object === id;
  return !owner || (value !== undefined && owner.fields.some((field) => value[field] === owner.id));
}

function closeness({ object, owner }: Pin): number {
  if (object !== null) return 2;
  return owner ? 1 : 0;
}
