import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { Dice } from './dice.js';
import type { ObservedWorld } from './view.js';

/** A call that an action makes. */
export interface SimulatedCall {
  readonly method: string;
  readonly path: string;
  /** Members of the body, sent as a form if the vendor accepts forms, else as JSON. */
  readonly body?: Readonly<Record<string, Json>>;
}

/** Configuration of tenants, whose objects are separate from each other. */
export interface TenantsKit {
  /** The header that selects a tenant. */
  readonly header: string;
  /** Ids of the tenants in which calls may act. */
  ids(view: ObservedWorld): readonly string[];
  /** Returns external events, with parameters, that set up a new tenant. */
  causes(id: string): readonly (readonly [cause: string, params: Readonly<Record<string, string>>])[];
  /** Creates an endpoint for the events of all tenants. */
  endpoint(url: string): SimulatedCall;
  /** Fields (`resource.field`) that may refer to another tenant's object. */
  readonly crossing: readonly string[];
}

/** An action of the vendor's user; null if no object allows it yet. */
export interface Action {
  readonly weight: number;
  make(dice: Dice, view: ObservedWorld): SimulatedCall | null;
}

/** Generates the parameters of a call; null if there is no object for it yet. @param target id of the object in its path */
export type Usual = (dice: Dice, view: ObservedWorld, target: string) => JsonObject | null;

/** Hints for generating parameters, beyond their declared types. */
export interface DeclaredWords {
  /** Operations (`<collection>.<name>`) that are never called. */
  readonly except: readonly string[];
  /** Possible values of parameters, by name. */
  readonly values: Readonly<Record<string, readonly Json[]>>;
  /** For text parameters that contain an id: a pattern for the parameter's name or path, and the resource of the id. */
  readonly named: readonly (readonly [place: RegExp, resource: string])[];
  /** Ids of the vendor's test objects, by resource. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Optional parameters that are usually sent. */
  readonly wanted: readonly string[];
  /** Statuses in which objects no longer change. */
  readonly over: readonly string[];
  /** Statuses of the object in the path with which an operation usually succeeds. */
  readonly fit: Readonly<Record<string, readonly string[]>>;
  /** Generators of parameters with which an operation usually succeeds. Random calls choose these operations more often. */
  readonly usual: Readonly<Record<string, Usual>>;
}

/** An invariant, with a check that yields violations. */
export interface Law {
  readonly name: string;
  broken(view: ObservedWorld): Iterable<string>;
}

/** The simulation's configuration for a vendor. */
export interface Kit {
  readonly pack: string;
  /** Start of the clock in every world of the kit, in ISO 8601. */
  readonly t0: string;
  readonly requests: 'form' | 'json';
  /** Durations by which a step may advance the clock. */
  readonly moves: readonly string[];
  /** Delays that are changed sometimes, with their possible durations. */
  readonly durations: Readonly<Record<string, readonly string[]>>;
  /** Overrides that are set sometimes: collection, path, values. */
  readonly pins: readonly { readonly resource: string; readonly path: string; readonly values: readonly Json[] }[];
  /** Calls that set up every world. */
  readonly beginning: readonly SimulatedCall[];
  readonly actions: readonly Action[];
  readonly declared: DeclaredWords;
  /** Configuration of tenants; null if worlds have none. */
  readonly tenants: TenantsKit | null;
  readonly laws: readonly Law[];
  /** Yields violations of the declared shape in a response. */
  shape(path: string, body: Json): Iterable<string>;
  /** Paths of lists that are read page by page at the end of a story. */
  readonly lists: readonly string[];
  /** Resources, and statuses (`resource.status`), whose changes emit no events. */
  readonly silent: readonly string[];
  /** Statuses of error responses whose calls may change state. */
  readonly keeps: readonly number[];
  /** Whether reading a path may change state, because the engine decides and stores a value. */
  decides(path: string): boolean;
  /** Whether an endpoint receives events now. */
  receives(endpoint: Readonly<Record<string, Json>>): boolean;
  /** Returns the possible statuses of an event's object, according to the event type; undefined if the type implies none. */
  statusesOf(type: string): readonly string[] | undefined;
}
