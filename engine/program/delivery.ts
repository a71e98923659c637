import type { Json, JsonObject } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import type { ResourceDef, Wait } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** Something computed of an endpoint alone. */
export type OverEndpoint = (host: Host, endpoint: Row) => Json;

/** Something computed of an endpoint for an event that it is to get; null: for people who look at the endpoint. */
export type OverDelivery = (host: Host, endpoint: Row, event: Holder | null) => Json;

/** What a test says of an endpoint. */
export interface EndpointRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
}

/** Which objects receive events: the pack's endpoint resources read by the expressions of `delivery.endpoint`. */
export interface EndpointPlan {
  /** What the control API registers is of the first. */
  readonly resources: readonly [ResourceDef, ...ResourceDef[]];
  readonly active: (host: Host, endpoint: Row) => boolean;
  /** The event types that an endpoint asked for. */
  readonly events: OverEndpoint;
  /**
   * Whose events an endpoint of no tenant gets: `none` those of no tenant, `only` those of tenants, `all` both; null: those of no
   * tenant. An endpoint of a tenant gets that tenant's.
   */
  readonly tenants: OverEndpoint | null;
  /** Whether an endpoint gets an event that it asked for; null: always. */
  readonly when: ((host: Host, event: Holder, endpoint: Row) => Json) | null;
  /** The version of the API that its events are written in; null: they are all written in the account's. */
  readonly version: OverEndpoint | null;
  /** The field of events that holds them as they are written in other versions, by the version's name. */
  readonly renderings: string | null;
  /** The secrets that sign for an endpoint, the current one first. */
  readonly secrets: (host: Host, endpoint: Row) => readonly string[];
  /** Where its events are sent; null when they are not sent by HTTP. */
  readonly url: OverEndpoint;
  /** The name of the transport of an event. */
  readonly transport: OverDelivery;
  /** The kind of events that it gets; null, or a function that gives null: ordinary ones. */
  readonly kind: OverEndpoint | null;
  /** Makes an endpoint. */
  readonly register: (execution: Execution, request: EndpointRequest) => Row;
  /** The same for events of other kinds. */
  readonly registerKinds: ReadonlyMap<string, (execution: Execution, request: EndpointRequest) => Row>;
  /** What the vendor does when a delivery is given up; null: nothing. */
  readonly exhausted: ((execution: Execution, endpoint: Row) => void) | null;
}

/** What a message is made of. */
export interface MessageParts {
  readonly event: Holder;
  readonly endpoint: Row;
}

/** A message whose body is. */
export interface WrittenMessage extends MessageParts {
  /** Real time in Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** A message that was signed, with as many signatures as the endpoint has secrets. */
interface SignedMessage extends WrittenMessage {
  /** Counts from 1. */
  readonly attempt: number;
  /** What came of the attempt before; null: this is the first. */
  readonly failure: JsonObject | null;
  readonly secret: string | null;
  readonly signatures: readonly string[];
}

/** How a vendor signs its deliveries, as a pack writes it: HMAC (RFC 2104) or a private key in PEM. */
export interface SignatureStyle {
  /** `sha256` unless given. */
  readonly algorithm?: 'sha256' | 'sha1' | 'sha512' | 'rsa-sha256' | 'ecdsa-sha256';
  /** `utf8`: the secret's text is the key; `base64`: what follows the prefix is the key in base64. */
  readonly key: 'utf8' | 'base64';
  /** What is before the base64 of a secret; a secret without it is taken whole. */
  readonly key_prefix?: string;
  readonly digest: 'hex' | 'base64';
}

/** A compiled HTTP transport. */
export interface HttpPlan {
  readonly timeoutMs: number;
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: OverDelivery;
  /** The address is one of its own for each event. */
  readonly hasOwnUrls: boolean;
  readonly body: (host: Host, message: MessageParts) => Json;
  /** How a body is written that is no text. */
  readonly encoding: 'json' | 'form';
  /** How many spaces JSON is indented by; 0: it is compact. */
  readonly indent: (host: Host, message: MessageParts) => number;
  /** What is signed, and how; null: nothing. */
  readonly signature: {
    readonly style: SignatureStyle;
    readonly content: (host: Host, message: WrittenMessage) => Json;
  } | null;
  readonly headers: (host: Host, message: SignedMessage) => readonly (readonly [string, Json])[];
  /** Fields of endpoints whose texts are never shown. */
  readonly secretFields: readonly string[];
}

/** A message that was signed and is to go over a connection. */
export interface FramedMessage extends WrittenMessage {
  /** Id of the delivery. */
  readonly delivery: string;
  readonly headers: JsonObject;
  /** Counts from 1. */
  readonly attempt: number;
  /** What came of the attempt before; null: this is the first. */
  readonly failure: JsonObject | null;
}

/** What a listener says over its connection. */
interface SocketReply {
  readonly to: Json;
  /** `responded`: what came of a message; `acknowledged`: it has arrived; null: something else. */
  readonly says: 'responded' | 'acknowledged' | null;
  readonly status: Json;
  readonly headers: Json;
  readonly body: Json;
}

/** A compiled transport over connections that listeners make. */
export interface SocketPlan {
  /** The path before the listener's name, with a slash at its end. */
  readonly path: string;
  readonly protocol: string | null;
  /** How many connections a listener may have; each message goes to one of them, in turn. */
  readonly share: number;
  /** What a connection begins with, when there are so many of its listener; null: nothing. */
  readonly greeting: ((host: Host, listener: string, connections: number) => Json) | null;
  /** Which messages end the connections of a listener, and its last message; null: none. */
  readonly ends: {
    readonly when: (host: Host, message: MessageParts) => Json;
    readonly say: (host: Host, message: FramedMessage) => Json;
  } | null;
  /** The name of the listener that gets an endpoint's messages; null: no listener does. */
  readonly listener: OverEndpoint;
  /** Whether a response to an endpoint's messages is waited for, or an acknowledgement is enough. */
  readonly awaitsResponse: (host: Host, endpoint: Row) => boolean;
  /** World events of connections. */
  readonly opened: string;
  readonly closed: string;
  /** Error of those who may not connect. */
  readonly rejected: string;
  readonly frame: (host: Host, message: FramedMessage) => Json;
  readonly read: (host: Host, reply: JsonObject) => SocketReply;
}

/** Steps over what came of a delivery. */
export type OutcomeSteps = (execution: Execution, event: Holder, endpoint: Row, response: DeliveryOutcome) => void;

/** A condition over what came of a delivery. */
export type OutcomeTest = (host: Host, event: Holder, endpoint: Row, response: DeliveryOutcome) => Json;

/** What came of a delivery, as steps see it. */
export interface DeliveryOutcome extends JsonObject {
  readonly status: number | null;
  /** By lower-case names. */
  readonly headers: JsonObject;
  readonly body: string | null;
  readonly error: string | null;
}

/** What a transport says of attempts beside how they are made. */
export interface AttemptsPlan {
  /** Waits between its attempts; null: those of `delivery`. */
  readonly retries: readonly Wait[] | null;
  /** Whether no attempt follows a failed one; null: only when there are no more. */
  readonly givesUp: OutcomeTest | null;
  readonly onResponse: OutcomeSteps | null;
  readonly onFailure: OutcomeSteps | null;
}

/** A way of delivery, compiled. */
export type TransportPlan =
  | { readonly kind: 'http'; readonly http: HttpPlan; readonly attempts: AttemptsPlan }
  | { readonly kind: 'socket'; readonly http: HttpPlan; readonly socket: SocketPlan; readonly attempts: AttemptsPlan }
  | { readonly kind: 'record'; readonly record: (host: Host, message: MessageParts) => Json };

/** `delivery` of a pack, compiled. */
export interface DeliveryPlan {
  readonly endpoint: EndpointPlan;
  readonly transports: ReadonlyMap<string, TransportPlan>;
  /** Waits between attempts, on the world's clock. */
  readonly retries: readonly Wait[];
  /** Whether a receiver's Retry-After puts the next attempt off. */
  readonly retryAfter: boolean;
  /** The field of event objects that holds the event's name. */
  readonly typeField: string;
}

/** Headers of the connection, not of the message (RFC 9110, 7.6.1), and what the length and place of a message say. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set(
  'connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);
