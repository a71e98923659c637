import type { EnvelopeWriter } from './list.js';
import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';

/** How objects of a resource are returned: without hidden fields, with computed ones. */
export interface ResponsePlan {
  /** The response depends on the object alone, so its text can be cached until the object changes. */
  readonly pure: boolean;
  /** The object as the vendor API returns it. Fields that aren't returned may be present as undefined. */
  value(host: Host, object: JsonObject): JsonObject;
  /** The object in a shape of its resource; undefined: the usual one. */
  shaped?(host: Host, object: JsonObject, shape: string): JsonObject | undefined;
  /** Names of fields whose shown value depends on more than what is stored in them. */
  readonly computed: ReadonlySet<string>;
  /** The returned value of one field. */
  field(host: Host, object: JsonObject, name: string): Json | undefined;
  /** A field that is returned on request only; undefined if the resource has no such field. */
  onExpand(host: Host, object: JsonObject, field: string): Json | undefined;
  /** Names of fields that are returned on request only. */
  readonly expandOnly: ReadonlySet<string>;
  /** Names of returned fields with members that are returned on request only. */
  readonly asksWithin: ReadonlySet<string>;
  /** Computes a field with all its members; undefined if the resource has no such field. */
  whole(host: Host, object: JsonObject, field: string): Json | undefined;
}

/** The JSON text of members that are added to responses, without braces. */
export type Additions = (host: Host, request: RequestInfo) => string;

/** The envelopes of responses. */
export interface Envelopes {
  readonly list: EnvelopeWriter;
  readonly search: EnvelopeWriter;
  /** Members of a search's response that are returned on request only: `{"name":value}` each. */
  readonly searchAsked: ReadonlyMap<string, EnvelopeWriter>;
  readonly additions: Additions | null;
}

/** The headers of all responses of the vendor API. */
export interface HeaderPlan {
  readonly constant: Readonly<Record<string, string>>;
  readonly computed: readonly {
    readonly name: string;
    readonly value: (host: Host, request: RequestInfo, version: string | null) => Json;
  }[];
}
