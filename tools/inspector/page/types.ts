import type { components, operations } from '../../../engine/control/client-types.cjs';

/* Types of control API responses, from its contract. Times are in the vendor's format: seconds or ISO 8601. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A type with JSON in place of unknown values. */
type Known<T> = unknown extends T
  ? Json
  : T extends readonly (infer U)[]
    ? readonly Known<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Known<T[K]> }
      : T;

type Schemas = { readonly [K in keyof components['schemas']]: Known<components['schemas'][K]> };

/** The response type of a control API call. */
type Returned<Id extends keyof operations> = operations[Id] extends {
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer T } } };
}
  ? Known<T>
  : never;

export type Instant = Schemas['Instant'];
export type About = Schemas['About'];
export type UnsupportedList = { readonly data: readonly Schemas['Unsupported'][] };
export type Clock = Schemas['Clock'];
export type DeliveryFault = Schemas['DeliveryFault'];
export type Diff = Returned<'diff'>;
export type DueTimer = Schemas['DueTimer'];
export type Endpoint = Schemas['Endpoint'];
export type EventName = Schemas['EventName'];
export type Exchange = Schemas['Exchange'];
export type Mail = Schemas['Mail'];
export type MailList = Returned<'mailbox'>;
export type Message = Schemas['Message'];
export type ObjectList = Returned<'objects'>;
export type ObjectRow = Schemas['ObjectRow'];
export type ObjectStep = Schemas['ObjectStep'];
export type ObjectView = Schemas['ObjectView'];
export type Possible = Returned<'possibleCauses'>['causes'][number];
export type TimelinePage = Returned<'timeline'>;
export type TimelineStep = TimelinePage['data'][number];
export type Marks = Returned<'marks'>;
export type Life = Returned<'life'>;
export type Found = Returned<'search'>;
export type Glance = Returned<'glance'>;
export type Trace = Schemas['Trace'];
export type Transition = Trace['transitions'][number];
export type World = Schemas['World'];

/** A call, as the control API's event stream describes it. */
export type CallEvent = { readonly trace: string } & Pick<
  Trace,
  | 'request'
  | 'operation'
  | 'outcome'
  | 'status'
  | 'error'
  | 'replayed'
  | 'fault'
  | 'scenario'
  | 'magic_values'
  | 'transitions'
  | 'events'
  | 'at'
  | 'entry'
  | 'duration_ms'
  | 'real_time'
>;

/** A delivery, as the control API's event stream describes it. */
export type DeliveryEvent = Trace['deliveries'][number];

export interface EntryEvent {
  readonly entry: number;
  readonly at: Instant;
  readonly command: string;
  readonly origin: string;
  readonly trace: string | null;
  readonly args?: Json;
  readonly changes: readonly {
    readonly op: string;
    readonly collection?: string;
    readonly id?: string;
    readonly register?: string;
    readonly now?: Instant;
  }[];
  readonly changes_total: number;
  readonly transitions: readonly Transition[];
  readonly events: readonly EventName[];
  readonly events_total?: number;
}

export interface Attempt {
  readonly at: string;
  readonly world_time: Instant;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

export interface Delivery extends Omit<Schemas['Delivery'], 'attempts'> {
  readonly attempts: readonly Attempt[];
}

export interface Shape {
  readonly type: string;
  /** The description of the field or parameter. */
  readonly description?: string;
  readonly nullable?: boolean;
  readonly required?: boolean;
  readonly default?: Json;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly refs?: readonly string[];
  readonly constant?: Json;
  readonly items?: Shape;
  readonly fields?: Fields;
  readonly options?: readonly Shape[];
}

export type Fields = Readonly<Record<string, Shape>>;

interface PackTransition {
  readonly from: string;
  readonly to: string;
  readonly triggers: readonly string[];
  readonly timers: readonly string[];
  readonly always: boolean;
}

export interface PackOperation {
  readonly operation: string;
  readonly title: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly params: Fields;
  /** The method of the vendor's client, as dotted names; null: none. */
  readonly client?: string | null;
}

export interface PackResource {
  readonly name: string;
  readonly collection: string;
  readonly title: string;
  readonly status: string | null;
  readonly order: string | null;
  readonly fields: Fields;
  readonly machine: {
    readonly initial: string;
    readonly states: readonly {
      readonly name: string;
      readonly description: string;
      readonly final: boolean;
      readonly inside: readonly string[];
    }[];
    readonly transitions: readonly PackTransition[];
  } | null;
  readonly operations: readonly PackOperation[];
  readonly events: readonly string[];
  /** Descriptions of events, by name; may be empty. */
  readonly event_descriptions: Readonly<Record<string, string>>;
  readonly pins: readonly {
    readonly path: string;
    readonly members: boolean;
    readonly at: readonly string[];
    readonly description: string;
    readonly value: Shape;
  }[];
  readonly branches: readonly string[];
  /** Whether objects of the resource are messages to people. */
  readonly message: boolean;
}

interface PackCause {
  readonly cause: string;
  readonly variants: readonly {
    readonly description: string;
    readonly subject: { readonly param: string; readonly resource: string } | null;
    readonly params: Fields;
  }[];
}

export interface Pack {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly faithful_to: string;
  readonly requests: string;
  /** Versions of the vendor API, oldest first; null: none. */
  readonly versions: {
    readonly current: string;
    readonly all: readonly { readonly name: string; readonly changes: readonly string[] }[];
  } | null;
  readonly key_scheme: string;
  /** The vendor's own client for JavaScript. */
  readonly client: {
    readonly package: string;
    /** Code that creates a client, with placeholders such as `{host}`. */
    readonly begin: string;
    readonly object: string;
    /** Headers in lower case, with the names of the client options that set them. */
    readonly options: Readonly<Record<string, string>>;
  } | null;
  /** Code for a first call, with placeholders such as `{url}` and `{key}`. */
  readonly start: {
    readonly languages: readonly { readonly name: string; readonly install: string | null; readonly code: string }[];
    readonly collections: readonly string[];
    readonly tries: readonly {
      readonly title: string;
      readonly text: string;
      readonly method: string;
      readonly path: string;
      readonly params: JsonObject;
    }[];
  } | null;
  readonly resources: readonly PackResource[];
  readonly causes: readonly PackCause[];
  readonly scenarios: readonly {
    readonly name: string;
    readonly description: string;
    readonly operations: readonly string[] | null;
  }[];
  readonly magic_values: readonly {
    readonly family: string;
    readonly stands_for: string;
    readonly values: readonly string[];
  }[];
  readonly durations: readonly { readonly name: string; readonly default: string; readonly description: string }[];
  readonly events: readonly string[];
  readonly errors: readonly string[];
  readonly event_collections: readonly string[];
}
