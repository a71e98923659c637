import type { Json, JsonObject } from '../values/index.js';
import type { Host, Shaped } from '../expression/index.js';
import type { Schema } from '../model/index.js';
import type { ResponsePlan } from './response.js';

/** How a version of the vendor's API shows what the world holds. */
export interface VersionShape extends Shaped {
  /** How it returns objects of a resource. */
  plan(resource: number): ResponsePlan;
  /** The fields of such responses. */
  fields(resource: number): ReadonlyMap<string, Schema>;
  /** The resource of a whole object that is in a value; undefined: it is none, or the version shows it as the base does. */
  kindOf(value: JsonObject): number | undefined;
  /** Whether responses of a resource had a field of that name in a version before. */
  had(resource: number, field: string): boolean;
}

/** What a version is sent instead of an operation's own parameters. */
export interface VersionCall {
  readonly params: ReadonlyMap<string, Schema>;
  /** Parameters that are rejected, with the error. */
  readonly rejected: ReadonlyMap<string, string>;
  /** The operation's own parameters, of those that were sent. */
  translate(host: Host, params: JsonObject): JsonObject;
  /** What was sent, by the names of the operation's own parameters. @param params translated */
  sent(given: JsonObject, params: JsonObject): JsonObject;
  /** What the version calls one of the operation's own parameters. */
  nameOf(name: string): string;
}

/** A version of the vendor's API. */
export interface Version {
  readonly name: string;
  /** Null: objects are returned as they are declared. */
  readonly shape: VersionShape | null;
  /** Keys of operations that it does not have. */
  readonly lacks: ReadonlySet<string>;
  readonly switches: ReadonlySet<string>;
  /** What it is sent, by the key of the operation; operations that are sent the same are not in it. */
  readonly calls: ReadonlyMap<string, VersionCall>;
  /** What changed in it. */
  readonly changes: readonly string[];
}

/** What became of a version that was asked for. */
interface FoundVersion {
  readonly version: Version;
  /** It was asked for under another name that means something else: the response is in the nearest version. */
  readonly near: boolean;
}

/** The versions of a pack, oldest first. */
export interface ApiVersions {
  readonly all: readonly Version[];
  /** The account's. */
  readonly current: Version;
  /** The version of a name; undefined when there is none. @param lenient the nearest one then */
  find(name: string, lenient: boolean): FoundVersion | undefined;
}

/** A value as a version returns it, of one that was returned in the shape of the base. */
export function inShape(shape: VersionShape | null, host: Host, value: Json): Json {
  return shape === null ? value : shape.embed(host, value);
}
