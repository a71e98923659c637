/** What the control API answers, as far as the page uses it. Times are the vendor's own: seconds or ISO 8601. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };
export type Instant = number | string;

export interface About {
  readonly pack: {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly faithful_to: string;
  };
  readonly world: {
    readonly now: Instant;
    readonly clock: string;
    readonly seed: string;
    readonly objects: Readonly<Record<string, number>>;
  };
}

export interface Shape {
  readonly type: string;
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

export interface PackTransition {
  readonly from: string;
  readonly to: string;
  readonly triggers: readonly string[];
  readonly timers: readonly string[];
  readonly always: boolean;
}

export interface PackOperation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly params: Fields;
  /** The function of the vendor's client, names joined by dots; null: it has none. */
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
    readonly states: readonly { readonly name: string; readonly final: boolean; readonly inside: readonly string[] }[];
    readonly transitions: readonly PackTransition[];
  } | null;
  readonly operations: readonly PackOperation[];
  readonly events: readonly string[];
  readonly pins: readonly {
    readonly path: string;
    readonly members: boolean;
    readonly at: readonly string[];
    readonly description: string;
    readonly value: Shape;
  }[];
  readonly branches: readonly string[];
}

export interface PackCause {
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
  /** Versions of the vendor's API, oldest first; null: any is taken. */
  readonly versions: {
    readonly current: string;
    readonly all: readonly { readonly name: string; readonly changes: readonly string[] }[];
  } | null;
  readonly key_scheme: string;
  /** The vendor's own client for JavaScript. */
  readonly client: {
    readonly package: string;
    /** Code that makes one, with places such as `{host}` in it. */
    readonly begin: string;
    readonly object: string;
    /** Headers, in lower case, with their names among its options. */
    readonly options: Readonly<Record<string, string>>;
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

export interface Transition {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string | null;
}

export interface EventName {
  readonly id: string;
  readonly type: string;
}

export interface CallEvent {
  readonly trace: string;
  readonly request: { readonly id: string; readonly method: string; readonly path: string };
  readonly operation: string | null;
  readonly outcome: string;
  readonly status: number;
  readonly error: string | null;
  readonly replayed: boolean;
  readonly transitions: readonly Transition[];
  readonly events: readonly EventName[];
  readonly at: Instant;
  readonly entry: number;
  readonly duration_ms: number;
}

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

export interface DeliveryEvent {
  readonly id: string;
  readonly event: EventName;
  readonly endpoint: string;
  readonly url: string | null;
  readonly status: string;
  readonly attempts: number;
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

/** Trouble that is ordered for deliveries. */
export interface DeliveryFault {
  readonly id: string;
  readonly kind: string;
  readonly event: string;
  readonly endpoint: string | null;
  readonly remaining: number | null;
  readonly delay?: string;
  readonly times?: number;
  readonly after?: number;
  readonly probability?: number;
}

export interface Delivery extends Omit<DeliveryEvent, 'attempts'> {
  readonly attempts: readonly Attempt[];
  readonly next_attempt_at: Instant | null;
  readonly transport: string;
  /** Id of the fault that struck it. */
  readonly fault?: string;
}

export interface Endpoint {
  readonly id: string;
  readonly url: string | null;
  readonly events: readonly string[];
  readonly status: string;
  readonly secret: string | null;
}

export interface Trace extends Omit<CallEvent, 'trace'> {
  readonly id: string;
  readonly exogenous: readonly { readonly field_path: string; readonly source: string; readonly value: Json }[];
  readonly request: CallEvent['request'] & { readonly idempotency_key: string | null };
  readonly fault: string | null;
  readonly scenario: string | null;
  readonly magic_values: readonly string[];
  readonly stood_back: readonly {
    readonly pin: string;
    readonly id: string;
    readonly path: string;
    readonly value: Json;
  }[];
  readonly deliveries: readonly DeliveryEvent[];
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly bytes: number;
}

export interface Exchange {
  readonly url: string;
  readonly request: Message;
  readonly response: Message;
}

export interface Possible {
  readonly cause: string;
  readonly params: JsonObject;
  readonly description: string;
  readonly also_needs?: readonly string[];
}

export interface DueTimer {
  readonly collection: string;
  readonly id: string;
  readonly timer: string;
  readonly due: Instant;
  readonly in_ms: number;
}

export interface ObjectStep {
  readonly entry: number;
  readonly at: Instant;
  readonly command: string;
  readonly origin: string;
  readonly trace: string | null;
  readonly args: Json;
  readonly change: string;
  readonly fields: readonly { readonly field: string; readonly from: Json; readonly to: Json }[];
}

export interface ObjectView {
  readonly collection: string;
  readonly resource: string;
  readonly title: string;
  readonly id: string;
  /** Whose it is; left out where nobody's. */
  readonly tenant?: string;
  /** Further tenants that have one with this id; null: no tenant. */
  readonly also_of?: readonly (string | null)[];
  readonly deleted: boolean;
  readonly status: Json;
  readonly status_field: string | null;
  readonly value: JsonObject;
  /** As the version of the vendor's API shows it that was asked for. */
  readonly shown?: { readonly version: string; readonly value: JsonObject };
  readonly exogenous: readonly { readonly field_path: string; readonly source: string; readonly value: Json }[];
  readonly pins: readonly {
    readonly id: string;
    readonly path: string;
    readonly value: Json;
    readonly object: string | null;
  }[];
  readonly timers: readonly DueTimer[];
  readonly next: readonly Possible[];
  readonly names: readonly { readonly path: string; readonly collection: string; readonly id: string }[];
  readonly named_by: readonly {
    readonly collection: string;
    readonly field: string;
    readonly ids: readonly string[];
    readonly total: number;
  }[];
  readonly history: readonly ObjectStep[];
}

export interface ObjectRow {
  readonly id: string;
  /** Whose it is; left out where nobody's. */
  readonly tenant?: string;
  readonly status: Json;
  readonly at: Instant | null;
  readonly timers: number;
  readonly fields: JsonObject;
}

export interface ObjectList {
  readonly resource: string;
  readonly fields: readonly string[];
  readonly order: string | null;
  readonly data: readonly ObjectRow[];
  readonly total: number;
}

export interface Clock {
  readonly now: Instant;
  readonly t0: Instant;
  readonly mode: string;
  readonly timers: number;
  readonly next_due: Instant | null;
  readonly failed: readonly {
    readonly object: string;
    readonly timer: string;
    readonly at: Instant;
    readonly error: { readonly code: string; readonly message: string };
  }[];
}

export interface World {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly key: string;
  readonly pack: string;
  readonly now: Instant | null;
  readonly head: number;
  readonly expires: string | null;
  readonly from: { readonly world: string; readonly entry: number } | null;
}

export interface Diff {
  readonly objects: readonly {
    readonly collection: string;
    readonly id: string;
    readonly change: string;
    readonly value: Json;
    readonly fields?: readonly { readonly field: string; readonly from: Json; readonly to: Json }[];
  }[];
  readonly objects_total: number;
}
