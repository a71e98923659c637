import type { Json, JsonObject } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import type { ResourceDef, Wait } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** Computes something from an endpoint alone. */
export type OverEndpoint = (host: Host, endpoint: Row) => Json;

/** Computes something from an endpoint and an event for it; null: for people who look at the endpoint. */
export type OverDelivery = (host: Host, endpoint: Row, event: Holder | null) => Json;

/** An endpoint as a test requests it. */
export interface EndpointRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
}

/** How the pack's endpoint objects receive events, from the expressions of `delivery.endpoint`. */
export interface EndpointPlan {
  /** The control API registers endpoints of the first one. */
  readonly resources: readonly [ResourceDef, ...ResourceDef[]];
  readonly active: (host: Host, endpoint: Row) => boolean;
  /** The event types that an endpoint subscribes to. */
  readonly events: OverEndpoint;
  /**
   * Which events an endpoint without a tenant receives: `none`: those without a tenant, `only`: those of tenants, `all`: both;
   * null: those without a tenant. An endpoint of a tenant receives that tenant's.
   */
  readonly tenants: OverEndpoint | null;
  /** Whether an endpoint receives an event that it subscribes to; null: always. */
  readonly when: ((host: Host, event: Holder, endpoint: Row) => Json) | null;
  /** The version of its events; null: all are in the account's. */
  readonly version: OverEndpoint | null;
  /** The field of events with their renderings in other versions, by version; null: none. */
  readonly renderings: string | null;
  /** The secrets that sign for an endpoint, the current one first. */
  readonly secrets: (host: Host, endpoint: Row) => readonly string[];
  /** An endpoint's URL; null if its transport isn't HTTP. */
  readonly url: OverEndpoint;
  /** The name of an event's transport. */
  readonly transport: OverDelivery;
  /** The kind of its events; null, or a function that returns null: ordinary ones. */
  readonly kind: OverEndpoint | null;
  /** Creates an endpoint for a test, as the vendor's API would. */
  readonly register: (execution: Execution, request: EndpointRequest) => Row;
  /** Creates endpoints for events of other kinds. */
  readonly registerKinds: ReadonlyMap<string, (execution: Execution, request: EndpointRequest) => Row>;
  /** The vendor's steps after the last failed attempt; null: none. */
  readonly exhausted: ((execution: Execution, endpoint: Row) => void) | null;
}

/** The parts of a message. */
export interface MessageParts {
  readonly event: Holder;
  readonly endpoint: Row;
}

/** A message with its body. */
export interface WrittenMessage extends MessageParts {
  /** When the message is sent: real time in Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** A signed message, with one signature for each secret of the endpoint. */
interface SignedMessage extends WrittenMessage {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The previous attempt's failure; null: this is the first attempt. */
  readonly failure: JsonObject | null;
  readonly secret: string | null;
  readonly signatures: readonly string[];
}

/** How a vendor signs its deliveries, as a pack declares it: HMAC (RFC 2104) or a private key in PEM. */
export interface SignatureStyle {
  /** The hash of the signature; `sha256` by default. */
  readonly algorithm?: 'sha256' | 'sha1' | 'sha512' | 'rsa-sha256' | 'ecdsa-sha256';
  /** `utf8`: the secret's text is the key; `base64`: the part after the prefix is the key in base64. */
  readonly key: 'utf8' | 'base64';
  /** The prefix before the base64 of a secret; a secret without it is used whole. */
  readonly key_prefix?: string;
  readonly digest: 'hex' | 'base64';
}

/** A compiled HTTP transport. */
export interface HttpPlan {
  readonly timeoutMs: number;
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: OverDelivery;
  /** Each event has a URL of its own. */
  readonly hasOwnUrls: boolean;
  readonly body: (host: Host, message: MessageParts) => Json;
  /** Encoding of bodies other than text. */
  readonly encoding: 'json' | 'form';
  /** Spaces of indentation in JSON; 0: compact. */
  readonly indent: (host: Host, message: MessageParts) => number;
  /** What is signed, and how; null: nothing is signed. */
  readonly signature: {
    readonly style: SignatureStyle;
    readonly content: (host: Host, message: WrittenMessage) => Json;
  } | null;
  readonly headers: (host: Host, message: SignedMessage) => readonly (readonly [string, Json])[];
  /** Fields of endpoints whose values are never shown. */
  readonly secretFields: readonly string[];
}

/** A signed message for a connection. */
export interface FramedMessage extends WrittenMessage {
  /** Id of the delivery. */
  readonly delivery: string;
  readonly headers: JsonObject;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The previous attempt's failure; null: this is the first attempt. */
  readonly failure: JsonObject | null;
}

/** The meaning of a message from a listener. */
interface SocketReply {
  readonly to: Json;
  /** `responded`: the outcome of a delivery; `acknowledged`: it was received; null: something else. */
  readonly says: 'responded' | 'acknowledged' | null;
  readonly status: Json;
  readonly headers: Json;
  readonly body: Json;
}

/** A compiled transport over connections that listeners open. */
export interface SocketPlan {
  /** The path before the listener's name, with a trailing slash. */
  readonly path: string;
  readonly protocol: string | null;
  /** Connections that a listener may have; messages are sent to them in turn. */
  readonly share: number;
  /** The first message on a connection, by the listener's number of connections; null: none. */
  readonly greeting: ((host: Host, listener: string, connections: number) => Json) | null;
  /** Messages that end the connections of a listener, and its last message; null: none. */
  readonly ends: {
    readonly when: (host: Host, message: MessageParts) => Json;
    readonly say: (host: Host, message: FramedMessage) => Json;
  } | null;
  /** The name of the listener of an endpoint; null: no listener. */
  readonly listener: OverEndpoint;
  /** Whether an endpoint's messages need a response, or only an acknowledgement. */
  readonly awaitsResponse: (host: Host, endpoint: Row) => boolean;
  /** External events of connections. */
  readonly opened: string;
  readonly closed: string;
  /** The error for listeners that may not connect. */
  readonly rejected: string;
  readonly frame: (host: Host, message: FramedMessage) => Json;
  readonly read: (host: Host, reply: JsonObject) => SocketReply;
}

/** Steps over the outcome of a delivery. */
export type OutcomeSteps = (execution: Execution, event: Holder, endpoint: Row, response: DeliveryOutcome) => void;

/** A condition over the outcome of a delivery. */
export type OutcomeTest = (host: Host, event: Holder, endpoint: Row, response: DeliveryOutcome) => Json;

/** The outcome of a delivery, as steps see it. */
export interface DeliveryOutcome extends JsonObject {
  readonly status: number | null;
  /** Headers of the receiver's response, by lower-case name. */
  readonly headers: JsonObject;
  readonly body: string | null;
  readonly error: string | null;
}

/** A transport's rules for attempts. */
export interface AttemptsPlan {
  /** Waits between its attempts; null: those of `delivery`. */
  readonly retries: readonly Wait[] | null;
  /** Whether a failed attempt is the last; null: once all attempts are used. */
  readonly givesUp: OutcomeTest | null;
  readonly onResponse: OutcomeSteps | null;
  readonly onFailure: OutcomeSteps | null;
}

/** A compiled transport. */
export type TransportPlan =
  | { readonly kind: 'http'; readonly http: HttpPlan; readonly attempts: AttemptsPlan }
  | { readonly kind: 'socket'; readonly http: HttpPlan; readonly socket: SocketPlan; readonly attempts: AttemptsPlan }
  | { readonly kind: 'record'; readonly record: (host: Host, message: MessageParts) => Json };

/** The compiled `delivery` of a pack. */
export interface DeliveryPlan {
  readonly endpoint: EndpointPlan;
  readonly transports: ReadonlyMap<string, TransportPlan>;
  /** Waits between attempts, in simulated time. */
  readonly retries: readonly Wait[];
  /** Whether a receiver's Retry-After delays the next attempt. */
  readonly retryAfter: boolean;
  /** The field of events that holds the event's name. */
  readonly typeField: string;
}

/** Headers that belong to the connection, not the message (RFC 9110, 7.6.1), and those about a message's length and target. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set(
  'connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);
