import type { EnvelopeWriter } from './list.js';
import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';

/** How objects of a resource are returned: hidden fields left out, computed ones filled in. */
export interface ResponsePlan {
  /** The response depends on the object alone, so its text can be kept until the object changes. */
  readonly pure: boolean;
  /** The object as the vendor's API returns it. Fields that are not returned may be there as undefined. */
  value(host: Host, object: JsonObject): JsonObject;
  /** The object in a shape of its resource; undefined: as usual. */
  shaped?(host: Host, object: JsonObject, shape: string): JsonObject | undefined;
  /** Names of fields whose shown value depends on more than what is stored in them. */
  readonly computed: ReadonlySet<string>;
  /** What is returned for one field. */
  field(host: Host, object: JsonObject, name: string): Json | undefined;
  /** A field that is only returned when asked for; undefined when the resource has none of that name. */
  onExpand(host: Host, object: JsonObject, field: string): Json | undefined;
  /** Names of fields that are only returned when asked for. */
  readonly expandOnly: ReadonlySet<string>;
  /** Names of fields that are returned and have something inside that is only returned when asked for. */
  readonly asksWithin: ReadonlySet<string>;
  /** Such a field with all that can be asked for; undefined when the resource has none of that name. */
  whole(host: Host, object: JsonObject, field: string): Json | undefined;
}

/** The text of members, without braces, that are added to responses. */
export type Additions = (host: Host, request: RequestInfo) => string;

/** What is around responses. */
export interface Envelopes {
  readonly list: EnvelopeWriter;
  readonly search: EnvelopeWriter;
  /** Members of a search's response that are only there when a path asks for them: `{"name":value}` each. */
  readonly searchAsked: ReadonlyMap<string, EnvelopeWriter>;
  readonly additions: Additions | null;
}

/** The headers that every response of the vendor's API carries. */
export interface HeaderPlan {
  readonly constant: Readonly<Record<string, string>>;
  readonly computed: readonly {
    readonly name: string;
    readonly value: (host: Host, request: RequestInfo, version: string | null) => Json;
  }[];
}
