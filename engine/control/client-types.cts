// Written by `npm run types:pack` from the table of the control API (engine/control/routes); a test compares. Change the table, not this file.

/* What goes into each call of the control API and what comes out when it goes well; all else is a ControlError. */

export interface components {
    schemas: {
        readonly About: {
            /** @description version of this contract */
            readonly contract: string;
            readonly pack: {
                readonly name: string;
                readonly title: string;
                readonly version: string;
                readonly faithful_to: string;
                /** @description names of the machines that serve the vendor's API; left out when the pack names none */
                readonly hosts?: readonly string[];
            };
            readonly world: {
                readonly now: components["schemas"]["Instant"];
                /** @enum {unknown} */
                readonly clock: "frozen" | "realtime";
                readonly seed: string;
                /** @description how many of each collection */
                readonly objects: {
                    readonly [key: string]: number;
                };
            };
            /** @description how often calls asked for something that the pack does not emulate, by kind; `GET /unsupported` lists it */
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
            /** @description source of an external value */
            readonly source?: string | null;
        };
        readonly Check: {
            /** @description {<collection>: {<path>: <value or predicates>}, count?, to?, from?, same?}; predicates: eq, ne, in, not_in, contains, not_contains, i_contains, starts_with, ends_with, i_starts_with, i_ends_with, regex, i_regex, gt, gte, lt, lte, exists, has_any, has_all */
            readonly added?: {
                readonly [key: string]: unknown;
            };
            /** @description {<collection>: {<path>: <value or predicates>}, count?, to?, from?, same?}; predicates: eq, ne, in, not_in, contains, not_contains, i_contains, starts_with, ends_with, i_starts_with, i_ends_with, regex, i_regex, gt, gte, lt, lte, exists, has_any, has_all */
            readonly changed?: {
                readonly [key: string]: unknown;
            };
            /** @description {<collection>: {<path>: <value or predicates>}, count?, to?, from?, same?}; predicates: eq, ne, in, not_in, contains, not_contains, i_contains, starts_with, ends_with, i_starts_with, i_ends_with, regex, i_regex, gt, gte, lt, lte, exists, has_any, has_all */
            readonly removed?: {
                readonly [key: string]: unknown;
            };
            /** @description an expression of the pack over what is there now */
            readonly final?: string;
            /** @description in a company: the pack whose expression `final` is; other names begin with it: `NAME/...` */
            readonly vendor?: string;
            readonly calls?: {
                /** @description operations that are not called: <collection>.<operation> */
                readonly never?: readonly string[];
                /** @description only of this operation */
                readonly operation?: string;
                readonly min?: number;
                readonly max?: number;
                /** @description operations that are called one after another, others between them */
                readonly order?: readonly string[];
                /** @description calls that the pack has no operation for */
                readonly unsupported?: unknown;
            };
            readonly delivered?: {
                readonly event: string;
                readonly min?: number;
                readonly max?: number;
            };
            /** @description true, or {allow: [<collection>]}: nothing else changed than what checks expect */
            readonly unchanged?: unknown;
            /** @description its share of the score (default: 1) */
            readonly weight?: number;
            /** @description what it is, for readers */
            readonly about?: unknown;
        };
        readonly Clock: {
            readonly now: components["schemas"]["Instant"];
            readonly t0: components["schemas"]["Instant"];
            /** @enum {unknown} */
            readonly mode: "frozen" | "realtime";
            readonly timers: number;
            /** @description timers that failed since the world was last emptied, newest last; the newest 1,000 */
            readonly failed: readonly components["schemas"]["TimerFailure"][];
            readonly next_due: components["schemas"]["Instant"] | null;
            /** @description objects with their own clock; absent when there are none */
            readonly clocks?: readonly {
                readonly id: string;
                /** @description its tenant; absent for an object without one */
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
            /** @description id of the fault that struck it; absent when none did */
            readonly fault?: string;
        };
        readonly DeliveryFault: {
            readonly id: string;
            readonly kind: string;
            readonly event: string;
            readonly endpoint: string | null;
            /** @description events it still strikes; null: until cleared */
            readonly remaining: number | null;
            readonly delay?: string;
            readonly times?: number;
            readonly after?: number;
            readonly probability?: number;
            /** @description matching events so far */
            readonly seen?: number;
        };
        readonly DeliveryFaultOrder: {
            /**
             * @description send it more than once; let later ones overtake it; never send it; send it late; send it when this is cleared
             * @enum {unknown}
             */
            readonly kind: "duplicate" | "reorder" | "drop" | "delay" | "hold";
            /** @description name of events, or a pattern (default: every event) */
            readonly event?: string;
            /** @description id: only deliveries to this one */
            readonly endpoint?: string;
            /** @description how many events (default: until cleared) */
            readonly count?: number;
            /**
             * @description of a delay, or of the copies: simulated time
             * @example 5m
             * @example 2d
             */
            readonly delay?: string;
            /** @description how many copies, or how many later ones overtake it (default: 1) */
            readonly times?: number;
            /** @description number of matching events that pass first */
            readonly after?: number;
            /** @description chance of each later one, drawn from the world's seed (default: 1) */
            readonly probability?: number;
        };
        readonly DueTimer: {
            readonly collection: string;
            readonly id: string;
            /** @description its tenant; absent for an object without one */
            readonly tenant?: string;
            /** @description the wait's name in the pack */
            readonly timer: string;
            readonly due: components["schemas"]["Instant"];
            /** @description milliseconds of simulated time from now, in the time of its clock */
            readonly in_ms: number;
            /** @description the object with its own clock, as in `clocks` of the state; absent for the clock of the world */
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
            /** @description signs deliveries; the same after a restart */
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
            /** @description where the random streams stand then */
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
                /** @description its tenant; absent for an object without one */
                readonly tenant?: string;
            }[];
        };
        readonly Error: {
            readonly error: {
                readonly code: string;
                readonly message: string;
                /** @description what is wrong */
                readonly path?: string;
                /** @description what was probably meant */
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
            /** @description calls it still fires for; null: until cleared */
            readonly remaining: number | null;
            readonly match: {
                readonly [key: string]: unknown;
            } | null;
            readonly delay_ms: number;
            /** @description the longest delay, if each call draws one from `delay_ms` on */
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
            /** @description matching calls so far */
            readonly seen?: number;
        };
        readonly FaultOrder: {
            /** @description collection (default: `*`, all of them) */
            readonly resource?: string;
            /** @description operation (default: `*`, all of them) */
            readonly operation?: string;
            /**
             * @description return an error; only wait; cut the connection before, or after the call took effect; change the response of a call that took effect
             * @default error
             * @enum {unknown}
             */
            readonly kind?: "error" | "delay" | "reset" | "lost_response" | "response";
            /** @description needed by an error; below 400 only with a body, or of a response */
            readonly status?: number;
            /** @description code, type, message and other members of the vendor's envelope */
            readonly error?: {
                readonly [key: string]: unknown;
            };
            /** @description how many calls (default: until cleared) */
            readonly count?: number;
            /** @description parameters that a call must carry */
            readonly match?: {
                readonly [key: string]: unknown;
            };
            /** @description wait before the response, in real time; `{min, max}`: a time drawn for each call */
            readonly delay_ms?: number | {
                readonly min: number;
                readonly max: number;
            };
            /** @description headers of the response, such as Retry-After */
            readonly headers?: {
                readonly [key: string]: unknown;
            };
            /** @description replaces the body */
            readonly body?: string;
            /** @description the connection closes after this many bytes of the body */
            readonly truncate_at?: number;
            /** @description real time that the body takes to arrive, in pieces */
            readonly drip_ms?: number;
            /** @description the connection closes, or `error_event` is sent, after this many events of a stream */
            readonly after_events?: number;
            /** @description error at the end of a stream, such as {"message":...}; the pack decides what its event looks like */
            readonly error_event?: {
                readonly [key: string]: unknown;
            };
            /** @description number of matching calls that pass first */
            readonly after?: number;
            /** @description chance of each later one, drawn from the world's seed (default: 1) */
            readonly probability?: number;
        };
        /** @description simulated time: ISO 8601 or Unix seconds; responses use what the pack uses */
        readonly Instant: string | number;
        readonly Mail: {
            readonly id: string;
            readonly collection: string;
            /** @description how it was sent: `mail`, `text`, ... */
            readonly way: string;
            readonly from: string | null;
            readonly to: readonly string[];
            readonly subject: string | null;
            readonly text: string | null;
            readonly html: string | null;
            /** @description when it was sent, as the pack writes times */
            readonly at: unknown;
            /** @description addresses in its texts, in order */
            readonly links: readonly string[];
            /** @description one-time codes in its texts */
            readonly codes: readonly string[];
            readonly attachments: readonly components["schemas"]["MailAttachment"][];
            /** @description as it is written, with its headers; only of one message */
            readonly source?: string;
            /** @description the external event by which people reply, with the parameters that follow from the message */
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
            /** @description bytes */
            readonly size: number;
            /** @description by which its HTML names it, after `cid:` */
            readonly content_id?: string;
            /** @description the file in base64; only with `contents` */
            readonly content?: string;
        };
        readonly Mark: {
            /** @description number of the ledger entry that led to this state */
            readonly entry: number;
            /** @enum {unknown} */
            readonly kind: "call" | "clock" | "cause" | "control";
            readonly title: string;
            /** @description when it began */
            readonly from: components["schemas"]["Instant"];
            readonly at: components["schemas"]["Instant"];
            /** @description how many things of the same kind are one mark */
            readonly count: number;
            /** @description the call got an error */
            readonly failed: boolean;
            readonly trace: string | null;
            /** @description moments inside an advance of the clock */
            readonly points: readonly {
                readonly entry: number;
                readonly at: components["schemas"]["Instant"];
                readonly events: readonly string[];
            }[];
        };
        readonly Message: {
            /** @description names in lower case; keys are hidden */
            readonly headers: {
                readonly [key: string]: string;
            };
            /** @description null: it was larger than 64 KiB */
            readonly body: string | null;
            readonly bytes: number;
        };
        /** @description number of a ledger entry, instant (ISO 8601 or Unix seconds of at least 9 digits), id of a request or trace, name of a saved moment, or `now` */
        readonly Moment: string | number;
        readonly MomentSaved: {
            readonly name: string;
            readonly entry: number;
            readonly now: components["schemas"]["Instant"];
        };
        readonly ObjectDiff: {
            readonly collection: string;
            readonly id: string;
            /** @description its tenant; absent for an object without one */
            readonly tenant?: string;
            /** @enum {unknown} */
            readonly change: "created" | "changed" | "deleted";
            /** @description the last entry that made it so; null: the ledger does not hold it any more */
            readonly by: number | null;
            /** @description of two worlds: the last entry of the other one that made it what it is there */
            readonly from_by?: number | null;
            /** @description of an object that was created or deleted */
            readonly value: unknown;
            readonly fields: readonly {
                /** @description its path */
                readonly field: string;
                readonly from: unknown;
                readonly to: unknown;
                /** @description the last entry that made it so; null: the ledger does not hold it any more */
                readonly by: number | null;
                /** @description of two worlds: the last entry of the other one that made it what it is there */
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
            /** @description its tenant; absent for an object without one */
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
            /** @description its tenant; absent for an object without one */
            readonly tenant?: string;
            /** @description further tenants that have an object with this id; null: no tenant */
            readonly also_of?: readonly (string | null)[];
            readonly deleted: boolean;
            readonly status: unknown;
            /** @description the field that the machine moves */
            readonly status_field: string | null;
            readonly value: {
                readonly [key: string]: unknown;
            };
            /** @description as the version of the vendor's API shows it that was asked for; only then */
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
                /** @description the parameters that name the object */
                readonly params: {
                    readonly [key: string]: unknown;
                };
                /** @description parameters that you must add */
                readonly also_needs?: readonly string[];
                readonly description: string;
            }[];
            readonly names: readonly {
                readonly path: string;
                readonly collection: string;
                readonly id: string;
                /** @description its tenant; absent for an object without one */
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
            /** @description versions of the vendor's API, oldest first; null when any is taken */
            readonly versions?: {
                /** @description the version that a call without one is served in */
                readonly current: string;
                readonly all: readonly {
                    readonly name: string;
                    /** @description titles of what changed in it */
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
            /** @description seed data that comes with the pack */
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
            /** @description collection */
            readonly resource: string;
            /** @description null: every object of the collection */
            readonly object: string | null;
            /** @description only objects of this tenant; `none`: objects without a tenant; absent: all objects */
            readonly tenant?: string;
            /** @description only objects that name the object with this id */
            readonly of?: string;
            readonly path: string;
            readonly value: unknown;
            readonly once: boolean;
        };
        readonly PinOrder: {
            /** @description a collection, a resource's name, or one object's id; may be left out when the path begins with a resource's name */
            readonly resource?: string;
            /** @description one object (default: every object of the collection) */
            readonly id?: string;
            /** @description only objects of this tenant; `none`: objects without a tenant (default: all objects) */
            readonly tenant?: string;
            /** @description what is pinned; may begin with a resource's name */
            readonly path?: string;
            /** @description needed with path */
            readonly value?: unknown;
            /** @description which way a lifecycle goes: replaces path and value */
            readonly branch?: string;
        };
        readonly Seed: {
            /** @description collection */
            readonly resource: string;
            readonly objects: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description what the account is that the key belongs to; all else has its defaults */
            readonly account?: {
                readonly [key: string]: unknown;
            };
            /** @description last states of deleted objects by collection, as the state shows them */
            readonly deleted?: {
                readonly [key: string]: readonly {
                    readonly [key: string]: unknown;
                }[];
            };
            /** @description what tenants have, by their ids: `resources`, and `deleted` perhaps */
            readonly tenants?: {
                readonly [key: string]: {
                    readonly [key: string]: unknown;
                };
            };
            /** @description the timers of the objects, instead of timers computed from their times */
            readonly timers?: readonly components["schemas"]["WorldTimer"][];
            /** @description objects with their own clock, and its time, as the state shows it */
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
            /** @description what the account is that the key belongs to; all else has its defaults */
            readonly account?: {
                readonly [key: string]: unknown;
            };
            /** @description last states of deleted objects by collection, as the state shows them */
            readonly deleted?: {
                readonly [key: string]: readonly {
                    readonly [key: string]: unknown;
                }[];
            };
            /** @description what tenants have, by their ids: `resources`, and `deleted` perhaps */
            readonly tenants?: {
                readonly [key: string]: {
                    readonly [key: string]: unknown;
                };
            };
            /** @description the timers of the objects, instead of timers computed from their times */
            readonly timers?: readonly components["schemas"]["WorldTimer"][];
            /** @description objects with their own clock, and its time, as the state shows it */
            readonly clocks?: {
                readonly [key: string]: number | string;
            };
            readonly t0?: components["schemas"]["Instant"];
            readonly now?: components["schemas"]["Instant"];
        } | {
            /** @description what the account is that the key belongs to; all else has its defaults */
            readonly account: {
                readonly [key: string]: unknown;
            };
            readonly t0?: components["schemas"]["Instant"];
        } | {
            /** @description of seed data that comes with the pack */
            readonly name: string;
            readonly t0?: components["schemas"]["Instant"];
        };
        readonly TimelineStep: {
            /** @description names it in `before` */
            readonly key: string;
            /** @description a call, as `GET /stream` sends it */
            readonly call?: {
                readonly [key: string]: unknown;
            };
            /** @description entries of the ledger, as `GET /stream` sends them: of a call its own, of an advance the first 500 */
            readonly entries: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description when the step before it ended */
            readonly from: components["schemas"]["Instant"];
            /** @description number of the first entry; 0: none */
            readonly first: number;
            /** @description number of the last entry */
            readonly last: number;
            /** @description timers that fired */
            readonly timers: number;
        };
        /** @description a timer with steps that failed or were rejected: their changes were undone, and the timer doesn't fire again */
        readonly TimerFailure: {
            /** @description id of the timer's object */
            readonly object: string;
            /** @description its tenant; absent for an object without one */
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
            /** @description the call that was probably meant, when there is none of this method and path */
            readonly suggestion?: string;
            readonly fault: string | null;
            readonly scenario: string | null;
            readonly magic_values: readonly string[];
            /** @description pins with values that the pack rejected here */
            readonly stood_back: readonly {
                readonly pin: string;
                readonly resource: string;
                readonly id: string;
                readonly path: string;
                readonly value: unknown;
            }[];
            /** @description what the call asked for that the vendor documents and the pack does not emulate */
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
            /** @description when the call got its response, in real time, ISO 8601 */
            readonly real_time?: string;
            /** @description number of the last ledger entry when the call got its response */
            readonly entry: number;
            /** @description only of a call that was served in another version of the vendor's API than it asked for */
            readonly version?: {
                readonly asked: string | null;
                readonly answered: string;
            };
        };
        readonly Unsupported: {
            /** @description parameter, value, header, media_type, qualifier, field, path, method or case */
            readonly kind: string;
            readonly name: string;
            /** @description <collection>.<operation>; null: none was reached */
            readonly operation: string | null;
            /** @description how many calls asked for it */
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
            /** @description source of an external value */
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
            /** @description null: it is in the store; GET /worlds/{id} starts it */
            readonly url: string | null;
            /** @description null: only its hash is stored; it was returned when the world was created */
            readonly key: string | null;
            readonly pack: string;
            /** @description simulated time; null while it has no address */
            readonly now: components["schemas"]["Instant"] | null;
            /** @description number of its last ledger entry */
            readonly head: number;
            /** @description real time until it is deleted */
            readonly expires: string | null;
            /** @description what it branched off from; null: it is no fork, or it is not started */
            readonly from: {
                /** @description id of the world */
                readonly world: string;
                /** @description number of the last ledger entry that both have */
                readonly entry: number;
            } | null;
            /** @description address and key of each pack, where several share the world */
            readonly vendors?: {
                readonly [key: string]: {
                    readonly url: string;
                    readonly key: string;
                };
            };
        };
        /** @description a wait of an object's status */
        readonly WorldTimer: {
            readonly collection: string;
            readonly id: string;
            /** @description its tenant; absent for an object without one */
            readonly tenant?: string;
            /** @description the delay, as the pack names it */
            readonly timer: string;
            /** @description when it is over: Unix seconds or ISO 8601 */
            readonly due: number | string;
            /** @description the object with its own clock, as in `clocks` of the state; absent for the clock of the world */
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
                /** @description the world as it was at this moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
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
            /** @description done */
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
                    /** @description where the clock starts (default: where the world began) */
                    readonly t0?: components["schemas"]["Instant"];
                    /** @description what stays: webhook endpoints, changed durations */
                    readonly keep?: readonly ("endpoints" | "durations")[];
                    /** @description leave the world empty, also when the server was started with a seed file */
                    readonly empty?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description done */
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
                /** @description only this collection */
                readonly resource?: string;
                /** @description only the object with this id */
                readonly id?: string;
                /** @description only what this tenant has; `none`: what no tenant has */
                readonly tenant?: string;
                /** @description number of the newest objects of each collection */
                readonly limit?: number;
                /** @description the world at an earlier moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                        /** @description last states of deleted objects, oldest first; left out when there are none, with `id` and with `limit` */
                        readonly deleted?: {
                            readonly [key: string]: readonly {
                                readonly [key: string]: unknown;
                            }[];
                        };
                        /** @description what tenants have, by their ids; left out when there are none */
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
                        /** @description timers that run, in the order of their start; a seed with an empty list starts none */
                        readonly timers: readonly components["schemas"]["WorldTimer"][];
                        /** @description times of objects with their own clock, by id; `TENANT ID` for objects of a tenant */
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
                /** @description a collection */
                readonly resource: string;
                /** @description a text in the id or in a value */
                readonly search?: string;
                /** @description only objects in this state */
                readonly status?: string;
                /** @description only objects of this tenant; `none`: objects without a tenant */
                readonly tenant?: string;
                /** @description number of objects to skip */
                readonly skip?: number;
                /** @description number of objects (default: 100) */
                readonly limit?: number;
                /** @description names of fields, separated by commas (default: fields with different values) */
                readonly fields?: string;
                /** @description as they were at this moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly resource: string;
                        readonly fields: readonly string[];
                        /** @description the field that `at` names */
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
                /** @description a version of the vendor's API: the response also says how it shows the object */
                readonly version?: string;
                /** @description its tenant, where several have an object with this id (default: `none`, the object without a tenant) */
                readonly tenant?: string;
                /** @description as it was at this moment, when nothing is known of what comes next */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path: {
                /** @description id of an object */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                /** @description how many of each (default: 6) */
                readonly limit?: number;
                /** @description as it was at this moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly objects: readonly {
                            readonly id: string;
                            readonly collection: string;
                            /** @description of an event */
                            readonly type?: string;
                        }[];
                        readonly objects_total: number;
                        readonly events: readonly {
                            readonly id: string;
                            readonly collection: string;
                            /** @description of an event */
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
                        /** @description objects and calls that were looked through */
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
                /** @description names of fields, separated by commas; objects without a field skip it */
                readonly fields: string;
                /** @description as it was at this moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                /** @description as it was at this moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path: {
                /** @description id of an object */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                                    /** @description null: it still is so */
                                    readonly until: components["schemas"]["Instant"] | null;
                                    readonly entry: number;
                                    /** @description what set it off, as in the ledger */
                                    readonly origin: string;
                                    readonly command: string;
                                    readonly trace: string | null;
                                }[];
                            }[];
                        }[];
                        /** @description external events that were about one of the objects */
                        readonly causes: readonly {
                            readonly entry: number;
                            readonly at: components["schemas"]["Instant"];
                            readonly command: string;
                        }[];
                        /** @description events that were emitted when one of the objects changed */
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
                /** @description only those to this address */
                readonly to?: string;
                /** @description only those whose subject has this text */
                readonly subject?: string;
                /** @description only those whose subject or text has this text */
                readonly text?: string;
                /** @description only those that were sent so, such as `mail` */
                readonly way?: string;
                /** @description how many (default: 50) */
                readonly limit?: number;
                /** @description attachments with their contents */
                readonly contents?: "true";
                /** @description the messages at an earlier moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["Mail"][];
                        readonly total: number;
                        /** @description external events by which people write to the application */
                        readonly writes: readonly string[];
                    };
                };
            };
        };
    };
    readonly mail: {
        readonly parameters: {
            readonly query?: {
                /** @description the messages at an earlier moment */
                readonly at?: components["schemas"]["Moment"];
            };
            readonly header?: never;
            readonly path: {
                /** @description id of a message */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
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
                /** @description a collection, with or without .svg */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                /** @description number of the last ledger entry that is known: what came since is sent first */
                readonly from?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                /** @description the first entry that is wanted */
                readonly from?: components["schemas"]["Moment"];
                /** @description only entries that change the object with this id */
                readonly object?: string;
                /** @description number of them (default: 100) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description the first moment that is known; 0: the world before all entries */
                        readonly oldest: number;
                        readonly last: number;
                        readonly data: readonly components["schemas"]["EntrySummary"][];
                        /** @description `from` of the next page */
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
                /** @description number of the entry, or what else names a moment */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
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
            /** @description made */
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
                /** @description its name */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description the entry of the moment */
                        readonly to: number;
                        /** @description the entry that the way back made */
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
                /** @description words that all occur: of ids, paths, events, statuses (`status:402`), errors */
                readonly search?: string;
                /** @description only these: calls, failed calls, clock advances, external events, everything else */
                readonly kind?: "call" | "failed" | "clock" | "cause" | "control";
                /** @description `key` of a step, or number of an entry: the page ends before it */
                readonly before?: string;
                /** @description only what had happened at this moment */
                readonly at?: components["schemas"]["Moment"];
                /** @description how many (default: 200) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly components["schemas"]["TimelineStep"][];
                        /** @description how many match before these */
                        readonly earlier: number;
                        /** @description how many match */
                        readonly total: number;
                        /** @description how many were searched */
                        readonly of: number;
                    };
                };
            };
        };
    };
    readonly marks: {
        readonly parameters: {
            readonly query?: {
                /** @description how many marks to aim for (default: 320) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                /** @description the earlier moment, or <world>@<moment> of any world of the server (nothing behind @: its present) */
                readonly from: components["schemas"]["Moment"];
                /** @description the later one, or one of another world (default: the present) */
                readonly to?: components["schemas"]["Moment"];
                /** @description number of objects (default: 1,000) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly from: {
                            /** @description id of the world, when it was named */
                            readonly world?: string;
                            readonly entry: number;
                            readonly now: components["schemas"]["Instant"];
                        };
                        readonly to: {
                            /** @description id of the world, when it was named */
                            readonly world?: string;
                            readonly entry: number;
                            readonly now: components["schemas"]["Instant"];
                        };
                        readonly objects: readonly components["schemas"]["ObjectDiff"][];
                        readonly objects_total: number;
                        /** @description the entries that `by` names */
                        readonly entries: readonly components["schemas"]["Who"][];
                        /** @description of two worlds: the entries that `from_by` names */
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
                    /** @description the moment (default: the first) */
                    readonly since?: components["schemas"]["Moment"];
                    readonly checks: readonly components["schemas"]["Check"][];
                    /** @description values that expressions know by these names */
                    readonly names?: {
                        readonly [key: string]: unknown;
                    };
                    /** @description numbers of ledger entries that the test made itself: `unchanged` does not count them */
                    readonly outside?: readonly number[];
                };
            };
        };
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description whether all checks hold */
                        readonly pass: boolean;
                        /** @description share of the weight of the checks that hold: 0 to 1 */
                        readonly score: number;
                        readonly results: readonly {
                            readonly kind: string;
                            readonly holds: boolean;
                            readonly weight: number;
                            /** @description what was found */
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
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description as `POST /run` got it; null: it was none */
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
                    /** @description its name */
                    readonly task: string;
                    readonly agent: string;
                    /** @description which run of the task */
                    readonly run: number;
                    readonly prompt: string;
                    /** @description the ledger entry after which the agent began */
                    readonly since: number;
                    readonly reward: number;
                    readonly pass: boolean;
                    /** @description what ended it before the agent did */
                    readonly stopped?: string;
                    /** @description `about`, `kind`, `holds`, `weight` and `found` of each */
                    readonly checks: readonly {
                        readonly [key: string]: unknown;
                    }[];
                    /** @description `operation`, `tool`, `status`, `trace` and `outside` of each */
                    readonly calls: readonly {
                        readonly [key: string]: unknown;
                    }[];
                };
            };
        };
        readonly responses: {
            /** @description done */
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
                /** @description path of the field */
                readonly field: string;
                /** @description its tenant, where several have an object with this id (default: `none`, the object without a tenant) */
                readonly tenant?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collection: string;
                        readonly object: string;
                        /** @description its tenant; absent for an object without one */
                        readonly tenant?: string;
                        readonly field: string;
                        readonly value: unknown;
                        /** @description the entry that wrote the value, then what led to it */
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
            /** @description done */
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
            /** @description done */
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
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly format: number;
                        /** @description pack with the hash of its files and its variables, seed, t0 */
                        readonly header: {
                            readonly [key: string]: unknown;
                        };
                        /** @description where its packs were served */
                        readonly addresses: readonly string[];
                        /** @description what the steps begin with; null: an empty world */
                        readonly begins: {
                            readonly [key: string]: unknown;
                        } | null;
                        /** @description what receivers returned, by delivery */
                        readonly receivers: {
                            readonly [key: string]: unknown;
                        };
                        /** @description files that are too large for values: the bytes of some, the hashes and sizes of others */
                        readonly files?: {
                            readonly [key: string]: unknown;
                        };
                        readonly steps: readonly ({
                            /** @enum {unknown} */
                            readonly kind: "call" | "control" | "cause" | "clock" | "rewind" | "moment" | "flush" | "resend" | "entry";
                            /** @description number of the last ledger entry after it */
                            readonly last: number;
                            /** @description of the entries that it made */
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
            /** @description done */
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
            /** @description made */
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
            /** @description done */
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
            /** @description done */
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
                    /** @description may also be beside cause */
                    readonly params?: {
                        readonly [key: string]: unknown;
                    };
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly cause: string;
                        /** @description the vendor's events, in order */
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
                /** @description only this event */
                readonly cause?: string;
                /** @description only what concerns this object */
                readonly id?: string;
                /** @description how many at most */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly causes: readonly {
                            readonly cause: string;
                            /** @description the parameters that name the object */
                            readonly params: {
                                readonly [key: string]: unknown;
                            };
                            /** @description parameters that you must add */
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
            /** @description done */
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
                     * @description units ms, s, m, h, d, w, also combined
                     * @example 60s
                     * @example 32d
                     * @example 1d12h
                     */
                    readonly duration: string;
                    /** @description gives the application time to act: after each moment with events the clock waits until their deliveries were responded to; `{quiet}` waits too until no API was called for so long (real time) */
                    readonly pace?: components["schemas"]["Pace"];
                    /** @description id of an object with its own clock: only this clock advances */
                    readonly of?: string;
                } | {
                    readonly to: components["schemas"]["Instant"];
                    /** @description gives the application time to act: after each moment with events the clock waits until their deliveries were responded to; `{quiet}` waits too until no API was called for so long (real time) */
                    readonly pace?: components["schemas"]["Pace"];
                    /** @description id of an object with its own clock: only this clock advances */
                    readonly of?: string;
                } | {
                    /** @description stop right after the command that emits this event */
                    readonly until: {
                        readonly event: string;
                        /** @description id of an object that the event is about */
                        readonly object?: string;
                    };
                    /**
                     * @description how far at most (default: 365d)
                     * @example 60d
                     */
                    readonly at_most?: string;
                    /** @description gives the application time to act: after each moment with events the clock waits until their deliveries were responded to; `{quiet}` waits too until no API was called for so long (real time) */
                    readonly pace?: components["schemas"]["Pace"];
                    /** @description id of an object with its own clock: only this clock advances */
                    readonly of?: string;
                };
            };
        };
        readonly responses: {
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly now: components["schemas"]["Instant"];
                        /** @description timers that fired */
                        readonly fired: number;
                        /** @description the vendor's events, in order; the first 10,000 */
                        readonly events: readonly {
                            readonly [key: string]: unknown;
                        }[];
                        readonly events_total: number;
                        /** @description timers with failed steps, the first 1,000; absent when there are none */
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
                /** @description number of them (default: 100) */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
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
            /** @description done */
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
            /** @description done */
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
                     * @description names or patterns
                     * @default [
                     *       "*"
                     *     ]
                     */
                    readonly events?: readonly string[];
                    /** @description for people */
                    readonly description?: string;
                };
            };
        };
        readonly responses: {
            /** @description made */
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
            /** @description done */
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
                /** @description only to the endpoint with this id */
                readonly endpoint?: string;
                /** @description only of the event with this id, or of events of this type */
                readonly event?: string;
                /** @description how many at most */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
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
            /** @description done */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description false: attempts are still in flight after 30 seconds */
                        readonly flushed: boolean;
                        /** @description how many attempts */
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
            /** @description done */
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
            /** @description made */
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
            /** @description done */
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
                /** @description id of the fault */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
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
            /** @description made */
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
            /** @description done */
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
                /** @description id of the trace: header X-Mock-Resolution-Trace of the response */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                /** @description id of the trace: header X-Mock-Resolution-Trace of the response */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
                /** @description only of this operation */
                readonly operation?: string;
                /** @description how many at most */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description done */
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
            /** @description done */
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
                    /** @description one of the packs that are served */
                    readonly pack?: string;
                    /** @description default: a new one */
                    readonly seed?: string;
                    readonly t0?: components["schemas"]["Instant"];
                    /** @description real time until it is deleted: 30m, 24h, 7d */
                    readonly expires?: string;
                    /** @description number of worlds, without name; they are returned as a list */
                    readonly count?: number;
                    /** @description branch off from a world; then without pack, seed and t0 */
                    readonly from?: {
                        /** @description id or name of a world (default: the first) */
                        readonly world?: string;
                        readonly at?: components["schemas"]["Moment"];
                        /** @description the next calls get the ids that they would get there */
                        readonly same_ids?: boolean;
                        /** @description deliver its events, and what was pending then */
                        readonly send_webhooks?: boolean;
                    };
                };
            };
        };
        readonly responses: {
            /** @description made */
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
            /** @description done */
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
            /** @description done */
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
