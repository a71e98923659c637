import type { EnvelopeWriter } from './list.js';
import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';

/** How objects of a resource are returned: without hidden fields, with computed ones. */
export interface ResponsePlan {
  /** Whether the response depends only on the object, so that its text can be cached until the object changes. */
  readonly pure: boolean;
  /** Returns the object as the vendor API does. Fields that aren't returned may be present as undefined. */
  value(host: Host, object: JsonObject): JsonObject;
  /** Returns the object in a named shape of its resource; undefined: the usual shape. */
  shaped?(host: Host, object: JsonObject, shape: string): JsonObject | undefined;
  /** Names of fields whose returned value depends on more than the field's stored value. */
  readonly computed: ReadonlySet<string>;
  /** Computes the returned value of one field. */
  field(host: Host, object: JsonObject, name: string): Json | undefined;
  /** Computes a field that responses contain only if `expand` requests it; undefined if the resource has no such field. */
  onExpand(host: Host, object: JsonObject, field: string): Json | undefined;
  /** Names of fields that responses contain only if `expand` requests them. */
  readonly expandOnly: ReadonlySet<string>;
  /** Names of returned fields that have members which `expand` has to request. */
  readonly asksWithin: ReadonlySet<string>;
  /** Computes a field with the members that `expand` has to request; undefined if the resource has no such field. */
  whole(host: Host, object: JsonObject, field: string): Json | undefined;
}

/** Computes the JSON text, without braces, of members that are added to responses. */
export type Additions = (host: Host, request: RequestInfo) => string;

/** Compiled envelopes of lists, searches and other responses. */
export interface Envelopes {
  readonly list: EnvelopeWriter;
  readonly search: EnvelopeWriter;
  /** Members of a search's response that are returned only on request, by name; each is written as `{"name":value}`. */
  readonly searchAsked: ReadonlyMap<string, EnvelopeWriter>;
  readonly additions: Additions | null;
}

/** How the headers of all responses are computed. */
export interface HeaderPlan {
  readonly constant: Readonly<Record<string, string>>;
  readonly computed: readonly {
    readonly name: string;
    readonly value: (host: Host, request: RequestInfo, version: string | null) => Json;
  }[];
}
