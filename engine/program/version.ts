import type { Json, JsonObject } from '../values/index.js';
import type { Host, Shaped } from '../expression/index.js';
import type { Schema } from '../model/index.js';
import type { ResponsePlan } from './response.js';

/** How a version of the vendor API shows objects. */
export interface VersionShape extends Shaped {
  /** How the version returns objects of a resource. */
  plan(resource: number): ResponsePlan;
  /** The fields of these responses. */
  fields(resource: number): ReadonlyMap<string, Schema>;
  /** The resource of a complete object inside a value; undefined: it isn't one, or the version shows it like the base. */
  kindOf(value: JsonObject): number | undefined;
  /** Whether an earlier version had a field in responses of a resource. */
  had(resource: number, field: string): boolean;
}

/** The parameters of an operation in a version, where they differ from its own. */
export interface VersionCall {
  readonly params: ReadonlyMap<string, Schema>;
  /** Rejected parameters, each with the error. */
  readonly rejected: ReadonlyMap<string, string>;
  /** Translates sent parameters to the operation's own. */
  translate(host: Host, params: JsonObject): JsonObject;
  /** The sent parameters, by the operation's own names. @param params translated */
  sent(given: JsonObject, params: JsonObject): JsonObject;
  /** The version's name for a parameter of the operation. */
  nameOf(name: string): string;
}

/** A version of the vendor's API. */
export interface Version {
  readonly name: string;
  /** How the version shows objects; null: they are returned as declared. */
  readonly shape: VersionShape | null;
  /** Keys of operations that it doesn't have. */
  readonly lacks: ReadonlySet<string>;
  readonly switches: ReadonlySet<string>;
  /** Changed calls, by operation key; operations with unchanged parameters are absent. */
  readonly calls: ReadonlyMap<string, VersionCall>;
  /** Descriptions of what the version changes. */
  readonly changes: readonly string[];
}

/** The version found for a request. */
interface FoundVersion {
  readonly version: Version;
  /** The requested version doesn't exist, so the nearest one is used. */
  readonly near: boolean;
}

/** The versions of a pack, oldest first. */
export interface ApiVersions {
  readonly all: readonly Version[];
  /** The API version of the account, for calls that name none. */
  readonly current: Version;
  /** The version with a name; undefined if there is none. @param lenient returns the nearest one instead */
  find(name: string, lenient: boolean): FoundVersion | undefined;
}

/** Converts a value from the shape of the base to that of a version. */
export function inShape(shape: VersionShape | null, host: Host, value: Json): Json {
  return shape === null ? value : shape.embed(host, value);
}
