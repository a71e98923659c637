import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { Dice } from './dice.js';
import type { ObservedWorld } from './view.js';

/** A call as an action makes it. */
export interface SimulatedCall {
  readonly method: string;
  readonly path: string;
  /** A form where the vendor takes forms, else JSON. */
  readonly body?: Readonly<Record<string, Json>>;
}

/** Those whose objects are apart from everybody else's. */
export interface TenantsKit {
  /** The header of a call that is about one. */
  readonly header: string;
  /** Ids of those in which calls may act. */
  ids(view: ObservedWorld): readonly string[];
  /** What happens outside to a new one, before its calls: causes with their parameters. */
  causes(id: string): readonly (readonly [cause: string, params: Readonly<Record<string, string>>])[];
  /** An endpoint that gets the events of all of them. */
  endpoint(url: string): SimulatedCall;
  /** Fields (`resource.field`) that name an object of another tenant. */
  readonly crossing: readonly string[];
}

/** Something that can be done to a vendor; null: there is nothing yet that it could be done to. */
export interface Action {
  readonly weight: number;
  make(dice: Dice, view: ObservedWorld): SimulatedCall | null;
}

/** Makes the parameters of a call; null: there is nothing yet to make it of. @param target id of the object in its path */
export type Usual = (dice: Dice, view: ObservedWorld, target: string) => JsonObject | null;

/** What parameters are given that a call declares: names say more than types. */
export interface DeclaredWords {
  /** Operations (`<collection>.<name>`) that are not called. */
  readonly except: readonly string[];
  /** Values by the name of a parameter. */
  readonly values: Readonly<Record<string, readonly Json[]>>;
  /** What a text with such a name, or at such a place in a body, is the id of. */
  readonly named: readonly (readonly [place: RegExp, resource: string])[];
  /** Ids that the vendor has for tests, by resource. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Parameters that are given nearly always, although they are optional. */
  readonly wanted: readonly string[];
  /** Statuses of objects that nothing more happens to. */
  readonly over: readonly string[];
  /** Statuses of the object in the path of an operation that usually succeeds. */
  readonly fit: Readonly<Record<string, readonly string[]>>;
  /** Parameters with which an operation usually succeeds; those that have some are called more often. */
  readonly usual: Readonly<Record<string, Usual>>;
}

/** Something that always holds, and what speaks against it. */
export interface Law {
  readonly name: string;
  broken(view: ObservedWorld): Iterable<string>;
}

/** What the simulation needs of a vendor. */
export interface Kit {
  readonly pack: string;
  /** When its worlds begin, ISO 8601. */
  readonly t0: string;
  readonly requests: 'form' | 'json';
  /** By how much the clock advances. */
  readonly moves: readonly string[];
  /** Waits that are changed now and then, to which lengths. */
  readonly durations: Readonly<Record<string, readonly string[]>>;
  /** Values from outside that are decided now and then: collection, path, values. */
  readonly pins: readonly { readonly resource: string; readonly path: string; readonly values: readonly Json[] }[];
  /** What every world begins with. */
  readonly beginning: readonly SimulatedCall[];
  readonly actions: readonly Action[];
  readonly declared: DeclaredWords;
  /** Null: a world has one owner. */
  readonly tenants: TenantsKit | null;
  readonly laws: readonly Law[];
  /** What is wrong with the shape of a response. */
  shape(path: string, body: Json): Iterable<string>;
  /** Lists whose objects are looked at in the end, page by page. */
  readonly lists: readonly string[];
  /** Resources, and statuses of them (`resource.status`), that the vendor has no event for. */
  readonly silent: readonly string[];
  /** Statuses of a rejection that leaves something behind. */
  readonly keeps: readonly number[];
  /** Whether reading this decides something, which is kept. */
  decides(path: string): boolean;
  /** Whether an endpoint receives events now. */
  receives(endpoint: Readonly<Record<string, Json>>): boolean;
  /** The status that an event's name implies for its object; undefined: none. */
  statusesOf(type: string): readonly string[] | undefined;
}
