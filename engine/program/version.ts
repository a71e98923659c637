import type { Json, JsonObject } from '../values/index.js';
import type { Host, Shaped } from '../expression/index.js';
import type { Schema } from '../model/index.js';
import type { ResponsePlan } from './response.js';

/** The form of objects in an API version. */
export interface VersionShape extends Shaped {
  /** Returns how the version returns objects of a resource. */
  plan(resource: number): ResponsePlan;
  /** Returns the fields that responses of a resource have in the version. */
  fields(resource: number): ReadonlyMap<string, Schema>;
  /** Returns the resource of a complete object; undefined: it isn't one, or the version shows it like the base version. */
  kindOf(value: JsonObject): number | undefined;
  /** Whether an earlier version had a field in responses of a resource. */
  had(resource: number, field: string): boolean;
}

/** The parameters of an operation in an API version, if they differ from the operation's own. */
export interface VersionCall {
  readonly params: ReadonlyMap<string, Schema>;
  /** Names of parameters that the version rejects, with the name of the error. */
  readonly rejected: ReadonlyMap<string, string>;
  /** Converts the version's parameters to the operation's own. */
  translate(host: Host, params: JsonObject): JsonObject;
  /** Selects the converted parameters that the call sent, by the operation's own names. @param params converted */
  sent(given: JsonObject, params: JsonObject): JsonObject;
  /** Returns the version's name for a parameter of the operation. */
  nameOf(name: string): string;
}

/** An API version of the vendor. */
export interface Version {
  readonly name: string;
  /** The form of objects in the version; null: as the pack declares them. */
  readonly shape: VersionShape | null;
  /** Keys of operations that the version doesn't have. */
  readonly lacks: ReadonlySet<string>;
  readonly switches: ReadonlySet<string>;
  /** Parameters of operations that differ in the version, by operation key. */
  readonly calls: ReadonlyMap<string, VersionCall>;
  /** Sentences that describe the changes of the version. */
  readonly changes: readonly string[];
}

/** The API version that serves a request. */
interface FoundVersion {
  readonly version: Version;
  /** Whether the requested version doesn't exist, and the nearest one is used. */
  readonly near: boolean;
}

/** The API versions of a pack, oldest first. */
export interface ApiVersions {
  readonly all: readonly Version[];
  /** The API version of the account, for calls that name none. */
  readonly current: Version;
  /** Finds the version with a name; undefined if none exists. @param lenient whether the nearest one is returned instead */
  find(name: string, lenient: boolean): FoundVersion | undefined;
}

/** Converts a value from the shape of the base to that of a version. */
export function inShape(shape: VersionShape | null, host: Host, value: Json): Json {
  return shape === null ? value : shape.embed(host, value);
}
