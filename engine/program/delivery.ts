import type { Json, JsonObject } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import type { ResourceDef, Wait } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** An expression over an endpoint. */
export type OverEndpoint = (host: Host, endpoint: Row) => Json;

/** An expression over an endpoint and an event for it; the event is null where only the endpoint is shown. */
export type OverDelivery = (host: Host, endpoint: Row, event: Holder | null) => Json;

/** What a test passes to register an endpoint: URL, event types and description. */
export interface EndpointRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
}

/** Expressions of `delivery.endpoint`: how the pack's endpoint objects select and receive events. */
export interface EndpointPlan {
  /** The resources whose objects are endpoints. The control API registers endpoints of the first resource. */
  readonly resources: readonly [ResourceDef, ...ResourceDef[]];
  readonly active: (host: Host, endpoint: Row) => boolean;
  /** Computes the event types that an endpoint subscribes to. */
  readonly events: OverEndpoint;
  /**
   * Which events an endpoint without a tenant receives: `none` or null: those without a tenant; `only`: those of tenants;
   * `all`: both. An endpoint of a tenant receives the tenant's events.
   */
  readonly tenants: OverEndpoint | null;
  /** Condition for delivering a subscribed event to an endpoint; null: every such event is delivered. */
  readonly when: ((host: Host, event: Holder, endpoint: Row) => Json) | null;
  /** The API version of an endpoint's events; null: all events have the account's version. */
  readonly version: OverEndpoint | null;
  /** Name of the event field that stores the event's form in other versions, by version; null: none. */
  readonly renderings: string | null;
  /** Returns the secrets that sign an endpoint's messages, the current one first. */
  readonly secrets: (host: Host, endpoint: Row) => readonly string[];
  /** Computes an endpoint's URL; null if its transport isn't HTTP. */
  readonly url: OverEndpoint;
  /** Returns the name of the transport that delivers an event to an endpoint. */
  readonly transport: OverDelivery;
  /** The kind of events that an endpoint receives; null, also as a result: ordinary events. */
  readonly kind: OverEndpoint | null;
  /** Creates an endpoint for a test, as the vendor's API would. */
  readonly register: (execution: Execution, request: EndpointRequest) => Row;
  /** Functions that create endpoints for events of other kinds, by kind. */
  readonly registerKinds: ReadonlyMap<string, (execution: Execution, request: EndpointRequest) => Row>;
  /** The pack's steps after the last attempt of a delivery has failed; null: none. */
  readonly exhausted: ((execution: Execution, endpoint: Row) => void) | null;
}

/** What a message is about: an event, and the endpoint that receives it. */
export interface MessageParts {
  readonly event: Holder;
  readonly endpoint: Row;
}

/** A message with its body and time of sending. */
export interface WrittenMessage extends MessageParts {
  /** Real time at which the message is sent, in Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** A signed message, with one signature for each secret of the endpoint. */
interface SignedMessage extends WrittenMessage {
  /** Number of the delivery's attempt, from 1. */
  readonly attempt: number;
  /** Why the previous attempt failed; null: this is the first attempt. */
  readonly failure: JsonObject | null;
  readonly secret: string | null;
  readonly signatures: readonly string[];
}

/** How a vendor signs its deliveries, as a pack declares it: HMAC (RFC 2104) or a private key in PEM. */
export interface SignatureStyle {
  /** Hash algorithm, or kind of private key, of the signature; `sha256` by default. */
  readonly algorithm?: 'sha256' | 'sha1' | 'sha512' | 'rsa-sha256' | 'ecdsa-sha256';
  /** `utf8`: the secret's text is the key; `base64`: the part after the prefix is the key in base64. */
  readonly key: 'utf8' | 'base64';
  /** The prefix before the base64 of a secret; a secret without this prefix is decoded whole. */
  readonly key_prefix?: string;
  readonly digest: 'hex' | 'base64';
}

/** How a compiled transport builds messages that are sent by HTTP. */
export interface HttpPlan {
  readonly timeoutMs: number;
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: OverDelivery;
  /** Whether an endpoint's URL depends on the event. */
  readonly hasOwnUrls: boolean;
  readonly body: (host: Host, message: MessageParts) => Json;
  /** Encoding of bodies that are objects; a text is sent as it is. */
  readonly encoding: 'json' | 'form';
  /** Number of spaces per level of indentation in a JSON body; 0: compact. */
  readonly indent: (host: Host, message: MessageParts) => number;
  /** The signed content and the style of the signature; null: messages aren't signed. */
  readonly signature: {
    readonly style: SignatureStyle;
    readonly content: (host: Host, message: WrittenMessage) => Json;
  } | null;
  readonly headers: (host: Host, message: SignedMessage) => readonly (readonly [string, Json])[];
  /** Fields of endpoints whose values are never shown. */
  readonly secretFields: readonly string[];
}

/** A signed message that is sent over a connection. */
export interface FramedMessage extends WrittenMessage {
  /** Id of the delivery that the message belongs to. */
  readonly delivery: string;
  readonly headers: JsonObject;
  /** Number of the delivery's attempt, from 1. */
  readonly attempt: number;
  /** Why the previous attempt failed; null: this is the first attempt. */
  readonly failure: JsonObject | null;
}

/** The meaning of a message that a listener sent over its connection. */
interface SocketReply {
  readonly to: Json;
  /** `responded`: the message is a delivery's outcome; `acknowledged`: the listener received a delivery; null: neither. */
  readonly says: 'responded' | 'acknowledged' | null;
  readonly status: Json;
  readonly headers: Json;
  readonly body: Json;
}

/** A compiled transport that sends messages over connections opened by listeners (WebSockets). */
export interface SocketPlan {
  /** URL path before the listener's name, with a trailing slash. */
  readonly path: string;
  readonly protocol: string | null;
  /** Maximum number of connections per listener; the listener's messages alternate between them. */
  readonly share: number;
  /** Computes the first message on a connection from the listener's number of connections; null: no first message. */
  readonly greeting: ((host: Host, listener: string, connections: number) => Json) | null;
  /** `when`: whether a message ends the listener's connections; `say`: the last message before that. Null: no message does. */
  readonly ends: {
    readonly when: (host: Host, message: MessageParts) => Json;
    readonly say: (host: Host, message: FramedMessage) => Json;
  } | null;
  /** Returns the name of the listener that receives an endpoint's messages; null: none does. */
  readonly listener: OverEndpoint;
  /** Whether an endpoint's messages need a response, or only an acknowledgement. */
  readonly awaitsResponse: (host: Host, endpoint: Row) => boolean;
  /** Names of the external events that fire when a connection opens and closes. */
  readonly opened: string;
  readonly closed: string;
  /** Name of the error for listeners that may not connect. */
  readonly rejected: string;
  readonly frame: (host: Host, message: FramedMessage) => Json;
  readonly read: (host: Host, reply: JsonObject) => SocketReply;
}

/** The pack's steps that run after a delivery, with its outcome. */
export type OutcomeSteps = (execution: Execution, event: Holder, endpoint: Row, response: DeliveryOutcome) => void;

/** A condition over the outcome of a delivery. */
export type OutcomeTest = (host: Host, event: Holder, endpoint: Row, response: DeliveryOutcome) => Json;

/** The outcome of a delivery, as the pack's steps read it. */
export interface DeliveryOutcome extends JsonObject {
  readonly status: number | null;
  /** Headers of the receiver's response, by lower-case name. */
  readonly headers: JsonObject;
  readonly body: string | null;
  readonly error: string | null;
}

/** When a transport repeats attempts, and when it stops. */
export interface AttemptsPlan {
  /** Waits between attempts over the transport; null: those of `delivery`. */
  readonly retries: readonly Wait[] | null;
  /** Condition under which a failed attempt is the last one; null: only if all attempts are used. */
  readonly givesUp: OutcomeTest | null;
  readonly onResponse: OutcomeSteps | null;
  readonly onFailure: OutcomeSteps | null;
}

/** A compiled transport: by HTTP, or over connections. */
export type TransportPlan =
  | { readonly kind: 'http'; readonly http: HttpPlan; readonly attempts: AttemptsPlan }
  | { readonly kind: 'socket'; readonly http: HttpPlan; readonly socket: SocketPlan; readonly attempts: AttemptsPlan }
  | { readonly kind: 'record'; readonly record: (host: Host, message: MessageParts) => Json };

/** The compiled section `delivery` of pack.yaml. */
export interface DeliveryPlan {
  readonly endpoint: EndpointPlan;
  readonly transports: ReadonlyMap<string, TransportPlan>;
  /** Waits between the attempts of a delivery, in simulated time. */
  readonly retries: readonly Wait[];
  /** Whether a receiver's Retry-After delays the next attempt. */
  readonly retryAfter: boolean;
  /** Name of the event field that contains the event's name. */
  readonly typeField: string;
}

/** Headers that belong to the connection, not the message (RFC 9110, 7.6.1), and those about a message's length and target. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set(
  'connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);
