// Written by `npm run types:pack` from the table of the control API (engine/control/routes); a test compares. Change the table, not this file.

/* What goes into each call of the control API and what comes out when it goes well; all else is a ControlError. */

export interface components {
    schemas: {
        readonly About: {
            /** @description version of the control API's contract */
            readonly contract: string;
            readonly pack: {
                readonly name: string;
                readonly title: string;
                readonly version: string;
                readonly faithful_to: string;
                /** @description host names of the vendor's API; absent if the pack names none */
                readonly hosts?: readonly string[];
            };
            readonly world: {
                readonly now: components["schemas"]["Instant"];
                /** @enum {unknown} */
                readonly clock: "frozen" | "realtime";
                readonly seed: string;
                /** @description number of objects by collection */
                readonly objects: {
                    readonly [key: string]: number;
                };
            };
            /** @description number of requests for something that the pack does not emulate, by kind; `GET /unsupported` lists them */
            readonly unsupported: {
                readonly [key: string]: number;
            };
            readonly links: readonly string[];
        };
        readonly CauseLink: {
            /** @enum {unknown} */
            readonly did: "wrote" | "pinned" | "armed the timer" | "moved the clock";
            /** @description number of the ledger entry */
            readonly entry: number;
            readonly at: components["schemas"]["Instant"];
            readonly command: string;
            /** @enum {unknown} */
            readonly origin: "call" | "cause" | "clock" | "seed" | "control" | "outside" | "rule";
            readonly request: string | null;
            readonly trace: string | null;
            readonly args: unknown;
            readonly from?: unknown;
            readonly to?: unknown;
            readonly transition?: {
                readonly from: string | null;
                readonly to: string;
                readonly trigger: string | null;
            } | null;
            /** @description source of the external value; null if the value is not external */
            readonly source?: string | null;
        };
        readonly Check: {
            /** @description expected changes of objects: {<collection>: {<path>: <value or predicates>}, count?, to?, from?, same?}; `to` and `from` are the new and old values of changed fields, `same` lists fields that must not change; predicates: eq, ne, in, not_in, contains, not_contains, i_contains, starts_with, ends_with, i_starts_with, i_ends_with, regex, i_regex, gt, gte, lt, lte, exists, has_any, has_all */
            readonly added?: {
                readonly [key: string]: unknown;
            };
            /** @description expected changes of objects: {<collection>: {<path>: <value or predicates>}, count?, to?, from?, same?}; `to` and `from` are the new and old values of changed fields, `same` lists fields that must not change; predicates: eq, ne, in, not_in, contains, not_contains, i_contains, starts_with, ends_with, i_starts_with, i_ends_with, regex, i_regex, gt, gte, lt, lte, exists, has_any, has_all */
            readonly changed?: {
                readonly [key: string]: unknown;
            };
            /** @description expected changes of objects: {<collection>: {<path>: <value or predicates>}, count?, to?, from?, same?}; `to` and `from` are the new and old values of changed fields, `same` lists fields that must not change; predicates: eq, ne, in, not_in, contains, not_contains, i_contains, starts_with, ends_with, i_starts_with, i_ends_with, regex, i_regex, gt, gte, lt, lte, exists, has_any, has_all */
            readonly removed?: {
                readonly [key: string]: unknown;
            };
            /** @description an expression in the pack's language over the present objects, which must be true */
            readonly final?: string;
            /** @description in a company (several packs): the pack in whose context `final` is evaluated; collections, operations and events of a pack are then written `PACK/name` */
            readonly vendor?: string;
            readonly calls?: {
                /** @description operations that must not be called, as <collection>.<operation> */
                readonly never?: readonly string[];
                /** @description count only calls of this operation, as <collection>.<operation> */
                readonly operation?: string;
                readonly min?: number;
                readonly max?: number;
                /** @description operations that must be called in this order; other calls may come between them */
                readonly order?: readonly string[];
                /** @description expected number of calls that match no operation of the pack */
                readonly unsupported?: unknown;
            };
            readonly delivered?: {
                readonly event: string;
                readonly min?: number;
                readonly max?: number;
            };
            /** @description true: nothing changed except what the other checks expect; {allow: [<collection>]} also permits changes in these collections */
            readonly unchanged?: unknown;
            /** @description weight of the check in the score (default: 1) */
            readonly weight?: number;
            /** @description description of the check, for people */
            readonly about?: unknown;
        };
        readonly Clock: {
            readonly now: components["schemas"]["Instant"];
            readonly t0: components["schemas"]["Instant"];
            /** @enum {unknown} */
            readonly mode: "frozen" | "realtime";
            readonly timers: number;
            /** @description timers that failed since the last reset, newest last; at most 1,000 */
            readonly failed: readonly components["schemas"]["TimerFailure"][];
            readonly next_due: components["schemas"]["Instant"] | null;
            /** @description objects with their own clock and its time; absent if there are none */
            readonly clocks?: readonly {
                readonly id: string;
                /** @description id of the tenant that the object belongs to; absent if it belongs to none */
                readonly tenant?: string;
                readonly now: components["schemas"]["Instant"];
            }[];
            readonly advancing: {
                readonly from: components["schemas"]["Instant"];
                readonly to: components["schemas"]["Instant"];
                readonly now: components["schemas"]["Instant"];
                readonly fired: number;
            } | null;
        };
        readonly Covered: {
            readonly total: number;
            readonly met: readonly string[];
            readonly missing: readonly string[];
        };
        readonly Delivery: {
            readonly id: string;
            readonly event: components["schemas"]["EventName"];
            readonly endpoint: string;
            readonly transport?: string;
            readonly url?: string | null;
            /** @enum {unknown} */
            readonly status: "pending" | "delivered" | "failed" | "recorded";
            readonly attempts: readonly {
                readonly [key: string]: unknown;
            }[];
            readonly next_attempt_at?: components["schemas"]["Instant"] | null;
            readonly message?: unknown;
            /** @description id of the delivery fault that affected it; absent if none did */
            readonly fault?: string;
        };
        readonly DeliveryFault: {
            readonly id: string;
            readonly kind: string;
            readonly event: string;
            readonly endpoint: string | null;
            /** @description number of events that the fault will still affect; null: until cleared */
            readonly remaining: number | null;
            readonly delay?: string;
            readonly times?: number;
            readonly after?: number;
            readonly probability?: number;
            /** @description number of matching events so far */
            readonly seen?: number;
        };
        readonly DeliveryFaultOrder: {
            /**
             * @description duplicate: send it more than once; reorder: let later deliveries overtake it; drop: never send it; delay: send it late; hold: send it when the fault is cleared
             * @enum {unknown}
             */
            readonly kind: "duplicate" | "reorder" | "drop" | "delay" | "hold";
            /** @description name or pattern of the events that the fault affects (default: all events) */
            readonly event?: string;
            /** @description id of an endpoint: affect only deliveries to it */
            readonly endpoint?: string;
            /** @description number of events that the fault affects (default: until cleared) */
            readonly count?: number;
            /**
             * @description for `delay`: how long to wait; for `duplicate`: when the copies are sent; simulated time
             * @example 5m
             * @example 2d
             */
            readonly delay?: string;
            /** @description for `duplicate`: number of copies; for `reorder`: number of later deliveries that overtake it (default: 1) */
            readonly times?: number;
            /** @description number of matching events to skip first */
            readonly after?: number;
            /** @description probability (0 to 1) that a later matching event is affected, drawn from the world's random seed (default: 1) */
            readonly probability?: number;
        };
        readonly DueTimer: {
            readonly collection: string;
            readonly id: string;
            /** @description id of the tenant that the object belongs to; absent if it belongs to none */
            readonly tenant?: string;
            /** @description name of the duration in the pack */
            readonly timer: string;
            readonly due: components["schemas"]["Instant"];
            /** @description milliseconds of simulated time until it is due, on its clock */
            readonly in_ms: number;
            /** @description the object whose own clock the timer runs on, as in `clocks` of `GET /state`; absent for the world's clock */
            readonly clock?: string;
        };
        readonly Durations: {
            readonly durations: {
                readonly [key: string]: {
                    readonly default: string;
                    readonly value: string;
                    readonly overridden: boolean;
                    readonly description: string;
                };
            };
        };
        readonly Endpoint: {
            readonly id: string;
            readonly url: string | null;
            readonly events: readonly string[];
            readonly status: string;
            /** @description secret with which deliveries are signed; the same after a restart */
            readonly secret: string | null;
        };
        readonly Entry: {
            /** @description number of the ledger entry */
            readonly entry: number;
            readonly at: components["schemas"]["Instant"];
            readonly command: string;
            /** @enum {unknown} */
            readonly origin: "call" | "cause" | "clock" | "seed" | "control" | "outside" | "rule";
            readonly request: string | null;
            readonly trace: string | null;
            readonly args: unknown;
            /** @description positions of the random number streams after the entry */
            readonly after: {
                readonly [key: string]: number;
            };
            readonly changes: readonly ({
                /** @enum {unknown} */
                readonly op: "put" | "delete" | "arm" | "disarm" | "set" | "clock" | "reset";
            } & {
                readonly [key: string]: unknown;
            })[];
        };
        readonly EntrySummary: {
            /** @description number of the ledger entry */
            readonly entry: number;
            readonly at: components["schemas"]["Instant"];
            readonly command: string;
            /** @enum {unknown} */
            readonly origin: "call" | "cause" | "clock" | "seed" | "control" | "outside" | "rule";
            readonly request: string | null;
            readonly trace: string | null;
            readonly args: unknown;
            readonly objects: readonly {
                /** @enum {unknown} */
                readonly op: "put" | "delete";
                readonly collection: string;
                readonly id: string;
                /** @description id of the tenant that the object belongs to; absent if it belongs to none */
                readonly tenant?: string;
            }[];
        };
        readonly Error: {
            readonly error: {
                readonly code: string;
                readonly message: string;
                /** @description the invalid key, parameter or value in the request */
                readonly path?: string;
                /** @description closest valid name */
                readonly suggestion?: string;
            } & {
                readonly [key: string]: unknown;
            };
        };
        readonly EventName: {
            readonly id: string;
            readonly type: string;
        };
        readonly Exchange: {
            readonly url: string;
            readonly request: components["schemas"]["Message"];
            readonly response: components["schemas"]["Message"];
        };
        readonly Fault: {
            readonly id: string;
            readonly resource: string;
            readonly operation: string;
            readonly kind: string;
            readonly status: number | null;
            readonly error: {
                readonly [key: string]: unknown;
            };
            /** @description number of requests that the fault will still affect; null: until cleared */
            readonly remaining: number | null;
            readonly match: {
                readonly [key: string]: unknown;
            } | null;
            readonly delay_ms: number;
            /** @description longest delay in milliseconds, if each request draws one from `delay_ms` up to it */
            readonly delay_max_ms?: number;
            readonly headers?: {
                readonly [key: string]: unknown;
            };
            readonly body?: string;
            readonly truncate_at?: number;
            readonly drip_ms?: number;
            readonly after_events?: number;
            readonly error_event?: {
                readonly [key: string]: unknown;
            };
            readonly after?: number;
            readonly probability?: number;
            /** @description number of matching requests so far */
            readonly seen?: number;
        };
        readonly FaultOrder: {
            /** @description collection whose operations fail (default: `*`, all) */
            readonly resource?: string;
            /** @description operation that fails (default: `*`, all) */
            readonly operation?: string;
            /**
             * @description error: return an error without running the operation; delay: only wait; reset: close the connection before the operation runs; lost_response: close it after the operation took effect; response: run the operation and change its response
             * @default error
             * @enum {unknown}
             */
            readonly kind?: "error" | "delay" | "reset" | "lost_response" | "response";
            /** @description HTTP status, required for kind `error`; below 400 only with `body` or for kind `response` */
            readonly status?: number;
            /** @description code, type, message and other members of the vendor's error envelope */
            readonly error?: {
                readonly [key: string]: unknown;
            };
            /** @description number of requests that the fault affects (default: until cleared) */
            readonly count?: number;
            /** @description parameters that a request must have for the fault to apply */
            readonly match?: {
                readonly [key: string]: unknown;
            };
            /** @description delay before the response, in milliseconds of real time; `{min, max}` draws a delay for each request */
            readonly delay_ms?: number | {
                readonly min: number;
                readonly max: number;
            };
            /** @description headers to add to the response, such as Retry-After */
            readonly headers?: {
                readonly [key: string]: unknown;
            };
            /** @description replaces the body of the response */
            readonly body?: string;
            /** @description close the connection after this many bytes of the body */
            readonly truncate_at?: number;
            /** @description milliseconds of real time over which the body is sent, in pieces */
            readonly drip_ms?: number;
            /** @description end a stream after this many events, with `error_event` or by closing the connection */
            readonly after_events?: number;
            /** @description error to send at the end of a stream, such as {"message":...}; the pack defines the format of its event */
            readonly error_event?: {
                readonly [key: string]: unknown;
            };
            /** @description number of matching requests to skip first */
            readonly after?: number;
            /** @description probability (0 to 1) that a later matching request is affected, drawn from the world's random seed (default: 1) */
            readonly probability?: number;
        };
        /** @description simulated time as ISO 8601 or Unix seconds; responses use the pack's format */
        readonly Instant: string | number;
        readonly Mail: {
            readonly id: string;
            readonly collection: string;
            /** @description channel: `mail`, `text`, ... */
            readonly way: string;
            readonly from: string | null;
            readonly to: readonly string[];
            readonly subject: string | null;
            readonly text: string | null;
            readonly html: string | null;
            /** @description when it was sent, in the pack's time format */
            readonly at: unknown;
            /** @description URLs in the message, in order */
            readonly links: readonly string[];
            /** @description one-time codes in the message */
            readonly codes: readonly string[];
            readonly attachments: readonly components["schemas"]["MailAttachment"][];
            /** @description the raw message with its headers; only returned for a single message */
            readonly source?: string;
            /** @description the external event that replies to the message, with the parameters that follow from it; null if people can't reply */
            readonly reply: {
                readonly cause: string;
                readonly params: {
                    readonly [key: string]: unknown;
                };
            } | null;
        };
        readonly MailAttachment: {
            readonly name: string;
            readonly type: string;
            /** @description size in bytes */
            readonly size: number;
            /** @description Content-ID by which the message's HTML refers to it, in URLs that begin with `cid:` */
            readonly content_id?: string;
            /** @description contents in base64; only returned with `contents=true` or for a single message */
            readonly content?: string;
        };
        readonly Mark: {
            /** @description number of the ledger entry after which the world had this state */
            readonly entry: number;
            /** @enum {unknown} */
            readonly kind: "call" | "clock" | "cause" | "control";
            readonly title: string;
            /** @description simulated time at which it began */
            readonly from: components["schemas"]["Instant"];
            readonly at: components["schemas"]["Instant"];
            /** @description number of similar items that this mark combines */
            readonly count: number;
            /** @description true if the call returned an error */
            readonly failed: boolean;
            readonly trace: string | null;
            /** @description moments within an advance of the clock */
            readonly points: readonly {
                readonly entry: number;
                readonly at: components["schemas"]["Instant"];
                readonly events: readonly string[];
            }[];
        };
        readonly Message: {
            /** @description headers by name in lower case; API keys are masked */
            readonly headers: {
                readonly [key: string]: string;
            };
            /** @description null if it was larger than 64 KiB */
            readonly body: string | null;
            readonly bytes: number;
        };
        /** @description a point in the world's history: number of a ledger entry, instant (ISO 8601 or Unix seconds of at least 9 digits), id of a request or trace, name of a saved moment, or `now` */
        readonly Moment: string | number;
        readonly MomentSaved: {
            readonly name: string;
            readonly entry: number;
            readonly now: components["schemas"]["Instant"];
        };
        readonly ObjectDiff: {
            readonly collection: string;
            readonly id: string;
            /** @description id of the tenant that the object belongs to; absent if it belongs to none */
            readonly tenant?: string;
            /** @enum {unknown} */
            readonly change: "created" | "changed" | "deleted";
            /** @description number of the last ledger entry that caused the difference; null if the ledger no longer holds it */
            readonly by: number | null;
            /** @description when comparing two worlds: number of the last ledger entry of the `from` world that set its value */
            readonly from_by?: number | null;
            /** @description the object, if it was created or deleted */
            readonly value: unknown;
            readonly fields: readonly {
                /** @description path of the field */
                readonly field: string;
                readonly from: unknown;
                readonly to: unknown;
                /** @description number of the last ledger entry that caused the difference; null if the ledger no longer holds it */
                readonly by: number | null;
                /** @description when comparing two worlds: number of the last ledger entry of the `from` world that set its value */
                readonly from_by?: number | null;
                readonly from_transition?: {
                    readonly from: string | null;
                    readonly to: string;
                    readonly trigger: string | null;
                } | null;
                readonly transition: {
                    readonly from: string | null;
                    readonly to: string;
                    readonly trigger: string | null;
                } | null;
            }[];
        };
        readonly ObjectRow: {
            readonly id: string;
            /** @description id of the tenant that the object belongs to; absent if it belongs to none */
            readonly tenant?: string;
            readonly status: unknown;
            readonly at: components["schemas"]["Instant"] | null;
            readonly timers: number;
            readonly fields: {
                readonly [key: string]: unknown;
            };
        };
        readonly ObjectStep: {
            /** @description number of the ledger entry */
            readonly entry: number;
            readonly at: components["schemas"]["Instant"];
            readonly command: string;
            /** @enum {unknown} */
            readonly origin: "call" | "cause" | "clock" | "seed" | "control" | "outside" | "rule";
            readonly request: string | null;
            readonly trace: string | null;
            readonly args: unknown;
            /** @enum {unknown} */
            readonly change: "created" | "changed" | "deleted";
            readonly fields: readonly {
                readonly field: string;
                readonly from: unknown;
                readonly to: unknown;
            }[];
        };
        readonly ObjectView: {
            readonly collection: string;
            readonly resource: string;
            readonly title: string;
            readonly id: string;
            /** @description id of the tenant that the object belongs to; absent if it belongs to none */
            readonly tenant?: string;
            /** @description other tenants that have an object with this id; null: an object without a tenant */
            readonly also_of?: readonly (string | null)[];
            readonly deleted: boolean;
            readonly status: unknown;
            /** @description the field that the state machine sets */
            readonly status_field: string | null;
            readonly value: {
                readonly [key: string]: unknown;
            };
            /** @description the object as the requested version of the vendor's API returns it; absent if no version was requested */
            readonly shown?: {
                readonly version: string;
                readonly value: {
                    readonly [key: string]: unknown;
                };
            };
            readonly exogenous: readonly {
                readonly field_path: string;
                readonly source: string;
                readonly value: unknown;
            }[];
            readonly pins: readonly {
                readonly id: string;
                readonly path: string;
                readonly value: unknown;
                readonly object: string | null;
            }[];
            readonly timers: readonly components["schemas"]["DueTimer"][];
            readonly next: readonly {
                readonly cause: string;
                /** @description parameters that identify the object */
                readonly params: {
                    readonly [key: string]: unknown;
                };
                /** @description further parameters that the event requires */
                readonly also_needs?: readonly string[];
                readonly description: string;
            }[];
            readonly names: readonly {
                readonly path: string;
                readonly collection: string;
                readonly id: string;
                /** @description id of the tenant that the object belongs to; absent if it belongs to none */
                readonly tenant?: string;
            }[];
            readonly named_by: readonly {
                readonly collection: string;
                readonly field: string;
                readonly ids: readonly string[];
                readonly total: number;
            }[];
            readonly history: readonly components["schemas"]["ObjectStep"][];
        };
        readonly Pace: boolean | {
            readonly quiet?: string;
        };
        readonly PackView: {
            /** @description versions of the vendor's API, oldest first; null if the pack accepts any version */
            readonly versions?: {
                /** @description version that a request without a version gets */
                readonly current: string;
                readonly all: readonly {
                    readonly name: string;
                    /** @description titles of the changes in this version */
                    readonly changes: readonly string[];
                }[];
            } | null;
            readonly name: string;
            readonly title: string;
            readonly version: string;
            readonly resources: readonly {
                readonly [key: string]: unknown;
            }[];
            readonly causes: readonly {
                readonly [key: string]: unknown;
            }[];
            readonly scenarios: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description named seed data of the pack */
            readonly seeds: readonly {
                readonly name: string;
                readonly description: string;
            }[];
            readonly magic_values: readonly {
                readonly [key: string]: unknown;
            }[];
            readonly durations: readonly {
                readonly [key: string]: unknown;
            }[];
            readonly events: readonly string[];
            readonly errors: readonly string[];
        } & {
            readonly [key: string]: unknown;
        };
        readonly Pin: {
            readonly id: string;
            /** @description name of the collection */
            readonly resource: string;
            /** @description id of the object; null: every object of the collection */
            readonly object: string | null;
            /** @description tenant whose objects are affected; `none`: objects without a tenant; absent: all objects */
            readonly tenant?: string;
            /** @description id of an object: only objects that refer to it are affected */
            readonly of?: string;
            readonly path: string;
            readonly value: unknown;
            readonly once: boolean;
        };
        readonly PinOrder: {
            /** @description a collection, the name of a resource, or the id of one object; optional if `path` begins with the name of a resource */
            readonly resource?: string;
            /** @description id of one object (default: every object of the collection) */
            readonly id?: string;
            /** @description only objects of this tenant; `none`: objects without a tenant (default: all objects) */
            readonly tenant?: string;
            /** @description path of the external value; may begin with the name of a resource */
            readonly path?: string;
            /** @description the value; required with `path` */
            readonly value?: unknown;
            /** @description branch of the object's lifecycle to take; instead of `path` and `value` */
            readonly branch?: string;
        };
        readonly Seed: {
            /** @description name of the collection of `objects` */
            readonly resource: string;
            readonly objects: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description properties of the account to which the API key belongs; others get their defaults */
            readonly account?: {
                readonly [key: string]: unknown;
            };
            /** @description last states of deleted objects by collection, as returned by `GET /state` */
            readonly deleted?: {
                readonly [key: string]: readonly {
                    readonly [key: string]: unknown;
                }[];
            };
            /** @description objects of tenants by tenant id, in `resources` and optionally `deleted` */
            readonly tenants?: {
                readonly [key: string]: {
                    readonly [key: string]: unknown;
                };
            };
            /** @description running timers of the objects, instead of timers computed from their fields */
            readonly timers?: readonly components["schemas"]["WorldTimer"][];
            /** @description objects with their own clock and its time, as returned by `GET /state` */
            readonly clocks?: {
                readonly [key: string]: number | string;
            };
            readonly t0?: components["schemas"]["Instant"];
            readonly now?: components["schemas"]["Instant"];
        } | {
            /** @description objects by collection */
            readonly resources: {
                readonly [key: string]: readonly {
                    readonly [key: string]: unknown;
                }[];
            };
            /** @description properties of the account to which the API key belongs; others get their defaults */
            readonly account?: {
                readonly [key: string]: unknown;
            };
            /** @description last states of deleted objects by collection, as returned by `GET /state` */
            readonly deleted?: {
                readonly [key: string]: readonly {
                    readonly [key: string]: unknown;
                }[];
            };
            /** @description objects of tenants by tenant id, in `resources` and optionally `deleted` */
            readonly tenants?: {
                readonly [key: string]: {
                    readonly [key: string]: unknown;
                };
            };
            /** @description running timers of the objects, instead of timers computed from their fields */
            readonly timers?: readonly components["schemas"]["WorldTimer"][];
            /** @description objects with their own clock and its time, as returned by `GET /state` */
            readonly clocks?: {
                readonly [key: string]: number | string;
            };
            readonly t0?: components["schemas"]["Instant"];
            readonly now?: components["schemas"]["Instant"];
        } | {
            /** @description properties of the account to which the API key belongs; others get their defaults */
            readonly account: {
                readonly [key: string]: unknown;
            };
            readonly t0?: components["schemas"]["Instant"];
        } | {
            /** @description name of seed data that comes with the pack */
            readonly name: string;
            readonly t0?: components["schemas"]["Instant"];
        };
        readonly TimelineStep: {
            /** @description identifies the step in `before` */
            readonly key: string;
            /** @description the call, in the format of `GET /stream` */
            readonly call?: {
                readonly [key: string]: unknown;
            };
            /** @description ledger entries, in the format of `GET /stream`: those of the call, or the first 500 of an advance */
            readonly entries: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description simulated time at which the previous step ended */
            readonly from: components["schemas"]["Instant"];
            /** @description number of the first ledger entry; 0 if there is none */
            readonly first: number;
            /** @description number of the last ledger entry */
            readonly last: number;
            /** @description number of timers that fired */
            readonly timers: number;
        };
        /** @description a timer whose steps failed or were rejected; their changes were rolled back, and the timer does not fire again */
        readonly TimerFailure: {
            /** @description id of the object that has the timer */
            readonly object: string;
            /** @description id of the tenant that the object belongs to; absent if it belongs to none */
            readonly tenant?: string;
            readonly collection: string;
            readonly timer: string;
            readonly at: components["schemas"]["Instant"];
            readonly error: {
                readonly code: string;
                readonly message: string;
            };
        };
        readonly Trace: {
            readonly id: string;
            /** @description <collection>.<operation> */
            readonly operation: string | null;
            /** @enum {unknown} */
            readonly outcome: "fault" | "scenario" | "magic_value" | "normal";
            readonly exogenous: readonly {
                readonly field_path: string;
                readonly source: string;
                readonly value: unknown;
            }[];
            readonly request: {
                readonly id: string;
                readonly method: string;
                readonly path: string;
                readonly idempotency_key: string | null;
            };
            readonly status: number;
            readonly error: string | null;
            /** @description the closest call, if no operation has this method and path */
            readonly suggestion?: string;
            readonly fault: string | null;
            readonly scenario: string | null;
            readonly magic_values: readonly string[];
            /** @description overrides ("pins") that were ignored because the pack rejected their values */
            readonly stood_back: readonly {
                readonly pin: string;
                readonly resource: string;
                readonly id: string;
                readonly path: string;
                readonly value: unknown;
            }[];
            /** @description features that the request used, that the vendor documents, but the pack does not emulate */
            readonly unsupported?: readonly {
                readonly kind: string;
                readonly name: string;
            }[];
            readonly replayed: boolean;
            readonly transitions: readonly {
                readonly id: string;
                readonly from: string;
                readonly to: string;
                readonly trigger: string;
            }[];
            readonly events: readonly components["schemas"]["EventName"][];
            readonly deliveries: readonly {
                readonly id: string;
                readonly event: components["schemas"]["EventName"];
                readonly endpoint: string;
                readonly url: string | null;
                readonly status: string;
                readonly attempts: number;
            }[];
            readonly at: components["schemas"]["Instant"];
            readonly duration_ms: number;
            /** @description real time at which the response was sent, in ISO 8601 */
            readonly real_time?: string;
            /** @description number of the last ledger entry when the response was sent */
            readonly entry: number;
            /** @description requested and used version of the vendor's API; only present if they differ */
            readonly version?: {
                readonly asked: string | null;
                readonly answered: string;
            };
        };
        readonly Unsupported: {
            /** @description kind of the unsupported part: parameter, value, header, media_type, qualifier, field, path, method or case */
            readonly kind: string;
            readonly name: string;
            /** @description <collection>.<operation>; null if the request matched no operation */
            readonly operation: string | null;
            /** @description number of requests that used it */
            readonly count: number;
        };
        readonly ValueChange: {
            /** @description number of the ledger entry */
            readonly entry: number;
            readonly at: components["schemas"]["Instant"];
            readonly command: string;
            /** @enum {unknown} */
            readonly origin: "call" | "cause" | "clock" | "seed" | "control" | "outside" | "rule";
            readonly request: string | null;
            readonly trace: string | null;
            readonly args: unknown;
            readonly from: unknown;
            readonly to: unknown;
            readonly transition: {
                readonly from: string | null;
                readonly to: string;
                readonly trigger: string | null;
            } | null;
            /** @description source of the external value; null if the value is not external */
            readonly source: string | null;
        };
        readonly Who: {
            /** @description number of the ledger entry */
            readonly entry: number;
            readonly at: components["schemas"]["Instant"];
            readonly command: string;
            /** @enum {unknown} */
            readonly origin: "call" | "cause" | "clock" | "seed" | "control" | "outside" | "rule";
            readonly request: string | null;
            readonly trace: string | null;
            readonly args: unknown;
        };
        readonly World: {
            readonly id: string;
            readonly name: string;
            /** @description address of the world; null if it is only in the store (`GET /worlds/{id}` starts it) */
            readonly url: string | null;
            /** @description API key; null if only its hash is stored (it is returned when the world is created) */
            readonly key: string | null;
            readonly pack: string;
            /** @description simulated time; null while the world is not started */
            readonly now: components["schemas"]["Instant"] | null;
            /** @description number of the last ledger entry */
            readonly head: number;
            /** @description real time at which the world is deleted; null if it never is */
            readonly expires: string | null;
            /** @description the world that it was forked from; null if it is no fork or is not started */
            readonly from: {
                /** @description id of the original world */
                readonly world: string;
                /** @description number of the last ledger entry that both worlds share */
                readonly entry: number;
            } | null;
            /** @description address and key of each pack, if several share the world */
            readonly vendors?: {
                readonly [key: string]: {
                    readonly url: string;
                    readonly key: string;
                };
            };
        };
        /** @description a running timer of an object */
        readonly WorldTimer: {
            readonly collection: string;
            readonly id: string;
            /** @description id of the tenant that the object belongs to; absent if it belongs to none */
            readonly tenant?: string;
            /** @description name of the duration in the pack */
            readonly timer: string;
            /** @description when it is due: Unix seconds or ISO 8601 */
            readonly due: number | string;
            /** @description the object whose own clock the timer runs on, as in `clocks` of `GET /state`; absent for the world's clock */
            readonly clock?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}

export interface operations {
    readonly about: {
        readonly parameters: {
            readonly query?: {
                /** @description the world as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["About"];
                };
            };
        };
    };
    readonly contract: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly seed: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Seed"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly seeded: {
                            readonly [key: string]: number;
                        };
                    };
                };
            };
        };
    };
    readonly reset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description initial simulated time (default: the initial time of the world) */
                    readonly t0?: components["schemas"]["Instant"];
                    /** @description what to keep: webhook endpoints, overridden durations */
                    readonly keep?: readonly ("endpoints" | "durations")[];
                    /** @description leave the world empty, even if the server was started with a seed file */
                    readonly empty?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly now: components["schemas"]["Instant"];
                    };
                };
            };
        };
    };
    readonly state: {
        readonly parameters: {
            readonly query?: {
                /** @description return only this collection */
                readonly resource?: string;
                /** @description return only the object with this id */
                readonly id?: string;
                /** @description return only objects of this tenant; `none`: objects without a tenant */
                readonly tenant?: string;
                /** @description return only this many of the newest objects of each collection */
                readonly limit?: number;
                /** @description the state as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly now: components["schemas"]["Instant"];
                        readonly resources: {
                            readonly [key: string]: readonly {
                                readonly [key: string]: unknown;
                            }[];
                        };
                        /** @description last states of deleted objects, oldest first; absent if there are none, and with `id` or `limit` */
                        readonly deleted?: {
                            readonly [key: string]: readonly {
                                readonly [key: string]: unknown;
                            }[];
                        };
                        /** @description objects of tenants, by tenant id; absent if there are none */
                        readonly tenants?: {
                            readonly [key: string]: {
                                readonly resources: {
                                    readonly [key: string]: readonly {
                                        readonly [key: string]: unknown;
                                    }[];
                                };
                                readonly deleted?: {
                                    readonly [key: string]: readonly {
                                        readonly [key: string]: unknown;
                                    }[];
                                };
                            };
                        };
                        /** @description running timers, in the order in which they were started; a seed with an empty list starts none */
                        readonly timers: readonly components["schemas"]["WorldTimer"][];
                        /** @description times of objects with their own clock, by object id; `TENANT ID` for objects of a tenant */
                        readonly clocks?: {
                            readonly [key: string]: number | string;
                        };
                    };
                };
            };
        };
    };
    readonly objects: {
        readonly parameters: {
            readonly query: {
                /** @description name of the collection */
                readonly resource: string;
                /** @description return only objects with this text in their id or a value */
                readonly search?: string;
                /** @description return only objects in this state */
                readonly status?: string;
                /** @description return only objects of this tenant; `none`: objects without a tenant */
                readonly tenant?: string;
                /** @description number of objects to skip */
                readonly skip?: number;
                /** @description maximum number of objects (default: 100) */
                readonly limit?: number;
                /** @description names of the fields to return, separated by commas (default: the fields that best distinguish the objects) */
                readonly fields?: string;
                /** @description the objects as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly resource: string;
                        readonly fields: readonly string[];
                        /** @description name of the field whose time `at` has */
                        readonly order: string | null;
                        readonly data: readonly components["schemas"]["ObjectRow"][];
                        readonly total: number;
                    };
                };
            };
        };
    };
    readonly object: {
        readonly parameters: {
            readonly query?: {
                /** @description version of the vendor's API; `shown` then has the object as that version returns it */
                readonly version?: string;
                /** @description id of the object's tenant, if several have an object with this id (default: `none`, the object without a tenant) */
                readonly tenant?: string;
                /** @description the object as of this moment (default: now); possible external events are then omitted */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path: {
                /** @description id of the object */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ObjectView"];
                };
            };
        };
    };
    readonly search: {
        readonly parameters: {
            readonly query: {
                readonly text: string;
                /** @description maximum number of objects, events and calls each (default: 6) */
                readonly limit?: number;
                /** @description the state as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly objects: readonly {
                            readonly id: string;
                            readonly collection: string;
                            /** @description type of the event */
                            readonly type?: string;
                        }[];
                        readonly objects_total: number;
                        readonly events: readonly {
                            readonly id: string;
                            readonly collection: string;
                            /** @description type of the event */
                            readonly type?: string;
                        }[];
                        readonly events_total: number;
                        readonly calls: readonly {
                            readonly trace: string;
                            readonly method: string;
                            readonly path: string;
                            readonly status: number;
                            readonly operation: string | null;
                            readonly at: components["schemas"]["Instant"];
                        }[];
                        readonly calls_total: number;
                        /** @description number of objects and calls that were searched */
                        readonly searched: number;
                    };
                };
            };
        };
    };
    readonly glance: {
        readonly parameters: {
            readonly query: {
                /** @description up to 500 ids, separated by commas */
                readonly ids: string;
                /** @description names of fields, separated by commas; a field that an object lacks is omitted */
                readonly fields: string;
                /** @description the state as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly {
                            readonly id: string;
                            readonly collection: string;
                            readonly status: unknown;
                            readonly fields: {
                                readonly [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
        };
    };
    readonly life: {
        readonly parameters: {
            readonly query?: {
                /** @description the state as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path: {
                /** @description id of the object */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly now: components["schemas"]["Instant"];
                        readonly lanes: readonly {
                            readonly collection: string;
                            readonly title: string;
                            readonly objects: readonly {
                                readonly id: string;
                                readonly spans: readonly {
                                    readonly status: unknown;
                                    readonly from: components["schemas"]["Instant"];
                                    /** @description null if the object still has this status */
                                    readonly until: components["schemas"]["Instant"] | null;
                                    readonly entry: number;
                                    /** @description kind of the change's origin, as in the ledger */
                                    readonly origin: string;
                                    readonly command: string;
                                    readonly trace: string | null;
                                }[];
                            }[];
                        }[];
                        /** @description external events that concern one of the objects */
                        readonly causes: readonly {
                            readonly entry: number;
                            readonly at: components["schemas"]["Instant"];
                            readonly command: string;
                        }[];
                        /** @description vendor events that were emitted when one of the objects changed */
                        readonly events: readonly {
                            readonly entry: number;
                            readonly at: components["schemas"]["Instant"];
                            readonly count: number;
                            readonly types: readonly string[];
                        }[];
                    };
                };
            };
        };
    };
    readonly mailbox: {
        readonly parameters: {
            readonly query?: {
                /** @description return only messages to this address */
                readonly to?: string;
                /** @description return only messages whose subject contains this text */
                readonly subject?: string;
                /** @description return only messages whose subject or text contains this text */
                readonly text?: string;
                /** @description return only messages of this channel, such as `mail` */
                readonly way?: string;
                /** @description maximum number of messages (default: 50) */
                readonly limit?: number;
                /** @description include the contents of attachments */
                readonly contents?: "true";
                /** @description the messages as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Mail"][];
                        readonly total: number;
                        /** @description external events with which people write to the application */
                        readonly writes: readonly string[];
                    };
                };
            };
        };
    };
    readonly mail: {
        readonly parameters: {
            readonly query?: {
                /** @description the messages as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path: {
                /** @description id of the message */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Mail"];
                };
            };
        };
    };
    readonly pack: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PackView"];
                };
            };
        };
    };
    readonly machine: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description name of the collection, with or without `.svg` */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/svg+xml": string;
                };
            };
        };
    };
    readonly stream: {
        readonly parameters: {
            readonly query?: {
                /** @description number of the last ledger entry that the client has; later entries are sent first */
                readonly from?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
        };
    };
    readonly ledger: {
        readonly parameters: {
            readonly query?: {
                /** @description first entry to return */
                readonly from?: components["schemas"]["Moment"];
                /** @description return only entries that change the object with this id */
                readonly object?: string;
                /** @description maximum number of entries (default: 100) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description number of the oldest entry that the ledger reaches back to; 0: the initial world */
                        readonly oldest: number;
                        readonly last: number;
                        readonly data: readonly components["schemas"]["EntrySummary"][];
                        /** @description `from` of the next page; null on the last page */
                        readonly next: number | null;
                    };
                };
            };
        };
    };
    readonly entry: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description number of the entry, or another name of a moment */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Entry"];
                };
            };
        };
    };
    readonly moments: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly {
                            readonly name: string;
                            readonly entry: number;
                        }[];
                    };
                };
            };
        };
    };
    readonly saveMoment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    readonly at?: components["schemas"]["Moment"];
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MomentSaved"];
                };
            };
        };
    };
    readonly deleteMoment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description name of the saved moment */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly name: string;
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
        };
    };
    readonly rewind: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly to: components["schemas"]["Moment"];
                };
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description number of the entry to which the world was rewound */
                        readonly to: number;
                        /** @description number of the entry that records the rewind */
                        readonly entry: number;
                        readonly now: components["schemas"]["Instant"];
                    };
                };
            };
        };
    };
    readonly timeline: {
        readonly parameters: {
            readonly query?: {
                /** @description words that must all occur in ids, paths, events, statuses (`status:402`) or errors */
                readonly search?: string;
                /** @description return only calls, failed calls, clock advances, external events, or everything else (`control`) */
                readonly kind?: "call" | "failed" | "clock" | "cause" | "control";
                /** @description `key` of a step or number of a ledger entry; the page ends before it */
                readonly before?: string;
                /** @description the history as of this moment (default: now) */
                readonly at?: components["schemas"]["Moment"];
                /** @description maximum number of steps (default: 200) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["TimelineStep"][];
                        /** @description number of matching steps before this page */
                        readonly earlier: number;
                        /** @description number of matching steps */
                        readonly total: number;
                        /** @description number of steps that were searched */
                        readonly of: number;
                    };
                };
            };
        };
    };
    readonly marks: {
        readonly parameters: {
            readonly query?: {
                /** @description approximate number of marks (default: 320) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly oldest: number;
                        readonly last: number;
                        readonly data: readonly components["schemas"]["Mark"][];
                    };
                };
            };
        };
    };
    readonly diff: {
        readonly parameters: {
            readonly query: {
                /** @description the earlier moment; <world>@<moment> selects another world of the server, <world>@ its present */
                readonly from: components["schemas"]["Moment"];
                /** @description the later moment, also of another world (default: now) */
                readonly to?: components["schemas"]["Moment"];
                /** @description maximum number of objects (default: 1,000) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly from: {
                            /** @description id of the world, if the request named one */
                            readonly world?: string;
                            readonly entry: number;
                            readonly now: components["schemas"]["Instant"];
                        };
                        readonly to: {
                            /** @description id of the world, if the request named one */
                            readonly world?: string;
                            readonly entry: number;
                            readonly now: components["schemas"]["Instant"];
                        };
                        readonly objects: readonly components["schemas"]["ObjectDiff"][];
                        readonly objects_total: number;
                        /** @description the ledger entries that `by` refers to */
                        readonly entries: readonly components["schemas"]["Who"][];
                        /** @description when comparing two worlds: the ledger entries that `from_by` refers to */
                        readonly from_entries?: readonly components["schemas"]["Who"][];
                    };
                };
            };
        };
    };
    readonly judge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description moment after which changes and calls count (default: the beginning) */
                    readonly since?: components["schemas"]["Moment"];
                    readonly checks: readonly components["schemas"]["Check"][];
                    /** @description variables for expressions: values by name */
                    readonly names?: {
                        readonly [key: string]: unknown;
                    };
                    /** @description numbers of ledger entries that the test itself made; `unchanged` ignores them */
                    readonly outside?: readonly number[];
                };
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description true if all checks pass */
                        readonly pass: boolean;
                        /** @description weight of the passed checks divided by the weight of all checks, 0 to 1 */
                        readonly score: number;
                        readonly results: readonly {
                            readonly kind: string;
                            readonly holds: boolean;
                            readonly weight: number;
                            /** @description what was found, in words */
                            readonly found: string;
                        }[];
                    };
                };
            };
        };
    };
    readonly run: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description the body of `POST /run`; null if there was none */
                        readonly run: {
                            readonly [key: string]: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    readonly setRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description name of the task */
                    readonly task: string;
                    readonly agent: string;
                    /** @description number of the run of the task */
                    readonly run: number;
                    readonly prompt: string;
                    /** @description number of the last ledger entry before the agent began */
                    readonly since: number;
                    readonly reward: number;
                    readonly pass: boolean;
                    /** @description why the run was stopped before the agent finished */
                    readonly stopped?: string;
                    /** @description result of each check, with `about`, `kind`, `holds`, `weight` and `found` */
                    readonly checks: readonly {
                        readonly [key: string]: unknown;
                    }[];
                    /** @description each call, with `operation`, `tool`, `status`, `trace` and `outside` */
                    readonly calls: readonly {
                        readonly [key: string]: unknown;
                    }[];
                };
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly run: {
                            readonly [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    readonly why: {
        readonly parameters: {
            readonly query: {
                /** @description id of the object */
                readonly object: string;
                /** @description path of the field, such as `status` or `address.city` */
                readonly field: string;
                /** @description id of the object's tenant, if several have an object with this id (default: `none`, the object without a tenant) */
                readonly tenant?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collection: string;
                        readonly object: string;
                        /** @description id of the tenant that the object belongs to; absent if it belongs to none */
                        readonly tenant?: string;
                        readonly field: string;
                        readonly value: unknown;
                        /** @description the ledger entry that wrote the value, followed by its causes */
                        readonly chain: readonly components["schemas"]["CauseLink"][];
                        /** @description earlier changes of the field, newest first */
                        readonly earlier: readonly components["schemas"]["ValueChange"][];
                    };
                };
            };
        };
    };
    readonly unsupported: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Unsupported"][];
                    };
                };
            };
        };
    };
    readonly coverage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly states: components["schemas"]["Covered"];
                        readonly transitions: components["schemas"]["Covered"];
                        readonly events: components["schemas"]["Covered"];
                        readonly errors: components["schemas"]["Covered"];
                        readonly causes: components["schemas"]["Covered"];
                        readonly magic_values: components["schemas"]["Covered"];
                        readonly scenarios: components["schemas"]["Covered"];
                    };
                };
            };
        };
    };
    readonly exportWorld: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly format: number;
                        /** @description name of the pack, hash of its files, its variables, the random seed, and t0 */
                        readonly header: {
                            readonly [key: string]: unknown;
                        };
                        /** @description addresses at which the packs were served */
                        readonly addresses: readonly string[];
                        /** @description the state before the first step; null: an empty world */
                        readonly begins: {
                            readonly [key: string]: unknown;
                        } | null;
                        /** @description what receivers of webhooks returned, by delivery */
                        readonly receivers: {
                            readonly [key: string]: unknown;
                        };
                        /** @description large files: contents of some, hashes and sizes of the others */
                        readonly files?: {
                            readonly [key: string]: unknown;
                        };
                        readonly steps: readonly ({
                            /** @enum {unknown} */
                            readonly kind: "call" | "control" | "cause" | "clock" | "rewind" | "moment" | "flush" | "resend" | "entry";
                            /** @description number of the last ledger entry of the step */
                            readonly last: number;
                            /** @description digest of the step's ledger entries */
                            readonly digest: string;
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                    };
                };
            };
        };
    };
    readonly faults: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Fault"][];
                    };
                };
            };
        };
    };
    readonly armFault: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FaultOrder"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Fault"];
                };
            };
        };
    };
    readonly clearFaults: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly cleared: number;
                    };
                };
            };
        };
    };
    readonly clearFault: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id of the fault */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: string;
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
        };
    };
    readonly fireCause: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly cause: string;
                    /** @description parameters of the event; may also be given at the top level */
                    readonly params?: {
                        readonly [key: string]: unknown;
                    };
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly cause: string;
                        /** @description vendor events that were emitted, in order */
                        readonly events: readonly {
                            readonly [key: string]: unknown;
                        }[];
                        /** @description ids of the objects that changed */
                        readonly changed: readonly string[];
                    };
                };
            };
        };
    };
    readonly possibleCauses: {
        readonly parameters: {
            readonly query?: {
                /** @description return only this external event */
                readonly cause?: string;
                /** @description return only events that concern the object with this id */
                readonly id?: string;
                /** @description maximum number of events (default: 1,000) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly causes: readonly {
                            readonly cause: string;
                            /** @description parameters that identify the object */
                            readonly params: {
                                readonly [key: string]: unknown;
                            };
                            /** @description further parameters that the event requires */
                            readonly also_needs?: readonly string[];
                            readonly description: string;
                        }[];
                    };
                };
            };
        };
    };
    readonly clock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
                };
            };
        };
    };
    readonly advance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description how far to advance, in simulated time; units ms, s, m, h, d, w can be combined
                     * @example 60s
                     * @example 32d
                     * @example 1d12h
                     */
                    readonly duration: string;
                    /** @description give the application time to react: after each moment with events, the clock waits until their deliveries have been responded to; with `quiet`, also until no request has arrived for this long in real time */
                    readonly pace?: components["schemas"]["Pace"];
                    /** @description id of an object with its own clock; only that clock advances */
                    readonly of?: string;
                } | {
                    readonly to: components["schemas"]["Instant"];
                    /** @description give the application time to react: after each moment with events, the clock waits until their deliveries have been responded to; with `quiet`, also until no request has arrived for this long in real time */
                    readonly pace?: components["schemas"]["Pace"];
                    /** @description id of an object with its own clock; only that clock advances */
                    readonly of?: string;
                } | {
                    /** @description advance until this event is emitted, then stop */
                    readonly until: {
                        readonly event: string;
                        /** @description id of an object that the event must concern */
                        readonly object?: string;
                    };
                    /**
                     * @description limit of an advance with `until` (default: 365d)
                     * @example 60d
                     */
                    readonly at_most?: string;
                    /** @description give the application time to react: after each moment with events, the clock waits until their deliveries have been responded to; with `quiet`, also until no request has arrived for this long in real time */
                    readonly pace?: components["schemas"]["Pace"];
                    /** @description id of an object with its own clock; only that clock advances */
                    readonly of?: string;
                };
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly now: components["schemas"]["Instant"];
                        /** @description number of timers that fired */
                        readonly fired: number;
                        /** @description vendor events that were emitted, in order; at most 10,000 */
                        readonly events: readonly {
                            readonly [key: string]: unknown;
                        }[];
                        readonly events_total: number;
                        /** @description timers that failed, at most 1,000; absent if there are none */
                        readonly failed?: readonly components["schemas"]["TimerFailure"][];
                        readonly failed_total?: number;
                    };
                };
            };
        };
    };
    readonly timers: {
        readonly parameters: {
            readonly query?: {
                /** @description maximum number of timers (default: 100) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly now: components["schemas"]["Instant"];
                        readonly data: readonly components["schemas"]["DueTimer"][];
                        readonly total: number;
                    };
                };
            };
        };
    };
    readonly durations: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Durations"];
                };
            };
        };
    };
    readonly overrideDurations: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly durations: {
                        readonly [key: string]: string | null;
                    };
                };
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Durations"];
                };
            };
        };
    };
    readonly endpoints: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Endpoint"][];
                    };
                };
            };
        };
    };
    readonly registerEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** Format: uri */
                    readonly url: string;
                    /**
                     * @description names or patterns of the events to send (default: all)
                     * @default [
                     *       "*"
                     *     ]
                     */
                    readonly events?: readonly string[];
                    /** @description description of the endpoint, for people */
                    readonly description?: string;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Endpoint"];
                };
            };
        };
    };
    readonly removeEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id of the endpoint */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: string;
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
        };
    };
    readonly deliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description return only deliveries to the endpoint with this id */
                readonly endpoint?: string;
                /** @description return only deliveries of the event with this id, or of events of this type */
                readonly event?: string;
                /** @description maximum number of deliveries (default: 100) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Delivery"][];
                    };
                };
            };
        };
    };
    readonly replay: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id of the delivery */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    readonly flush: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description false if attempts are still in flight after 30 seconds */
                        readonly flushed: boolean;
                        /** @description number of attempts in flight; absent if there are none */
                        readonly under_way?: number;
                    };
                };
            };
        };
    };
    readonly deliveryFaults: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["DeliveryFault"][];
                    };
                };
            };
        };
    };
    readonly armDeliveryFault: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DeliveryFaultOrder"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryFault"];
                };
            };
        };
    };
    readonly clearDeliveryFaults: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly cleared: number;
                    };
                };
            };
        };
    };
    readonly clearDeliveryFault: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id of the delivery fault */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: string;
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
        };
    };
    readonly pins: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Pin"][];
                    };
                };
            };
        };
    };
    readonly pin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PinOrder"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Pin"];
                };
            };
        };
    };
    readonly unpin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id of the pin */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: string;
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
        };
    };
    readonly trace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id of the trace, from the response header `X-Mock-Resolution-Trace` */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Trace"];
                };
            };
        };
    };
    readonly exchange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id of the trace, from the response header `X-Mock-Resolution-Trace` */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Exchange"];
                };
            };
        };
    };
    readonly traces: {
        readonly parameters: {
            readonly query?: {
                /** @description return only traces of this operation, as <collection>.<operation> */
                readonly operation?: string;
                /** @description maximum number of traces (default: 100) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Trace"][];
                    };
                };
            };
        };
    };
    readonly listWorlds: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["World"][];
                    };
                };
            };
        };
    };
    readonly createWorld: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                    /** @description name of a pack that the server serves */
                    readonly pack?: string;
                    /** @description random seed (default: a new one) */
                    readonly seed?: string;
                    readonly t0?: components["schemas"]["Instant"];
                    /** @description real time after which the world is deleted, such as 30m, 24h or 7d */
                    readonly expires?: string;
                    /** @description number of worlds to create, without `name`; the response is then a list */
                    readonly count?: number;
                    /** @description fork a world; then without `pack`, `seed` and `t0` */
                    readonly from?: {
                        /** @description id or name of the world to fork (default: the server's first world) */
                        readonly world?: string;
                        readonly at?: components["schemas"]["Moment"];
                        /** @description whether the next calls generate the same ids as in the original world */
                        readonly same_ids?: boolean;
                        /** @description whether to deliver the fork's events, including deliveries that were pending at the moment of the fork */
                        readonly send_webhooks?: boolean;
                    };
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["World"] | {
                        readonly data: readonly components["schemas"]["World"][];
                    };
                };
            };
        };
    };
    readonly getWorld: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id or name of the world */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["World"];
                };
            };
        };
    };
    readonly deleteWorld: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description id or name of the world */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: string;
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
        };
    };
}
