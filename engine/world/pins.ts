import type { Json, JsonObject } from '../values/index.js';
import { Register } from './register.js';

/** A value from outside that a test overrides, for one object or a whole collection. */
export interface Pin {
  readonly id: string;
  readonly seq: number;
  /** Name of the collection. */
  readonly collection: string;
  /** The object that the pin applies to; null: every object of the collection. */
  readonly object: string | null;
  /** Limits a pin of a collection to objects that refer to this id in one of these fields. */
  readonly owner?: { readonly fields: readonly string[]; readonly id: string } | null;
  /** Limits a pin to the objects of a tenant; null: to those without one. Absent: objects of all tenants. */
  readonly tenant?: string | null;
  readonly path: string;
  readonly value: Json;
  /** Whether the pin is removed after its first use. */
  readonly once: boolean;
}

/** The target of a pin: an object, or (id null) a whole collection. */
export interface Pinned {
  readonly resource: number;
  readonly id: string | null;
  readonly tenant: string | null;
  /** The fields that select pins of an owner. */
  readonly value: JsonObject | undefined;
}

/** The active pins. Without a matching one the search costs nothing; otherwise it visits the pins of the resource. */
export class Pins extends Register<Pin> {
  #byCollection = new Map<string, Pin[]>();
  #derivedFrom = -1;

  /** @param collections names of the collections, by resource number */
  constructor(private readonly collections: readonly string[]) {
    super('pins');
  }

  /** The pin that decides a path: an object's own, then its owner's, then its collection's; newer before older. */
  find(subject: Pinned, path: string): Pin | undefined {
    let found: Pin | undefined;
    for (const pin of this.of(subject.resource)) {
      if (pin.path !== path || !applies(pin, subject)) continue;
      if (found === undefined || closeness(pin) >= closeness(found)) found = pin;
    }
    return found;
  }

  /** The pins that apply to an object, older first. */
  for(subject: Pinned): readonly Pin[] {
    return this.of(subject.resource).filter((pin) => applies(pin, subject));
  }

  /** Pins of a resource, older first. */
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
