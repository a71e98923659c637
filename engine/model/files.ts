// Written by `npm run types:pack` from schemas/*.schema.yaml; a test compares. Change the schemas, not this file.
import type { Json, JsonObject } from '../values/index.js';

/*
 * The pack files as their JSON Schemas let them through. Linking reads these shapes only after a file passed its schema. They
 * are type aliases and no interfaces: only such types are known to be JSON, so that a file's data may be read as one of them.
 */

/** A value, a list of values, or `{ not: value }`. */
export type RuleTestFile =
  | {
      /** It has none of these values. */
      readonly not: Json;
    }
  | string
  | number
  | boolean
  | null
  | readonly Json[];

/** A path, or a path with the value that counts. */
export type RuleMemberFile = Readonly<Record<string, RuleTestFile>> | string;

/** A path, several paths, or paths with values. */
export type RuleConditionsFile = string | readonly RuleMemberFile[] | Readonly<Record<string, RuleTestFile>>;

/** A rule between parameters: what excludes each other, what is needed, what goes only with something else. It has exactly one of `exclusive`, `exactly_one`, `at_least_one`, `together`, `needs`, `never`, `ascending`, `unique`, `last` and `limits`. */
export type RuleFile = {
  /** When it applies: a parameter that was sent, several (each of them), or paths with their values (all of them). */
  readonly given?: RuleConditionsFile;
  /** At most one of these may be sent. */
  readonly exclusive?: readonly RuleMemberFile[];
  /** Of these, one must be sent, and only one. */
  readonly exactly_one?: readonly RuleMemberFile[];
  /** One of these must be sent. */
  readonly at_least_one?: readonly RuleMemberFile[];
  /** All of these must be sent, or none. */
  readonly together?: readonly RuleMemberFile[];
  /** What must be sent too, or paths with the values they must have: of a parameter, else of the object. */
  readonly needs?: RuleConditionsFile;
  /** What may not be sent, or paths with values that they may not have. */
  readonly never?: RuleConditionsFile;
  /** Numbers or dates of which none is below those before it, as in `[start, end]`, or of the items of a list, as in `steps.up_to`; what was not sent is skipped. */
  readonly ascending?: string | readonly RuleMemberFile[];
  /** A path through a list, as in `lines.reference`: each value may occur once. */
  readonly unique?: string;
  /** A path through a list, and the value that its last item has: `{ steps.up_to: inf }`. */
  readonly last?: Readonly<Record<string, RuleTestFile>>;
  /** A parameter whose bounds and form are the row of `table` for the value of `by`. */
  readonly limits?: string;
  /** Path of the value that chooses the row. */
  readonly by?: string;
  /** A table with columns such as `min`, `max`, `step`, `max_length` and `pattern`; an empty value limits nothing. */
  readonly table?: string;
  /** Columns with other names: `{ min: smallest_amount }`. */
  readonly columns?: {
    /** The smallest value. */
    readonly min?: string;
    /** The largest value. */
    readonly max?: string;
    /** The value is a multiple of it. */
    readonly step?: string;
    /** The longest text. */
    readonly max_length?: string;
    /** A regular expression that the text must match. */
    readonly pattern?: string;
  };
  /** Operations of the resource to which it applies, instead of all that take its parameters. */
  readonly in?: readonly string[] | string;
  /** A switch of a version. It applies from there on. */
  readonly since?: string;
  /** A switch of a version. It applies before. */
  readonly until?: string;
  /** The error of the pack instead of the default; of `limits` also one for each limit. */
  readonly error?:
    | {
        /** Of a value below the smallest. */
        readonly min?: string;
        /** Of a value above the largest. */
        readonly max?: string;
        /** Of a value that is no multiple. */
        readonly step?: string;
        /** Of a text that is too long. */
        readonly max_length?: string;
        /** Of a text that does not match. */
        readonly pattern?: string;
      }
    | string;
  /** More arguments of the error. */
  readonly with?: Readonly<Record<string, string | number | boolean>>;
};

/** A type in any of its forms: a name, `T?`, or a map. */
export type TypeFile = string | LongTypeFile;

/** A type as a map. Types, fields, parameters and filters each let a part of these keys through. */
export type LongTypeFile = {
  /** The type of the value. */
  readonly type?: string;
  /** Whether it may be null. */
  readonly nullable?: boolean;
  /** The values it may have. */
  readonly enum?: readonly (string | number | boolean)[];
  /** A column of a table, as in `decline_codes.code`: it has one of the column's values. */
  readonly values_of?: string;
  /** The one value it always has. */
  readonly const?: Json;
  /** Id of an object of that resource, or of any of those. */
  readonly ref?: readonly string[] | string;
  /** Types of which the value has one. */
  readonly one_of?: readonly TypeFile[];
  /** The known keys of an object. */
  readonly fields?: Readonly<Record<string, TypeFile>>;
  /** The type of each item of a list. */
  readonly items?: TypeFile;
  /** The type of a map's values. */
  readonly values?: TypeFile;
  /** What of an object's fields a caller may send together. */
  readonly rules?: readonly RuleFile[];
  /** Description for readers. */
  readonly description?: string;
  /** How messages call it. */
  readonly title?: string;
  /** Value when nothing is given. */
  readonly default?: Json;
  /** The key is absent from responses while its value is null. */
  readonly optional?: boolean;
  /** Kept secret in the state: never returned, never in events, not shown to tests. */
  readonly hidden?: boolean;
  /** Hidden from clients like hidden, but no secret: tests see it in the state. */
  readonly internal?: boolean;
  /** Its value may be computed from the address of the world (a token has its issuer): it stays as it was made at other addresses, and there is no warning. */
  readonly keeps_address?: boolean;
  /** Computed for the response, not stored. */
  readonly view?: Json;
  /** The value of responses, instead of the stored one. */
  readonly shown?: Json;
  /** Only returned when expanded. */
  readonly on_expand?: boolean;
  /** Names something that the pack does not store: accepted in `expand`, without effect. */
  readonly expandable?: boolean;
  /** Effect on this object when the referenced one is deleted: `cascade` deletes it too, `refuse` rejects with `still_referenced`, `clear` makes the field null. */
  readonly on_delete?: 'cascade' | 'refuse' | 'clear';
  /** This is the status: only the machine moves it. */
  readonly machine?: boolean;
  /** `merge`: the given keys are merged; null or empty deletes a key. */
  readonly update?: 'merge';
  /** A timestamp that becomes `now` whenever something else of the object changes. */
  readonly touch?: boolean;
  /** An integer that counts 1, 2, 3 within a parent; a number of a deleted object does not come again. */
  readonly sequence?: {
    /** The field that refers to the parent. */
    readonly per: string;
    /** A name: sequences of one name, also of other resources, share their numbers. */
    readonly of?: string;
  };
  /** On an object: unknown keys are accepted. */
  readonly open?: boolean;
  /** Between the items of a list that comes as one text, as in `ids=a,b`: `,`, `|` or a space (repeated names count too). */
  readonly separator?: ',' | '|' | ' ';
  /** The call must send it. */
  readonly required?: boolean;
  /** An empty string clears it: the value is null. */
  readonly unset?: boolean;
  /** Smallest value; of text the fewest characters. */
  readonly min?: number;
  /** Largest value. */
  readonly max?: number;
  /** A value out of bounds is moved to the bound instead of rejected; `max`, `min`: only at that bound. `=vars.NAME` names a variable that says so (`clamp`, `reject`, `max`, `min`). */
  readonly clamp?: boolean | string;
  /** Most decimals of a number. */
  readonly decimals?: number;
  /** Longest text. */
  readonly max_length?: number;
  /** Regular expression that the text must match. */
  readonly pattern?: string;
  /** A name of pack.yaml `formats`. */
  readonly format?: string;
  /** The value is never shown: not in traces, logs or errors. */
  readonly secret?: boolean;
  /** Its value is checked, and steps do not see it. `none`: the pack lacks what it is for, and calls that send it (a value other than its `default`) are reported. `hint`: nothing that shows depends on it, with the vendor either. */
  readonly effect?: 'none' | 'hint';
  /** The text is bytes in base64. Many of them go to the store, and the value is a reference that `bytes`, `digest` and the like read. With conditions: only where other parameters have these values, as in `bytes: { encoding: base64 }`. */
  readonly bytes?: Readonly<Record<string, string>> | boolean;
  /** The field it compares (default: the field of its name). */
  readonly field?: string;
  /** Also accepts gt, gte, lt and lte. */
  readonly range?: boolean;
  /** Decides itself; `item`, `value` and `params` are in scope. */
  readonly where?: string;
  /** Takes several values, repeated or separated by commas; an item meets it with any of them. */
  readonly many?: boolean;
};

/** An expression (CEL), written bare; or a map or list of values, in which `=` begins an expression. */
export type BoundFile = string | JsonObject | readonly Json[];

/** A cookie. A browser sends it with `Secure` to https addresses only. */
export type PackCookieFile = {
  /** Its name in the browser (default: the key). */
  readonly name?: string;
  /** Below which path it is sent (default: /). */
  readonly path?: string;
  /** How long it lasts in simulated time, a duration or a name of `durations`; without it, until the browser ends. */
  readonly max_age?: string;
  /** Whether scripts of pages can not read it (default: true). */
  readonly http_only?: boolean;
  /** Calls from pages of other sites bring it: only if a person follows a link (lax, the default), never (strict) or always (none). Another port of localhost is another site. */
  readonly same_site?: 'lax' | 'strict' | 'none';
};

/** The parameter with the direction of a list. */
export type ListOrderFile = {
  /** Its name. */
  readonly param: string;
  /** Its possible values, and whether the oldest or smallest come first (`ascending`) or last. */
  readonly values: Readonly<Record<string, 'ascending' | 'descending'>>;
  /** The value when not asked for (default: as the operation says). */
  readonly default?: string;
  /** The value when not asked for, by the sort: `{ name: asc }`. */
  readonly defaults?: Readonly<Record<string, string>>;
};

/** The parameter with the sort field of a list. */
export type ListSortFile = {
  /** Its name. */
  readonly param: string;
  /** Its possible values, with their fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Values that say the direction too, with `*` in the field's place: `{ '*:1': ascending, '-*': descending }`. Others are unknown then. */
  readonly ways?: Readonly<Record<string, 'ascending' | 'descending'>>;
  /** The value when not asked for (default: as the operation says). */
  readonly default?: string;
};

/** How lists are returned. */
export type ListsFile = {
  /** The response; data, has_more, url, next_cursor, total_count and the values of pages are in scope. `${data}` alone: a bare list. A key may be `${collection}`. */
  readonly envelope: Json;
  /** Size of a page. */
  readonly size?: {
    /** Parameter that asks for it. */
    readonly param?: string;
    /** Size when not asked for. */
    readonly default?: number;
    /** Smallest. */
    readonly min?: number;
    /** Largest. */
    readonly max?: number;
    /** `reject`: a size below min or above max, or a page before the first, is an error (default: the nearest is taken). `reject_below`: only one below min is an error. `=vars.NAME` names a variable with one of these words. `ignore`: a size below min, or a size or number of a page that cannot be read, is as if it were not sent; above max the nearest is taken. */
    readonly beyond?: string;
  };
  /** The parameter with the direction of a list. */
  readonly order?: ListOrderFile;
  /** The parameter with the sort field of a list. */
  readonly sort?: ListSortFile;
  /** Parameters that continue a list. */
  readonly cursors?: {
    /** Continues after this object: a name, or several of which the first that is sent counts. */
    readonly after?: readonly string[] | string;
    /** Continues before this object. */
    readonly before?: string;
  };
  /** A filter, size or cursor that cannot be read is ignored. */
  readonly lenient?: boolean;
  /** Pages have numbers. */
  readonly pages?: {
    /** Parameter with the number (default: `page`). */
    readonly param?: string;
    /** Number of the first page (default: 1). */
    readonly first?: number;
  };
  /** Parameter with the number of items before the page. */
  readonly offset?: string;
  /** Parameter for the `next_token` of the page before. */
  readonly token?: string;
  /** Headers of the response, with the variables of the envelope. Null omits one. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A limit of calls. */
export type RateLimitFile = {
  /** `fixed`: a window begins with its first call (the default); `clock`: windows begin at multiples of their length; `sliding`: the calls of the window before count by the share of it that is left; `bucket`: calls come back one by one. */
  readonly kind?: 'fixed' | 'clock' | 'sliding' | 'bucket';
  /** Calls in one window: a number, or an expression in `${}` with `request` in scope. */
  readonly limit: number | string;
  /** Length of a window; for a bucket, the time in which `limit` calls come back. */
  readonly window: string;
  /** How many calls a bucket holds (default: `limit`). */
  readonly burst?: number;
  /** Which operations it counts, as `collection.name`; `*` matches any characters. Default: all. */
  readonly operations?: readonly string[];
  /** Operations among those that do not count. */
  readonly except?: readonly string[];
  /** Condition for calls that count; `request` and `params` (not yet checked) are in scope. */
  readonly when?: string;
  /** Groups calls that are counted together: an expression with `request` and `params` in scope (default: the key of the call). */
  readonly per?: string;
  /** A call's use: an expression with `request` and `params` in scope (default: 1, also where it isn't a number). A call that costs more than the whole limit has no `retry_after`. */
  readonly cost?: string;
  /** The actual use of a successful call, counted instead of its `cost`; `response` (its JSON) is in scope too. A value other than a number counts as the `cost`. */
  readonly spent?: string;
  /** The error of calls beyond it (`rate_limited`). It may have the arguments `limit`, `used`, `remaining`, `cost`, `reset`, `reset_in`, `retry_after`, `window` and `name`. */
  readonly error?: string;
  /** Headers of all responses of calls that it counts. In scope: `request`, `limit`, `used`, `remaining`, `cost`, `reset` (a time), `reset_in`, `retry_after` (null while a call is free) and `window` (seconds). */
  readonly headers?: JsonObject;
};

export type OutsideFile = {
  /** Where the part begins; a `{name}` matches any one segment. */
  readonly paths?: readonly string[];
  /** Other machines of the vendor, as calls through the redirect name them; every path of theirs is outside. */
  readonly hosts?: readonly string[];
  /** Names or globs of operations that are outside while `when` holds, since the vendor whose words a call asks for means something else there. */
  readonly operations?: readonly string[];
  /** When operations are outside; `request` and `params` are in scope. */
  readonly when?: string;
  /** Name of the error; default: that of an unknown route. */
  readonly error?: string;
  /** Arguments of the error. */
  readonly with?: JsonObject;
};

/** Binds values to names, in order. */
export type LetStep = {
  /** Names and the values they get: expressions, or maps and lists of values. */
  readonly let: Readonly<Record<string, BoundFile>>;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Does one list of steps or another. */
export type IfStep = {
  /** The condition. */
  readonly if: string;
  /** Steps when it is true. */
  readonly then: readonly StepFile[];
  /** Steps when it is not. */
  readonly else?: readonly StepFile[];
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Does steps for each item of a list. */
export type ForStep = {
  /** Name of the variable that holds the item. */
  readonly for: string;
  /** The list. */
  readonly in: string;
  /** Steps for each item. */
  readonly do: readonly StepFile[];
  /** A value that each round gives; the list of them is bound to `as` after the loop. */
  readonly collect?: Json;
  /** Name of the variable that holds the collected list. */
  readonly as?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Runs steps in another tenant: they find, create and emit only there. */
export type WithinStep = {
  /** The id of the tenant; null: in none. */
  readonly within: string;
  /** The steps. */
  readonly do: readonly StepFile[];
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Creates an object and enters the initial state of its machine. */
export type CreateStep = {
  /** The resource. */
  readonly create: string;
  /** Name of the variable that holds the object (default: the name of the resource). */
  readonly as?: string;
  /** An object with the fields as members: `params` (only sent ones), or a variable. */
  readonly from?: string;
  /** Fields and their values. */
  readonly with?: JsonObject;
  /** The id, instead of a generated one. */
  readonly id?: string;
  /** Emits no `created` event. */
  readonly silent?: boolean;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Changes fields of an object. */
export type SetStep = {
  /** The variable that holds the object. */
  readonly set: string;
  /** Fields and their new values; dotted keys reach inside. */
  readonly to?: JsonObject;
  /** An object with the fields as members: `params` (only sent ones), or a variable. */
  readonly from?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Removes an object. */
export type DeleteStep = {
  /** The variable that holds the object. */
  readonly delete: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Gives an object whose id is a key another id. What refers to it refers to the new one, and objects whose ids begin with the old one move along. */
export type MoveStep = {
  /** The variable that holds the object; read it again after the step. */
  readonly move: string;
  /** Its id from now on. */
  readonly id: Json;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Sends a trigger to the machine of an object. */
export type SendStep = {
  /** The trigger. */
  readonly send: string;
  /** The variable that holds the object (default: self). */
  readonly to?: string;
  /** Values that the machine sees as `trigger`. */
  readonly with?: JsonObject;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Emits an event. */
export type EmitStep = {
  /** The event, or a text with expressions that are one of known values: `message.${self.kind}`. */
  readonly emit: string;
  /** The variable that holds the object (default: self). */
  readonly object?: string;
  /** The event's content, instead of the object. */
  readonly snapshot?: Json;
  /** The endpoint (a variable or expression) that alone gets the event; the event is not stored without `stored`. */
  readonly only_to?: string;
  /** With `only_to`: the event is an object like any other. */
  readonly stored?: true;
  /** Name of the event object; null if no event is created. */
  readonly as?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Runs a flow. */
export type RunStep = {
  /** The flow. */
  readonly run: string;
  /** Arguments. */
  readonly with?: JsonObject;
  /** Name of the variable for the result of the flow. */
  readonly as?: string;
  /** Its events are not caused by the request. */
  readonly internal?: boolean;
  /** Rolls back everything that the flow does except its result. */
  readonly dry?: true;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Ends the command with an error. */
export type FailStep = {
  /** A name of errors.yaml, or a text with expressions that are one of known values. */
  readonly fail: string;
  /** Arguments of the error. */
  readonly with?: JsonObject;
  /** Earlier changes stay. */
  readonly keep?: boolean;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Ends the flow or operation with a value. */
export type ReturnStep = {
  /** The value. */
  readonly return: Json;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Sets a pin. */
export type PinStep = {
  /** Path of the pin. */
  readonly pin: string;
  /** The variable that holds the object (default: self). */
  readonly to?: string;
  /** The pinned value. */
  readonly value: Json;
  /** It is cleared after it bound once. */
  readonly once?: boolean;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Clears a pin. */
export type UnpinStep = {
  /** Path of the pin. */
  readonly unpin: string;
  /** The variable that holds the object (default: self). */
  readonly to?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Begins a wait of an object, restarts a running one, or ends it. */
export type WaitStep = {
  /** A name of the `waits` of the object's resource. */
  readonly wait: string;
  /** The variable that holds the object (default: self). */
  readonly to?: string;
  /** It ends without its steps. */
  readonly stop?: true;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Advances the world's clock to a time after the command is committed; the response shows the result. */
export type AdvanceClockStep = {
  /** The world begins at this time instead: at once, for all that the command still does, and also backwards. Existing objects stay. */
  readonly begins?: boolean;
  /** The id of an object that the pack's times make an owner of time; its own clock advances, the world's does not (default: the world's clock). */
  readonly of?: string;
  /** The time, in the pack's representation. */
  readonly advance_clock: string | number;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Reports something that the call asks for and the pack doesn't emulate, as for documented parameters that a pack lacks. */
export type UnsupportedStep = {
  /** Its name in the header `X-Mock-Unsupported`, the trace and the log. */
  readonly unsupported: Json;
  /** A parameter (default), or a `case` for which the pack has no response. */
  readonly kind?: 'parameter' | 'case';
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Delays the response of the call, also an error, in real time; what the call did has happened before. */
export type DelayStep = {
  /** A duration, such as `seconds(2)` or `duration(answer_time)`, at most 10m; null: none. Several add up. */
  readonly delay: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Calls an operation of the pack as a caller does: its parameters are checked and its steps run. An error ends nothing and takes back what that call did. Keys, limits and idempotency don't count again. */
export type CallStep = {
  /** The operation, `collection.name`. */
  readonly call: string;
  /** Expression: the parameters, a map as a body in JSON has it. Values of names in its route are among them. */
  readonly with?: Json;
  /** Headers by their names in `request_headers`; without it, those of the call that is served. */
  readonly headers?: Readonly<Record<string, Json>>;
  /** Name of the response: `{status, body}`. */
  readonly as?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Every kind of step, by the key that says which it is. */
export type StepKinds = {
  readonly let: LetStep;
  readonly if: IfStep;
  readonly for: ForStep;
  readonly within: WithinStep;
  readonly create: CreateStep;
  readonly set: SetStep;
  readonly delete: DeleteStep;
  readonly move: MoveStep;
  readonly send: SendStep;
  readonly emit: EmitStep;
  readonly run: RunStep;
  readonly fail: FailStep;
  readonly return: ReturnStep;
  readonly pin: PinStep;
  readonly unpin: UnpinStep;
  readonly wait: WaitStep;
  readonly advance_clock: AdvanceClockStep;
  readonly unsupported: UnsupportedStep;
  readonly delay: DelayStep;
  readonly call: CallStep;
};
export type StepKind = keyof StepKinds;
/** One thing to do. Exactly one of the step keys, its own keys, and `when`. */
export type StepFile = StepKinds[StepKind];

/** A way of delivery. */
export type TransportFile = {
  /** The kind of events that it carries, a name of `events.kinds`; default: ordinary ones. */
  readonly events?: string;
  /** How it is sent (default: POST). A GET has no body: its content is in the `url`. */
  readonly method?: 'POST' | 'PUT' | 'GET';
  /** Expression: where it is sent; `endpoint` and `event` are in scope. */
  readonly url?: string;
  /** The payload, as compact JSON if `encoding` is not set; event and endpoint are in scope. */
  readonly body?: Json;
  /** How a body that is a map is written: `json` (the default) or `form`, as application/x-www-form-urlencoded. */
  readonly encoding?: 'json' | 'form';
  /** By how many spaces the JSON of a payload is indented (default: compact), or an expression over event and endpoint. A receiver that verifies a signature of parsed and rewritten JSON fails, as at the vendor. */
  readonly indent?: number | string;
  /** Headers, or one `${...}` that gives them as a map; event, endpoint, timestamp, body, secret, signature, signatures, `attempt` (1, 2, ...) and `failure` (`status` and `error` of the one before) are in scope. */
  readonly headers?: Readonly<Record<string, string>> | string;
  /** What signs the content: an HMAC with SHA-256 unless `algorithm` says otherwise. */
  readonly signature?: {
    /** The signed text. */
    readonly content: string;
    /** How it is signed. Of `rsa` and `ecdsa` the secret is a private key (PEM). */
    readonly algorithm?: 'sha256' | 'sha1' | 'sha512' | 'rsa-sha256' | 'ecdsa-sha256';
    /** How the secret is read. */
    readonly key: 'utf8' | 'base64';
    /** Text before the key in the secret. */
    readonly key_prefix?: string;
    /** How the signature is written. */
    readonly digest: 'hex' | 'base64';
  };
  /** How long to wait for a response. */
  readonly timeout?: string;
  /** Waits between attempts, instead of `delivery.retries`; `[]`: one attempt. Without it nothing is sent twice over a socket. */
  readonly retries?: readonly string[];
  /** Whether to stop after a failed attempt, such as `response.headers["x-no-retry"] == "1"`; `event`, `endpoint` and `response` are in scope. */
  readonly gives_up?: string;
  /** Steps after the receiver accepted a message (2xx), once the response is in: at a flush and before the clock advances. `event`, `endpoint` and `response` (`status`, `headers` by lower-case names, `body` as text) are in scope. */
  readonly on_response?: readonly StepFile[];
  /** Steps after the last attempt has failed. `event`, `endpoint` and `response` are in scope, of which `status` is null where there was none; `error` says why. */
  readonly on_failure?: readonly StepFile[];
  /** Value that is recorded as delivered instead of sending it. */
  readonly record?: Json;
  /** A connection over which a listener gets its messages: the listener opens a WebSocket, and needs no address of its own. */
  readonly socket?: {
    /** Where a listener connects: `{listener}` is its name. */
    readonly path: string;
    /** The WebSocket's subprotocol. */
    readonly protocol?: string;
    /** Expression: the name of the listener that gets an endpoint's messages; `endpoint` is in scope. */
    readonly listener: string;
    /** External event when a listener connects, with its name as `listener`. Where it's not possible, there is no listener. */
    readonly opened: string;
    /** External event when its connection has ended, with its name as `listener`. */
    readonly closed: string;
    /** Error for a listener that may not connect. */
    readonly refused: string;
    /** How many connections a listener may have (default: 1); each message goes to one of them, in turn. One more takes the place of the oldest. */
    readonly share?: number;
    /** First message of a connection, as JSON; `listener` (its name) and `connections` (how many it has now) are in scope. */
    readonly greeting?: Json;
    /** Messages that end the connections of their listener. */
    readonly ends?: {
      /** Condition: whether it is such a message; `event` and `endpoint` are in scope. */
      readonly when: string;
      /** Payload that replaces `message`, before the connections are closed. */
      readonly say: Json;
    };
    /** The message over the connection, as JSON; event, endpoint, `delivery` (its id), timestamp, body, `headers` (the rendered ones), `attempt` (1, 2, ...) and `failure` (`status` and `error` of the one before) are in scope. */
    readonly message: Json;
    /** Meaning of the listener's messages; `reply` is in scope. */
    readonly reply: {
      /** Expression: the delivery that it is about. */
      readonly to: string;
      /** Expression: whether it is the result of the message. */
      readonly responds: string;
      /** Expression: whether it only confirms the message's arrival. */
      readonly acknowledges?: string;
      /** Expression: the HTTP status of the listener's response. */
      readonly status?: string;
      /** Expression: the headers of that response. */
      readonly headers?: string;
      /** Expression: the body of that response. */
      readonly body?: string;
    };
    /** Expression: whether to wait for a response to an endpoint's messages; otherwise an acknowledgement is enough. `endpoint` is in scope. */
    readonly awaits_response?: string;
  };
};

/** How events are delivered. */
export type DeliveryFile = {
  /** Which objects receive events. */
  readonly endpoint: {
    /** Their resource, or a list of several; `endpoint` has the fields of its own one. */
    readonly resource: readonly string[] | string;
    /** Whether one receives; `endpoint` is in scope. */
    readonly active?: string;
    /** Expression: the names or globs it subscribes to. */
    readonly events: string;
    /** Expression: whether an endpoint without a tenant gets events of tenants: `none` (the default), `only` or `all`. An endpoint of a tenant gets that tenant's. */
    readonly tenants?: string;
    /** Expression: whether it gets this event; `event` (the object of the event) and `endpoint` are in scope. */
    readonly when?: string;
    /** Expression: the version of the API that its events are written in; null: the account's. Needs `events.renderings`. */
    readonly version?: string;
    /** Fields of an endpoint made on the control API, of the first resource; url, events and description are in scope. */
    readonly register: JsonObject;
    /** The control API's resources for events of other kinds, by the kind. */
    readonly register_kinds?: Readonly<
      Record<
        string,
        {
          /** Its resource, one of the endpoints'. */
          readonly resource: string;
          /** Its fields; url, events and description are in scope. */
          readonly with: JsonObject;
        }
      >
    >;
    /** Expression: the secret that signs, or a list of secrets that each sign. */
    readonly secret?: string;
    /** Expression: a key of `transports`; `endpoint` and `event` are in scope (the latter is null where nothing is sent). */
    readonly transport?: string;
    /** Steps when a delivery has failed for good: its last attempt failed, or the endpoint returned 410; `endpoint` is in scope. */
    readonly exhausted?: readonly StepFile[];
  };
  /** Ways of delivery. */
  readonly transports: Readonly<Record<string, TransportFile>>;
  /** Waits between attempts. */
  readonly retries?: readonly string[];
  /** Whether a receiver's `Retry-After` delays the next attempt. */
  readonly retry_after?: boolean;
};

/** Name, version and wire conventions of the pack. */
export type PackFile = {
  /** Name of the pack: its folder. */
  readonly name: string;
  /** Name for people. */
  readonly title?: string;
  /** Version of the pack. */
  readonly version: string;
  /** Description for readers. */
  readonly description?: string;
  /** The vendor API and version it follows. */
  readonly faithful_to?: string;
  /** Names of the vendor's hosts; `redirect` sends calls for them to the sandbox. `*.vendor.com` means every host below vendor.com. */
  readonly hosts?: readonly string[];
  /** Clients of the vendor: `sandbox up` looks for these packages and environment variables in an application. */
  readonly packages?: readonly {
    /** Variables of the pack for applications with these. */
    readonly vars?: Readonly<Record<string, string>>;
    /** JavaScript. */
    readonly npm?: readonly string[];
    /** Python. */
    readonly pypi?: readonly string[];
    /** Ruby. */
    readonly rubygems?: readonly string[];
    /** PHP. */
    readonly packagist?: readonly string[];
    /** Go, without the version at the end. */
    readonly go?: readonly string[];
    /** .NET. */
    readonly nuget?: readonly string[];
    /** Java, as `group:artifact`. */
    readonly maven?: readonly string[];
    /** Variables from which applications read where and who they are: `key`, another of its keys (`key.publishable`, of `auth.others`), `url` (with a path behind it: `url/api/`), `webhook_secret`, or a variable of the pack (`vars.account`). */
    readonly environment?: Readonly<Record<string, string>>;
  }[];
  /** The vendor's own client for JavaScript: the inspector shows calls in its syntax. */
  readonly client?: {
    /** Its name in the registry of npm. */
    readonly package: string;
    /** Code that makes a client; `{host}`, `{port}`, `{protocol}` and `{url}` are the sandbox's. */
    readonly begin: string;
    /** Name of the client in that code. */
    readonly object: string;
    /** The client's name for a collection (default: its name in camel case). */
    readonly resources?: Readonly<Record<string, string>>;
    /** The client's names for operations (default: the name in camel case). */
    readonly methods?: Readonly<Record<string, string>>;
    /** The function of one operation (`collection.operation`); null: the client has none. */
    readonly calls?: Readonly<Record<string, string | null>>;
    /** Headers that the client takes as options after the parameters, with their names there. */
    readonly options?: Readonly<Record<string, string>>;
  };
  /** Which operation mail calls that comes by SMTP (`sandbox serve --smtp`). */
  readonly smtp?: {
    /** `<collection>.<operation>`: called once for each mail, with the key that its sender logs in with. */
    readonly operation: string;
    /** Its parameters, as JMESPath over the mail: `from`, `to`, `cc`, `bcc`, `reply_to`, `subject`, `text`, `html`, `headers` (its own), `attachments` (`filename`, `content_type`, `content` in base64, `content_id`, `disposition`), `message_id`, `in_reply_to`, `date`. */
    readonly with: Readonly<Record<string, string>>;
    /** JMESPath over the body of a rejection: the text of the error (default: the body). */
    readonly error?: string;
  };
  /** First screen of the inspector: code for a first call, and calls to try. The inspector shows it while it waits for that call. */
  readonly start?: {
    /** A first call in each language; `{url}`, `{host}`, `{port}`, `{protocol}` and `{key}` are filled in. */
    readonly languages: readonly {
      /** Name of the language or tool. */
      readonly name: string;
      /** Command that installs the packages for the code. */
      readonly install?: string;
      /** A program that makes a call. */
      readonly code: string;
    }[];
    /** Collections that people look at first. */
    readonly collections?: readonly string[];
    /** Example calls, each a button; `call` is `collection.operation`, without parameters in its path. */
    readonly tries?: readonly {
      /** Purpose of the call, as an instruction. */
      readonly title: string;
      /** One sentence about the result. */
      readonly text: string;
      /** The operation. */
      readonly call: string;
      /** Its parameters. */
      readonly with?: JsonObject;
    }[];
  };
  /** Texts that expressions read as `vars.NAME`; `serve --set` overrides them. */
  readonly vars?: Readonly<Record<string, string>>;
  /** How timestamps are written: seconds, or ISO 8601 with milliseconds or (`iso8601_seconds`) without. */
  readonly timestamps?: 'unix' | 'iso8601' | 'iso8601_seconds';
  /** Beginning of routes; with several, each route that begins with the first is served below the others too. */
  readonly base_path?: string | readonly string[];
  /** Conventions of routes. */
  readonly routes?: {
    /** Method of `update`. */
    readonly update?: 'POST' | 'PUT' | 'PATCH';
    /** Whether a slash at the end of a path is ignored (`ignore`, the default) or makes it another path (`refuse`). */
    readonly slash_at_end?: 'ignore' | 'refuse';
    /** `any`: the vendor takes a call with any method, so a call that its document names with another method is reported too. `exact` is the default. */
    readonly methods?: 'exact' | 'any';
    /** Names in routes that are ids of objects, by resources. Where ids ignore case, operations see the object's own case. */
    readonly ids?: Readonly<Record<string, string>>;
    /** Other addresses of objects. A path below one that has no route is served as the same path below the other. */
    readonly also?: readonly {
      /** Its beginning, such as `/projects/{number}`: the names are fields of the object with these values. */
      readonly path: string;
      /** Whose objects. */
      readonly resource: string;
      /** The resulting address, with fields of the object: `/owners/{owner}/projects/{name}`. */
      readonly as: string;
    }[];
  };
  /** Formats of ids: the part after the prefix. */
  readonly ids?: Readonly<
    Record<
      string,
      {
        /** Texts, random parts, sequences and UUIDs, joined. */
        readonly parts: readonly (
          | {
              /** How many random characters. */
              readonly random?: number;
              /** Which characters (default: `base62`). */
              readonly of?: 'base62' | 'digits' | 'hex' | 'lower' | 'upper';
              /** With `--set realistic=on`, the characters count the seconds since this moment (Unix time) in base62. */
              readonly since?: number;
              /** The first number; every object of the resource has the next one. */
              readonly sequence?: number;
              /** Minimum number of digits. */
              readonly width?: number;
              /** The time of creation, since 1970. */
              readonly time?: 'seconds' | 'milliseconds';
              /** A random UUID (version 4). */
              readonly uuid?: 4;
              /** Number of characters from the end of the tenant's id. */
              readonly tenant?: number;
              /** The text in its place for objects without a tenant. */
              readonly home?: string;
            }
          | string
        )[];
        /** Pattern for ids from callers, after the prefix. */
        readonly pattern?: string;
      }
    >
  >;
  /** Named patterns for parameters. */
  readonly formats?: Readonly<
    Record<
      string,
      {
        /** Regular expression. */
        readonly pattern: string;
        /** How messages call it. */
        readonly title?: string;
      }
    >
  >;
  /** Named waits, which tests may override. */
  readonly durations?: Readonly<
    Record<
      string,
      | {
          /** How long it is; `none`: it never ends, unless a test sets it. */
          readonly default: string;
          /** Description for readers. */
          readonly description?: string;
        }
      | string
    >
  >;
  /** How calls authenticate. */
  readonly auth?: {
    /** Accepted schemes (default: `bearer`, if `places` names no other). `basic` has the key as user name. */
    readonly schemes?: readonly ('bearer' | 'basic')[];
    /** How API keys look. */
    readonly key?: {
      /** Text every key starts with. */
      readonly prefix?: string;
      /** How many random characters follow. */
      readonly random?: number;
    };
    /** Further keys by name: the world's key with another prefix. They open only operations that name them in `keys`. */
    readonly others?: Readonly<
      Record<
        string,
        {
          /** Text it starts with. */
          readonly prefix: string;
          /** Whether pages of other origins may use it (CORS). */
          readonly browsers?: boolean;
          /** A parameter that may carry it instead of the header. */
          readonly parameter?: string;
          /** Whether it opens everything that the world's key opens; `request.key` is its name. */
          readonly whole?: boolean;
        }
      >
    >;
    /** The key's place in basic authentication: `user` (with an empty password), `password` (with any user name) or `either`. */
    readonly basic?: 'user' | 'password' | 'either';
    /** Other places of a key: after another word in the Authorization header, in another header, or in a parameter. */
    readonly places?: readonly {
      /** Word before the key in the Authorization header, such as `token`. */
      readonly scheme?: string;
      /** Header that carries it. */
      readonly header?: string;
      /** Text before the key in the header. */
      readonly prefix?: string;
      /** Parameter of the query or body that carries it. */
      readonly parameter?: string;
      /** Regular expression for a key inside of the header or parameter; its first group is the key, such as `Credential=([^/]+)`. A text without blanks that it doesn't match is a key by itself. */
      readonly pattern?: string;
      /** Parameters that accompany it and have no other effect, such as `client_id`. */
      readonly beside?: readonly string[];
    }[];
    /** Signatures that callers send: how they are verified, once the key of a call is accepted. */
    readonly signatures?: readonly {
      /** Which calls are signed in this way (default: all that have a key). */
      readonly when?: string;
      /** Calls without a key are verified too, of operations that need none (`open`); `call.key` is empty then. */
      readonly keyless?: boolean;
      /** Values before the rules, in order. */
      readonly let?: Readonly<Record<string, BoundFile>>;
      /** Rules for a signature; the first that does not hold rejects the call. */
      readonly rules: readonly {
        /** Whether the call continues. */
        readonly allow: string;
        /** The error of other calls. */
        readonly else: string;
        /** Arguments of the error. */
        readonly with?: Readonly<Record<string, Json>>;
      }[];
    }[];
    /** The caller, as `actor` in every expression (views, defaults, events and lists too); null outside of calls. */
    readonly actor?: {
      /** The resource whose object it is. */
      readonly resource: string;
      /** The caller's id, or null; `request` is in scope, such as `default(get(token, request.token).user, vars.owner)`. */
      readonly id: string;
    };
    /** Keys that calls create: objects of a resource, such as OAuth access tokens. */
    readonly tokens?: {
      /** The resource whose objects are keys. */
      readonly resource: string;
      /** Its field that holds the key, or `id`; it has to be one of the resource's `indexes`. */
      readonly field: string;
      /** Whether a key is still valid; `self` is in scope. */
      readonly when?: string;
      /** Expression: the scopes of a key, as a list or as words of a text; `self` is in scope. */
      readonly scopes?: string;
      /** Scopes that come with another one, such as `issues:write: [issues:read]`. */
      readonly implies?: Readonly<Record<string, readonly string[]>>;
    };
  };
  /** Objects with their own clocks, which advance apart from the world's clock. */
  readonly times?: {
    /** The resource of objects that may have their own clock. */
    readonly resource: string;
    /** Fields that lead to the owner of an object's time, each with the resource that it refers to. */
    readonly through: Readonly<Record<string, string>>;
    /** The error of a call that names objects of two clocks. Without it the first counts. */
    readonly mixed?: string;
  };
  /** The objects of a resource are tenants, each with its own objects. Objects without a tenant belong to the world's key. */
  readonly tenants?: {
    /** The resource whose objects are tenants. */
    readonly resource: string;
    /** An id that means no tenant: the account of the world's own key. */
    readonly home?: string;
    /** Headers that name a tenant; the first in a call counts. */
    readonly headers?: readonly string[];
    /** Responses to calls in a tenant name it in the first of `headers`. */
    readonly echo?: boolean;
    /** Names in routes whose values name a tenant, such as `org` of /orgs/{org}/members. `id` is that of the tenants' own resource. */
    readonly paths?: readonly string[];
    /** The field of a tenant with its own key; it has to be one of the resource's `indexes`. Such a key works as the world's key, in that tenant only. */
    readonly key?: string;
    /** The field of a token (`auth.tokens`) that names its tenant; null: it belongs to none. Such a token opens that tenant alone. */
    readonly token?: string;
    /** Whether calls may act in a tenant; `self` is in scope. Others are rejected as if it didn't exist. */
    readonly admits?: string;
  };
  /** Pages of other origins may call the API, with any key (`serve --cors`: also without this key). */
  readonly cors?: {
    /** Response headers that a page may read (default: all). */
    readonly expose?: readonly string[];
    /** Pages may send cookies (default: false). */
    readonly credentials?: boolean;
  };
  /** Cookies that browsers send and operations set (`cookies` of an operation), by the name they have in `request.cookies`. */
  readonly cookies?: Readonly<Record<string, PackCookieFile>>;
  /** Encoding of bodies. */
  readonly encoding?: {
    /** `form` (nested keys), `json`, `xml` or `multipart` (with files), or a list of them: the first is the default for a body without Content-Type. */
    readonly requests?: readonly ('form' | 'json' | 'xml' | 'multipart')[] | 'form' | 'json' | 'xml';
    /** Content-Type of responses (default: `application/json`). In XML a body is a map with its root element. */
    readonly responses?: string;
    /** Media types that get the usual JSON though they are others, such as `*.full`: a call that accepts neither these, nor JSON, nor what its operation returns, is rejected (`not_acceptable`). Default: every call gets what there is. */
    readonly accepts?: readonly string[];
    /** Names of query parameters ignore case. */
    readonly ignore_case?: boolean;
    /** A single value of a list parameter is a list of one: `tag=a` is as `tag[]=a` (default: it is invalid). */
    readonly single_values?: boolean;
    /** The largest body of a request, unless an operation has its own `max_body` (default: 1MiB). */
    readonly max_body?: string;
    /** Bodies of other content types are read as the first of `requests` instead of being rejected. */
    readonly other_types?: boolean;
  };
  /** How parameters are checked. */
  readonly validation?: {
    /** Rule for undeclared parameters. */
    readonly unknown_parameters?: 'refuse' | 'ignore';
    /** Paths: operations at or below them reject undeclared parameters, also where `unknown_parameters` is `ignore`. */
    readonly refuse_below?: readonly string[];
    /** Gathers every problem into the error validation_failed. */
    readonly collect?: boolean;
    /** Characters of a text, in a map too, without a `max_length` of its own. */
    readonly longest_text?: number;
  };
  /** Parts of every response. */
  readonly answers?: {
    /** Keys added to every successful response that is one object; `request` is in scope. */
    readonly add?: JsonObject;
    /** Responses to GET carry an ETag of their body, and a call that sends it gets 304 without a body. */
    readonly etag?: 'strong' | 'weak';
  };
  /** How lists are returned. */
  readonly lists?: ListsFile;
  /** Parameters and responses of searches. */
  readonly search?: {
    /** Parameter with the query. */
    readonly param?: string;
    /** Parameter with the page. */
    readonly page?: string;
    /** The response. */
    readonly envelope?: Json;
    /** Members of the response that are only there when `expand` names them; total_count is in scope. */
    readonly on_expand?: Readonly<Record<string, Json>>;
    /** The shortest text that `~` looks for (default: 1). */
    readonly shortest?: number;
  };
  /** How references are expanded. */
  readonly expansion?: {
    /** Parameter with the paths. */
    readonly param: string;
    /** Deepest path. */
    readonly max_depth?: number;
    /** Separator of paths in one text. */
    readonly separator?: string;
    /** Unknown paths are ignored. */
    readonly lenient?: boolean;
    /** Other names of paths: the name that is sent, the path that it means. */
    readonly aliases?: Readonly<Record<string, string>>;
  };
  /** Versions of the API. */
  readonly versions?: {
    /** Header with the version. */
    readonly header: string;
    /** Other names of the header. */
    readonly aliases?: readonly string[];
    /** The account's version: for events, and for calls that send none. */
    readonly current: string;
    /** Pattern of versions. */
    readonly pattern?: string;
    /** The version of the pack's resources. With it, only the listed versions exist. */
    readonly base?: string;
    /** Names of versions that are served as the base. */
    readonly same?: readonly string[];
    /** Versions that changed something, oldest first; each has a file in versions/. */
    readonly newer?: readonly string[];
    /** Pattern of versions older than the base: they are served as the base, and a header of the response shows it. */
    readonly older?: string;
    /** From this text on, a text is no part of a version's name, such as `;`. */
    readonly flags?: string;
    /** The field whose constant shows the kind of an object that is nested in another. */
    readonly told_by?: string;
  };
  /** Idempotent requests. */
  readonly idempotency?: {
    /** Header with the key. */
    readonly header?: string;
    /** Parameter with the key, a member of the body or of the query, for calls without the header. */
    readonly param?: string;
    /** Methods that use it. */
    readonly methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
    /** Header that marks a replayed response. */
    readonly replayed_header?: string;
    /** Header with the id of the first request with this key. */
    readonly original_header?: string;
    /** Whether responses repeat the key in its header. */
    readonly echo?: boolean;
    /** Longest key. */
    readonly max_length?: number;
    /** How long keys are remembered. */
    readonly retention?: string;
    /** Which responses are stored for repeated keys: of every call that ran (`all`), or only of successful ones. */
    readonly keep?: 'all' | 'successes';
  };
  /** Limits for the number of calls in a span of simulated time, by name. Further calls get the limit's error; the first exhausted limit rejects. */
  readonly rate_limits?: Readonly<Record<string, RateLimitFile>>;
  /** Ids of requests. */
  readonly request_id?: {
    /** Text every id starts with. */
    readonly prefix?: string;
    /** A name of `ids`. */
    readonly format?: string;
    /** Header of responses with the id. */
    readonly header?: string;
  };
  /** Headers of every response; request and version are in scope. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What responses have with `--set realistic=on` only, such as headers of the machines before the vendor's API. */
  readonly realistic?: {
    /** Headers of every response; request and version are in scope. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Headers of `headers` and `request_id` that responses don't have then. */
    readonly without?: readonly string[];
    /** The other members are in the order of their names, at any depth. */
    readonly members_sorted?: boolean;
    /** Members that come first in every object of a JSON response, in this order. */
    readonly members_first?: readonly string[];
  };
  /** The response of a delete; `self` is in scope. */
  readonly tombstone?: Json;
  /** Parts of the vendor's API that the pack doesn't emulate: a call at or below a path gets the error, unless an operation has that route; so does every call to a host. */
  readonly outside?: readonly OutsideFile[];
  /** The events of the vendor. */
  readonly events?: {
    /** Resource that events are objects of. */
    readonly resource: string;
    /** Its fields; type, object, snapshot, previous, request and version (of the API) are in scope. */
    readonly with: JsonObject;
    /** A hidden map among its fields, with the event for endpoints with their own version. */
    readonly renderings?: string;
    /** Events (names or globs) that show changes; without a change they are not emitted. */
    readonly previous_attributes?: readonly string[] | string;
    /** How events show objects. */
    readonly snapshot?: {
      /** The value in place of null. */
      readonly null_as?: Json;
    };
    /** Events of other kinds: objects of other resources, for endpoints whose transport has that kind. */
    readonly kinds?: Readonly<
      Record<
        string,
        {
          /** Resource that they are objects of. */
          readonly resource: string;
          /** Its fields; as for `events.with`, and `path` (where the object is retrieved; null: nowhere) and `event` (the ordinary event that it reports; null: none) are in scope. */
          readonly with: JsonObject;
          /** Ordinary events that it reports too if an endpoint subscribes to them. */
          readonly reports?: {
            /** Text before the name of such an event. */
            readonly prefix: string;
            /** Events (names or globs) that it does not report. */
            readonly except?: readonly string[];
          };
        }
      >
    >;
  };
  /** How events are delivered. */
  readonly delivery?: DeliveryFile;
  /** Parameters of calls (of the query, or members of the body) that every expression reads, errors and envelopes too, by the name they have in `request.params`. They are not checked; null where a call has none. */
  readonly request_params?: Readonly<Record<string, string>>;
  /** Headers of calls that expressions read, by the name they have in `request.headers`. `x-meta-*`: all that begin so, as a map of the rest of their names. */
  readonly request_headers?: Readonly<Record<string, string>>;
};

/** Named types that fields and parameters share. */
export type TypesFile = Readonly<Record<string, TypeFile>>;

/** The response of an error. */
export type ErrorFile = {
  /** HTTP status, or an expression of it. */
  readonly status: number | string;
  /** Arguments by name. */
  readonly args?: Readonly<Record<string, TypeFile>>;
  /** The body; null omits a key. */
  readonly body?: Json;
  /** It has no body. */
  readonly empty?: boolean;
  /** Calls that reach no operation get it with any key: `unknown_route` of a vendor that looks at the address first. */
  readonly open?: boolean;
  /** `false`, or the envelope of this error instead of the common one. */
  readonly envelope?: Json;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Description for readers. */
  readonly description?: string;
};

/** Error catalogue and envelope. */
export type ErrorsFile = {
  /** Wraps the body of every error, which is `error` in it. */
  readonly envelope?: Json;
  /** The errors by name. */
  readonly errors: Readonly<Record<string, ErrorFile>>;
};

/** A variant of an external event. */
export type CauseVariantFile = {
  /** Description for readers. */
  readonly description?: string;
  /** The object it happens to, bound to `self`. */
  readonly subject?: {
    /** Parameter with its id. */
    readonly param: string;
    /** Its resource. */
    readonly resource: string;
  };
  /** Parameters by name. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Precondition: rejected unless true. */
  readonly when?: string;
  /** What happens. */
  readonly do: readonly StepFile[];
};

/** An external event, distinguished by the parameter of its subject. */
export type CauseWithVariantsFile = {
  /** Description for readers. */
  readonly description?: string;
  /** The variants. */
  readonly variants: readonly CauseVariantFile[];
};

/** An external event: one variant with its keys here, or several under `variants`. */
export type CauseFile = {
  /** Description for readers. */
  readonly description?: string;
  /** The object it happens to, bound to `self`. */
  readonly subject?: {
    /** Parameter with its id. */
    readonly param: string;
    /** Its resource. */
    readonly resource: string;
  };
  /** Parameters by name. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Precondition: rejected unless true. */
  readonly when?: string;
  /** What happens. */
  readonly do: readonly StepFile[];
};

/** A flow with it may run itself, directly or through others, for values that nest. What nests deeper is rejected. */
export type FlowDepthFile = {
  /** How often it may be running at a time. */
  readonly most: number;
  /** The error of what nests deeper; `most` is passed to it if it has this argument. */
  readonly error: string;
};

/** Named steps that only this file runs. */
export type OwnFlowFile = {
  /** Description for readers. */
  readonly description?: string;
  /** Arguments by name; a resource's name as type means an object of it. */
  readonly args?: Readonly<Record<string, TypeFile>>;
  /** Type of its result. */
  readonly returns?: TypeFile;
  /** How deep it may run itself. */
  readonly depth?: FlowDepthFile;
  /** Its steps. */
  readonly do: readonly StepFile[];
};

/** External events: they happen outside the API. */
export type CausesFile = {
  /** The external events by name. */
  readonly causes: Readonly<Record<string, CauseWithVariantsFile | CauseFile>>;
  /** Flows that only this file runs, by name; one that several files run has a file in flows/. */
  readonly flows?: Readonly<Record<string, OwnFlowFile>>;
};

/** A value, or one for each row of tables. */
export type MagicValueFile = {
  /** Names and the tables of their rows; one entry for each combination. */
  readonly from?: Readonly<Record<string, string>>;
  /** Only rows for which this is true. */
  readonly when?: string;
  /** The value; `${...}` reads the rows. */
  readonly value: string;
  /** Flow that returns the object. */
  readonly run: string;
  /** Arguments of the flow. */
  readonly with?: JsonObject;
  /** Description for readers. */
  readonly description?: string;
};

/** Test values for objects of one resource. */
export type MagicFamilyFile = {
  /** Description for readers. */
  readonly description?: string;
  /** The resource of their objects. */
  readonly stands_for: string;
  /** Pattern of these ids; a value that matches and isn't listed is an error. */
  readonly looks_like: string;
  /** The values. */
  readonly values: readonly MagicValueFile[];
};

/** Test values: ids of objects with a known behavior. */
export type MagicFile = {
  /** Families of test values. */
  readonly families: Readonly<Record<string, MagicFamilyFile>>;
  /** Flows that only this file runs, by name; one that several files run has a file in flows/. */
  readonly flows?: Readonly<Record<string, OwnFlowFile>>;
};

/** A named outcome. */
export type ScenarioFile = {
  /** Names and the tables of their rows; one entry for each combination. */
  readonly from?: Readonly<Record<string, string>>;
  /** Only rows for which this is true. */
  readonly when?: string;
  /** The name that calls send; `${...}` reads the rows. */
  readonly name: string;
  /** Description for readers. */
  readonly description?: string;
  /** The calls that may use it, `collection.operation` each; others are rejected. Default: all. */
  readonly operations?: readonly string[];
  /** A name of errors.yaml: the call fails with it. */
  readonly fail?: string;
  /** Arguments of the error. */
  readonly with?: JsonObject;
  /** How long the response is delayed. */
  readonly delay?: string;
  /** Pins set for the call: resource.path and value. */
  readonly pins?: JsonObject;
  /** Values that `scenario("name")` reads. */
  readonly provide?: JsonObject;
};

/** Named outcomes that a call may ask for. */
export type ScenariosFile = {
  /** The scenarios. */
  readonly scenarios: readonly ScenarioFile[];
};

/** One input. */
export type BrowserInputFile = {
  /** Text beside it. */
  readonly label: string;
  /** Path of the parameter; several share what is typed, divided at what is no digit, or after two digits (`12 / 34`, `1234`). */
  readonly fills: string | readonly string[];
  /** As in HTML, and its id (default: its key). */
  readonly name?: string;
  /** An option of the element that hides it. */
  readonly unless?: string;
  /** Kind of input (default: text). */
  readonly type?: 'text' | 'email' | 'tel' | 'number';
  /** As in HTML. */
  readonly autocomplete?: string;
  /** As in HTML. */
  readonly placeholder?: string;
  /** Initial value. */
  readonly value?: string;
  /** Values to choose from, with their labels; or a table with two of its columns. */
  readonly options?: Readonly<Record<string, string>>;
  /** The error that pages get when it is empty (default: it may be empty). */
  readonly incomplete?: JsonObject;
};

/** One button: the events that the page gets one after the other when it is pressed. */
export type BrowserButtonFile = {
  /** Its text. */
  readonly label: string;
  /** The events, in order. */
  readonly events: readonly {
    /** Its name. */
    readonly event: string;
    /** Its additional members. */
    readonly with?: JsonObject;
    /** A function of the event that the page calls before the next event comes, if it listens at all. */
    readonly waits?: string;
    /** Functions of the event that do nothing. */
    readonly ignores?: readonly string[];
  }[];
};

/** A place for some inputs. Elements of one group with the same meaning go together. */
export type BrowserElementFile = {
  /** Its value where a page passes it: this part of the values of its inputs. */
  readonly stands_for?: string;
  /** Values that are sent with the inputs, by path. */
  readonly with?: Readonly<Record<string, string>>;
  /** The inputs, in order. */
  readonly inputs: Readonly<Record<string, BrowserInputFile>>;
  /** Buttons, in order. After a press, the page sends only this element's values, until something is typed elsewhere. */
  readonly buttons?: Readonly<Record<string, BrowserButtonFile>>;
  /** Additional members of the event `ready`. */
  readonly ready?: JsonObject;
  /** Its frame, where `frames` are given. */
  readonly frame?: {
    /** Its title. */
    readonly title: string;
    /** The end of its `src`. */
    readonly address: string;
  };
  /** Its inputs stand side by side, without labels to look at. */
  readonly line?: boolean;
  /** The way to pay that its inputs are of, above them: a button with this `data-value`. */
  readonly tab?: string;
};

/** A name of `calls`, and the arguments. */
export type BrowserPostedFile = {
  /** The name. */
  readonly call: string;
  /** The arguments. */
  readonly with?: readonly Json[];
};

/** Where its value comes from. */
export type BrowserSentFile = {
  /** Path below an argument, or several: the first that has a value. `.values` of a group of elements is what its inputs fill. */
  readonly from?: string | readonly string[];
  /** A constant. */
  readonly is?: string | number | boolean | null;
  /** Only values of this kind. */
  readonly when?: 'text' | 'map';
  /** Without a value, `with` alone is sent. */
  readonly always?: boolean;
  /** Default members of a map. */
  readonly with?: JsonObject;
};

/** One method: it calls an operation, or leads to a page. */
export type BrowserMethodFile = {
  /** Names of its arguments. */
  readonly takes: readonly string[];
  /** The operation, `collection.name`, which the key must open. */
  readonly operation?: string;
  /** Instead of an operation: the page that the browser goes to. */
  readonly page?: string;
  /** The page is shown in a frame instead: the method returns an object with `mount`, `unmount` and `destroy`. */
  readonly mounts?: {
    /** The operation that returns the object, called whenever the frame has loaded. */
    readonly watches: string;
    /** Paths in the response, and the value that ends it. */
    readonly until: Readonly<Record<string, string | number | boolean | null>>;
    /** Path of the function that is called then. */
    readonly tells?: string;
    /** Where the page goes then. */
    readonly leaves?: {
      /** Path of the address in the response (without one the page stays). */
      readonly to: string;
      /** Paths in the response, and a value; with another value, the page stays. */
      readonly when?: Readonly<Record<string, string | number | boolean | null>>;
      /** Text in the address, and the path of its replacement. */
      readonly fills?: Readonly<Record<string, string>>;
    };
  };
  /** The page is shown over the page instead, when it is asked for: the method returns an object with these methods. */
  readonly opens?: {
    /** Its methods: `open` shows the page, `leave` hides it as the close button does, `remove` hides it without a call, `ignore` does nothing. */
    readonly methods: Readonly<Record<string, 'open' | 'leave' | 'remove' | 'ignore'>>;
    /** Path of the function that is called immediately. */
    readonly ready?: string;
    /** Functions among the arguments, by the names that the shown page posts. */
    readonly calls: Readonly<Record<string, string>>;
    /** Names of `calls` after which the page is hidden. */
    readonly ends?: readonly string[];
    /** The call when it is shown. */
    readonly opened?: BrowserPostedFile;
    /** The call when it is left before its end. */
    readonly left?: BrowserPostedFile;
  };
  /** Where the object's id comes from; see `secret`. A function there is called. */
  readonly id?: string | readonly string[];
  /** Parameters by path, `*` for all members of a map: a source, several, or a map. */
  readonly sends?: Readonly<Record<string, BrowserSentFile | string | readonly string[]>>;
  /** Name of the response in the result. */
  readonly gives?: string;
  /** The person's next action; later entries only where the first ones are empty. */
  readonly next?: readonly {
    /** Path in the response. */
    readonly at: string;
    /** `frame`: over the page, which continues when it is done; `page`: instead of it. */
    readonly opens: 'frame' | 'page';
  }[];
  /** The method that looks at the object again, by its first argument, when a frame is done. */
  readonly again?: string;
  /** Path in the last response: a value there is the error. */
  readonly fails_at?: string;
  /** Arguments by path, and a value with which nothing of `next` is opened. */
  readonly stays?: Readonly<Record<string, string | number | boolean | null>>;
  /** Where the page goes when it is done. */
  readonly leaves?: {
    /** Source of the address (without one the page stays). */
    readonly to: string;
    /** Arguments by path, and a value with which it stays. */
    readonly unless?: Readonly<Record<string, string | number | boolean | null>>;
    /** Parameters of the address: paths in the response, or `=text`. */
    readonly adds?: Readonly<Record<string, string>>;
  };
};

/** An object of the API with its own elements and actions. */
export type BrowserSessionFile = {
  /** Where its id comes from in the options, or several: the first existing one. A function there is called, a promise awaited. */
  readonly id: string | readonly string[];
  /** The method that looks at it, by its first argument. */
  readonly again: string;
  /** The method of the object that promises `{type, actions}`. */
  readonly loads: string;
  /** The action that shows the last state. */
  readonly shows: string;
  /** Member of the state: whether the page may continue. It is false while elements are incomplete. */
  readonly may?: string;
  /** Methods that make an element, and its kind. */
  readonly elements: Readonly<Record<string, string>>;
  /** Its actions: methods with two more arguments, `session` (its last state) and `elements`. */
  readonly actions: Readonly<Record<string, BrowserMethodFile>>;
};

/** The vendor's library for pages in browsers: the script that pages load, as data. */
export type BrowserFile = {
  /** Paths where the script is served, without a key. */
  readonly script: readonly string[];
  /** Name of the function that the script defines; a page calls it with its key. Without `key`, of an object with the methods. */
  readonly global: string;
  /** The `version` of that function, by the path from which the script was loaded. */
  readonly versions?: Readonly<Record<string, string | number>>;
  /** The key that pages have: a name of `auth.others`, with `browsers: true`. Without one, methods only open pages. */
  readonly key?: string;
  /** Place of the pages' error in the body of a failed call. */
  readonly error?: string;
  /** The error that pages get when no response comes. */
  readonly unreachable?: JsonObject;
  /** In an id: what ends it. So `pi_1_secret_2` names the object `pi_1`. */
  readonly secret?: string;
  /** Methods that do nothing. */
  readonly ignores?: readonly string[];
  /** Methods that return an object, by its methods, with their promises. Its `on`, `off` and `once` take listeners that nothing calls. */
  readonly objects?: Readonly<
    Record<string, Readonly<Record<string, string | number | boolean | JsonObject | readonly Json[] | null>>>
  >;
  /** Inputs for people, in groups. */
  readonly elements?: {
    /** The method that makes a group of them; the page's options of the group are its members. */
    readonly method: string;
    /** The member with the name by which frameworks refer to an element. */
    readonly named_by?: string;
    /** Elements that `create` of a group makes, by their names there. */
    readonly kinds: Readonly<Record<string, BrowserElementFile>>;
    /** The frames of elements and of pages over the page. Without it elements are in the page itself. */
    readonly frames?: {
      /** Prefix of frame names; a number follows. */
      readonly name: string;
      /** Frames over the page; the shown page is in an inner one. */
      readonly over: {
        /** Its title. */
        readonly title: string;
        /** The end of its `src`. */
        readonly address: string;
        /** Id of the frame inside. */
        readonly inner: string;
      };
    };
  };
  /** Methods that the sandbox does not emulate, and what to use instead: a page that calls one gets this error. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Methods that return an object of the API with its own elements and actions, for a form that the vendor adds up. The method takes options; what it gives is also a promise of the same with the actions. */
  readonly sessions?: Readonly<Record<string, BrowserSessionFile>>;
  /** Its methods for pages. */
  readonly methods: Readonly<Record<string, BrowserMethodFile>>;
};

/** The vendor's own MCP server and the names of its tools, so that agents made for it run unchanged. Every other operation is a tool by a generated name. */
export type McpFile = {
  /** The server itself. */
  readonly server: {
    /** The server's name. */
    readonly name: string;
    /** The same for people. */
    readonly title?: string;
    /** Names of its machines; `sandbox exec --redirect` sends these here. */
    readonly hosts?: readonly string[];
    /** Path of the endpoint at these hosts (default: `/`). */
    readonly path?: string;
  };
  /** The API version of its tools (default: the account's). */
  readonly version?: string;
  /** Default toolsets of an agent; without it, every tool of this file. */
  readonly default?: readonly string[];
  /** Names that tools had before, with their names now. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Tools that clients select together with `?toolsets=`. Each collection of the pack is a toolset too, and `all`. */
  readonly toolsets?: Readonly<
    Record<
      string,
      {
        /** Their purpose. */
        readonly description?: string;
        /** The API version of these tools (default: that of all). */
        readonly version?: string;
        /** Operations whose generated tools belong to the set; `orders.*` means all of a collection. */
        readonly operations?: readonly string[];
      }
    >
  >;
  /** How agents find and call operations by ids instead of by one tool each. Every pack has these tools (`?tools=discover`); this has the vendor's names of the operations, and the texts of its server. */
  readonly discover?: {
    /** The operations by the vendor's ids. Without it, every operation of the pack by the name of its tool. */
    readonly operations?: Readonly<
      Record<
        string,
        {
          /** The operation: `collection.name`. */
          readonly operation?: string;
          /** Method and path at the vendor, if the pack lacks the operation. */
          readonly call?: string;
          /** What the vendor calls it (default: its title). */
          readonly title?: string;
          /** A hint for agents. */
          readonly note?: string;
          /** The vendor's words for its subject. */
          readonly tags?: readonly string[];
          /** The vendor's names of the rights that it needs. */
          readonly permissions?: readonly string[];
          /** The error of its calls; `${NAME}` is a parameter of the call (default: as for an unknown id). */
          readonly rejects?: string;
          /** The response of its calls, if the pack lacks it. */
          readonly returns?: Json;
        }
      >
    >;
    /** The sentence in an error of the API (JMESPath; default: the whole response). */
    readonly message?: string;
    /** What an agent reads of an error: `${message}` and `${id}` are in it. */
    readonly failed?: string;
    /** The same for an id that there is not: `${id}`. */
    readonly unknown?: string;
    /** The same for missing parameters: `${names}` and `${place}` (path, query or body). */
    readonly missing?: string;
    /** What parameters of paths are called: `own`, as the routes say (default), or `id` for the last one of a path and `NAME_id` for those before. */
    readonly path_names?: 'own' | 'id';
    /** The first call of a tool that writes returns a token, and the second brings it: `true` or `${vars.NAME}`. */
    readonly confirm?: string;
  };
  /** Arguments that tools require and that must have these values. Anything else fails before the tool is called. */
  readonly context?: Readonly<
    Record<
      string,
      {
        /** The value, such as `${vars.account}`. */
        readonly is: string | number | boolean;
        /** Its JSON type. */
        readonly type?: string;
        /** Description for the agent. */
        readonly description?: string;
        /** The error for another value. */
        readonly otherwise: string;
      }
    >
  >;
  /** The vendor's own tools. */
  readonly tools?: readonly {
    /** The vendor's name for it. */
    readonly name: string;
    /** The operation that it calls: `collection.name`. */
    readonly operation?: string;
    /** The argument that chooses one of the `cases`. */
    readonly by?: string;
    /** The operations by values of that argument. A case takes those arguments of the tool that its operation has. */
    readonly cases?: Readonly<
      Record<
        string,
        {
          /** The operation: `collection.name`. */
          readonly operation: string;
          /** Parameters that every call of it has. */
          readonly with?: JsonObject;
          /** Its part of a successful response (JMESPath). */
          readonly show?: string;
          /** Calls before that of the operation, in order. The parameters of each are JMESPath over `args`, the arguments of the tool, and the responses before it, by their names. An error is the tool's result. */
          readonly first?: readonly {
            /** The name of its response. */
            readonly as: string;
            /** The operation: `collection.name`. */
            readonly operation: string;
            /** Its parameters. */
            readonly with?: Readonly<Record<string, string>>;
          }[];
          /** Parameters of the operation as JMESPath over `args` and the responses of `first`; null: left out. */
          readonly from?: Readonly<Record<string, string>>;
          /** Headers of the call, such as `accept`. */
          readonly headers?: Readonly<Record<string, string>>;
          /** Where arguments of the tool go in this operation, if another place than in the others. */
          readonly to?: Readonly<Record<string, string>>;
        }
      >
    >;
    /** Instead of calling one operation: `search` finds operations, `details` describes one, `read` and `write` call one by its id, `documents` searches the texts of the pack, `query` counts and sums the objects of the world. */
    readonly does?: 'search' | 'details' | 'read' | 'write' | 'documents' | 'query';
    /** Instead of calling an operation: its result, with `${vars.NAME}` in its texts. */
    readonly returns?: Json;
    /** A tool with `does` or `returns` requires the arguments of `context` (default: true). */
    readonly context?: boolean;
    /** The same for people. */
    readonly title?: string;
    /** Purpose, in a sentence for the agent. */
    readonly description?: string;
    /** The toolset that it belongs to (default: `default`). */
    readonly toolset?: string;
    /** Its arguments; parameters of the operation that are not named are not offered. */
    readonly params?: Readonly<
      Record<
        string,
        {
          /** Where the value goes: a parameter of the operation, or a place in one (`items[0][price]`), or a map of parameters with `${it}` for the value. Default: the parameter of the same name. */
          readonly to?: string | JsonObject;
          /** It is optional. */
          readonly optional?: boolean;
          /** Description for the agent. */
          readonly description?: string;
          /** Its JSON type, instead of that of the parameter. */
          readonly type?: string;
          /** Its format, as JSON Schema calls it. */
          readonly format?: string;
          /** More of its JSON Schema, such as `maximum`. */
          readonly schema?: JsonObject;
          /** The values for which those of the agent stand. */
          readonly values?: Readonly<Record<string, string>>;
          /** How the operation takes the text that the agent gives. */
          readonly encode?: 'base64';
        }
      >
    >;
    /** Parameters of the operation that every call has. */
    readonly with?: JsonObject;
    /** Its part of a successful response (JMESPath; default: all). */
    readonly show?: string;
    /** Calls before that of the operation, in order. The parameters of each are JMESPath over `args`, the arguments of the tool, and the responses before it, by their names. An error is the tool's result. */
    readonly first?: readonly {
      /** The name of its response. */
      readonly as: string;
      /** The operation: `collection.name`. */
      readonly operation: string;
      /** Its parameters. */
      readonly with?: Readonly<Record<string, string>>;
    }[];
    /** Parameters of the operation as JMESPath over `args` and the responses of `first`; null: left out. */
    readonly from?: Readonly<Record<string, string>>;
    /** Headers of the call, such as `accept`. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Members that a response lacks where they are null, false, 0, or an empty text, list or map; at any depth. */
    readonly omit_empty?: readonly string[];
    /** Its kind of effect, where the operation suggests another. */
    readonly hints?: {
      /** It changes nothing. */
      readonly readOnlyHint?: boolean;
      /** Its changes can't be undone. */
      readonly destructiveHint?: boolean;
      /** The second call changes nothing more. */
      readonly idempotentHint?: boolean;
    };
  }[];
};

/** GraphQL over the same resources: the schema in its own language, and the sources of its fields. Every change is a call of an operation. */
export type GraphqlFile = {
  /** Path of its POST route (default: `/graphql`). */
  readonly path?: string;
  /** The schema in GraphQL's schema language; default: the file schema.graphql beside this one. */
  readonly schema?: string;
  /** Types that are resources. Their fields are the members of the object by name, `createdAt` being `created_at`. */
  readonly types?: Readonly<Record<string, string>>;
  /** The operation that finds the object of an id, where ids don't begin as their types do. Its response has `__typename` and what `with` of fields with `of` needs. */
  readonly node?: {
    /** The operation that it calls: `collection.name`. */
    readonly operation: string;
    /** Its parameters: JMESPath over `id`. */
    readonly with: Readonly<Record<string, string>>;
  };
  /** Sources of the other fields, by type and field. */
  readonly fields?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            /** JMESPath over `self`, the object, and `args`; instead of an operation. A list for a type `...Connection` becomes a connection. */
            readonly value?: string;
            /** The operation that it calls: `collection.name`. */
            readonly operation?: string;
            /** An id (JMESPath over `self` and `args`): its result of `node` is `of` in `with`. */
            readonly of?: string;
            /** Ids, or lists of ids (JMESPath over `self` and `args`), each under a name: what `node` finds for them is `named` in `with`. */
            readonly named?: Readonly<Record<string, string>>;
            /** Its parameters: JMESPath over `self` and `args`. Null omits one; without a value for its path the field is null. */
            readonly with?: Readonly<Record<string, string>>;
            /** The field's value in the response (JMESPath). */
            readonly show?: string;
            /** The items in the response (JMESPath): the field is a connection of them. */
            readonly items?: string;
            /** Which items the arguments ask for (JMESPath over `item`, `args` and `self`). */
            readonly filter?: string;
            /** When the last item comes first (JMESPath over `args` and `self`). */
            readonly reverse?: string;
            /** Whether the list continues after this response (JMESPath). */
            readonly more?: string;
            /** If the response is 404, the field is null without an error. */
            readonly absent?: boolean;
            /** The response is the object in `of`, read after the call. */
            readonly again?: boolean;
            /** The parameter that counts pages from 1, instead of `more` and `next`: pages are asked for until one has fewer items than the first. */
            readonly pages?: string;
            /** Parameters that the following page has beside them (JMESPath over the response). */
            readonly next?: Readonly<Record<string, string>>;
          }
        >
      >
    >
  >;
  /** Fields that nothing gives: with `empty` they are null, or an empty value of their type where it allows no null (for whole schemas of vendors, whose clients ask for every field). Default: an error. */
  readonly rest?: 'empty';
  /** Members of an error for a document with a field or type that the schema lacks: JMESPath over `type`, `field` (null: there is no such type), `argument`, `path` and `message`. */
  readonly invalid?: string;
  /** Members of an error for a response that is one: JMESPath over `status` and `body`. */
  readonly error?: string;
};

/** A call of a vendor's API, or an external event. In a company file names begin with `vendor/`. */
export type BeginningFile = {
  /** The operation: `collection.operation`. */
  readonly call?: string;
  /** The external event. */
  readonly cause?: string;
  /** Parameters, with `${name.field}` of saved responses. */
  readonly with?: JsonObject;
  /** The name that keeps the response of the call. */
  readonly as?: string;
};

/** The repeated actions of one kind of user. In a company file, names begin with `vendor/`. */
export type ActorFile = {
  /** Who it is, for readers. */
  readonly description?: string;
  /** The mean time between two times, such as `2d`; each is a matter of chance. */
  readonly every: string;
  /** Most times (default: any number). */
  readonly most?: number;
  /** It acts on one of these objects, by chance; the object is `self`. */
  readonly of?: string;
  /** An expression over `self`; objects where it is false are left alone. */
  readonly where?: string;
  /** Random choices of each turn, by name: values with their weights; `chosen.NAME` in expressions. */
  readonly choose?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Its actions, in order, until a vendor rejects one. */
  readonly do: readonly {
    /** The operation: `collection.operation`. */
    readonly call?: string;
    /** The external event. */
    readonly cause?: string;
    /** Parameters, with `${self...}`, `${chosen.NAME}`, `${drawn.name}` and so on, and what was kept. */
    readonly with?: JsonObject;
    /** Name of the response for later steps. */
    readonly as?: string;
    /** An expression; the act is skipped where it is false. */
    readonly if?: string;
    /** How often it happens, in percent (default: 100). */
    readonly chance?: number;
  }[];
};

/** Simulated users of the vendor over simulated time, for companies that name them; `sandbox live company.yaml`. */
export type ActorsFile = {
  /** Setup calls of the actors, in order, before the first one acts. */
  readonly begin?: readonly BeginningFile[];
  /** Actors by their names. Operations, external events and collections are the pack's. */
  readonly actors: Readonly<Record<string, ActorFile>>;
};

/** Facts of the document about an operation. */
export type FactsOperationFile = {
  /** Parameters of query and body by name; those of the path are not here. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Headers that it reads, apart from those that every operation reads. */
  readonly headers?: readonly string[];
  /** Media types that it returns beside JSON, on request. */
  readonly returns?: readonly string[];
};

/** Names, types and bounds of the vendor's own document, written by `sandbox facts`: for everything that the pack itself doesn't declare. */
export type FactsFile = {
  /** The documents that the facts are from. */
  readonly document: string;
  /** Operations have only those parameters that the pack lacks: `validate-pack` doesn't compare the others. */
  readonly partial?: boolean;
  /** The operations of the vendor's whole API, by method and path. */
  readonly operations: Readonly<Record<string, FactsOperationFile>>;
  /** What differs from a version of the vendor's API on: its operations, and those that it lacks. */
  readonly versions?: Readonly<
    Record<
      string,
      {
        /** The operations that differ, by method and path. */
        readonly operations?: Readonly<Record<string, FactsOperationFile>>;
        /** Operations that the version lacks. */
        readonly gone?: readonly string[];
      }
    >
  >;
  /** Types of the vendor's whole GraphQL schema with the names of their members, such as `issues(first,after)`. */
  readonly graphql?: Readonly<Record<string, readonly string[]>>;
  /** Qualifiers of the vendor's searches, by names of the pack's `searches`: `project`, `is:blocked` of one value, `type:*` of others. Kept by `sandbox facts`. */
  readonly searches?: Readonly<Record<string, readonly string[]>>;
  /** Where the vendor differs from its own document: rules of it that the vendor doesn't enforce. */
  readonly differs?: readonly {
    /** Parameters, as `a.b` below others. */
    readonly params: readonly string[];
    /** Rules of the document that the vendor doesn't enforce; `unknown`: the vendor has the parameter, the document doesn't. */
    readonly rules: readonly (
      | 'required'
      | 'type'
      | 'enum'
      | 'minimum'
      | 'maximum'
      | 'min_length'
      | 'max_length'
      | 'pattern'
      | 'items'
      | 'unknown'
    )[];
    /** The operations that it's about (default: all). */
    readonly operations?: readonly string[];
    /** How the vendor is known to differ. */
    readonly reason: string;
  }[];
};

/** Signs by which an agent could notice that it isn't at the vendor. Each is closed by a test, or declared with a reason. */
export type TellsFile = {
  /** Where signs come from. */
  readonly sources?: readonly string[];
  /** The signs. */
  readonly tells: readonly {
    /** The difference, as an agent sees it. */
    readonly sign: string;
    /** Its kind. */
    readonly of:
      | 'tools'
      | 'headers'
      | 'addresses'
      | 'ids'
      | 'times'
      | 'accounts'
      | 'members'
      | 'errors'
      | 'limits'
      | 'catalogue'
      | 'order'
      | 'texts';
    /** Its names in a source. */
    readonly ids?: readonly string[];
    /** The test that keeps it closed: its file, ` > ` and its title or the beginning. */
    readonly closed?: string;
    /** Closed with `--set realistic=on` only. */
    readonly realistic?: true;
    /** The reason why it stays. */
    readonly declared?: string;
  }[];
};

/** One way out of a state. */
export type TransitionFile = {
  /** The state it leads to; without it the state stays. */
  readonly target?: string;
  /** A name of `guards`, or an expression: taken only when true. */
  readonly guard?: string;
  /** Names of step lists in `actions`. */
  readonly actions?: readonly string[] | string;
  /** Leaves and enters the state even when it stays the same. */
  readonly reenter?: boolean;
  /** Meaning for readers. */
  readonly description?: string;
};

/** A target state, a transition, or a list of candidates, of which the first with a true guard applies. */
export type TransitionsFile = TransitionFile | readonly (TransitionFile | string)[] | string | null;

/** A state of the machine. */
export type StateFile = {
  /** Triggers and where they lead. */
  readonly on?: Readonly<Record<string, TransitionsFile>>;
  /** Names of delays or durations, and where the state leads when they are over. */
  readonly after?: Readonly<Record<string, TransitionsFile>>;
  /** Tried as soon as the state is entered. */
  readonly always?: TransitionsFile;
  /** Names of step lists done when the state is entered. */
  readonly entry?: readonly string[] | string;
  /** Names of step lists done when the state is left. */
  readonly exit?: readonly string[] | string;
  /** `final`: nothing leads out of it. */
  readonly type?: 'final';
  /** Meaning for readers. */
  readonly description?: string;
} | null;

/** Life cycle of the resource: a flat XState v5 machine. */
export type MachineFile = {
  /** The state an object starts in. */
  readonly initial: string;
  /** The states. */
  readonly states: Readonly<Record<string, StateFile>>;
  /** Triggers that every state handles, unless it handles them itself. */
  readonly on?: Readonly<Record<string, TransitionsFile>>;
  /** Meaning for readers. */
  readonly description?: string;
};

/** Kind of operation; only needed when its name doesn't show it. */
export type OperationKind = 'create' | 'retrieve' | 'update' | 'delete' | 'list' | 'search' | 'action';

/** A header or a parameter of a call, and the value that it has. */
export type DispatchFile = {
  /** Name of a header. */
  readonly header?: string;
  /** Name of a parameter in the query. */
  readonly query?: string;
  /** Name of a parameter in the query, or of a member of a body in JSON or form encoding. */
  readonly param?: string;
  /** Its value, to the letter. */
  readonly is?: string;
};

/** A body that is not the usual JSON, and when it is sent. */
export type ContentFile = {
  /** Media type of the Accept header that asks for it, such as `text/csv` or `*.diff`: what the caller prefers wins, and without that header the usual body does. A list has several. */
  readonly accept?: readonly string[] | string;
  /** Condition under which it fits; `params`, `request`, `self` and `result` are in scope. */
  readonly when?: string;
  /** HTTP status instead of the operation's. */
  readonly status?: number;
  /** Its Content-Type. */
  readonly type?: string;
  /** The text; `params`, `request`, `self` and `result` are in scope. Without text or base64 there is no body. */
  readonly text?: Json;
  /** The bytes, in base64. */
  readonly base64?: Json;
  /** A caller may ask for a part of it (`Range`): 206, or `range_not_satisfiable`. Of several parts at once it gets all of the body; with `several`, these parts as `multipart/byteranges`. */
  readonly ranges?: true | false | 'several';
};

/** A route. */
export type OperationFile = {
  /** Kind of operation; only needed when its name doesn't show it. */
  readonly kind?: OperationKind;
  /** Method and path, or several. */
  readonly route?: readonly string[] | string;
  /** Which calls of the route mean this operation, where several share a method and path. Without `is`, the header or parameter only has to be there. Of several that fit, the one with the most conditions is called; one without `dispatch` takes the other calls. */
  readonly dispatch?: readonly DispatchFile[] | DispatchFile;
  /** The document of facts.yaml has another call at its route, such as another vendor's: its facts don't hold here. */
  readonly undocumented?: true;
  /** Parameters by name. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Rules between its parameters. */
  readonly rules?: readonly RuleFile[];
  /** The body of the request is one parameter as a whole, instead of a map of parameters. */
  readonly body?: {
    /** Name of the parameter; `params` may set its type, and the rules for its content. */
    readonly as: string;
    /** Its form. `bytes`, a map of `type`, `size` and `base64`; `text`; `lines`, a list of the JSON values of its lines; `list`, a JSON list (a JSON map still is a map of parameters). */
    readonly type: 'bytes' | 'text' | 'lines' | 'list';
    /** Content types that are read so, such as `image/*`; others are read by default rules. Default: all for bytes, `text/*` for text, those of JSON and of JSON lines for the others. */
    readonly accept?: readonly string[];
    /** A content coding (`Content-Encoding`) whose bodies bring their bytes in chunks of their own, as the chunked coding of HTTP/1.1 does, with signatures and trailers: the bytes are read without the frame, and `trailers` are a map with names in lower case. Only for bytes. */
    readonly framed?: string;
  };
  /** The largest body of a request (default: `encoding.max_body` of pack.yaml, else 1MiB). A larger one is `body_too_large`. */
  readonly max_body?: string;
  /** Values bound before `do`, in order. */
  readonly let?: Readonly<Record<string, BoundFile>>;
  /** Its steps. */
  readonly do?: readonly StepFile[];
  /** Its result, instead of `self`. */
  readonly return?: Json;
  /** HTTP status of the response (default 200), or an expression of it; `params`, `request`, `self`, `result` and what `let` binds are in scope. */
  readonly status?: number | string;
  /** Filters of a list by parameter name. */
  readonly filters?: Readonly<Record<string, TypeFile>>;
  /** Condition for every item of a list or a search; `item` and `params` are in scope. */
  readonly where?: string;
  /** The objects (or their ids) that a list is of, instead of all; `params`, `parent` and `request` are in scope. Filters, order and pages work by default rules. */
  readonly over?: string;
  /** View of an object in a list, instead of its response; `item` and `params` are in scope. */
  readonly each?: Json;
  /** Field that the list is sorted by. */
  readonly sort?: string;
  /** Oldest or smallest first. */
  readonly ascending?: boolean;
  /** Names in `auth.others` of pack.yaml whose keys may call it too. */
  readonly keys?: readonly string[];
  /** Fields for searches: names and types. */
  readonly fields?: Readonly<Record<string, TypeFile>>;
  /** The shape in which the resource's objects are returned, a name of its `shapes`. */
  readonly shape?: string;
  /** How messages call the operation. */
  readonly title?: string;
  /** Meaning for readers. */
  readonly description?: string;
  /** `at_once`: the response shows the result of the steps; waits of no length end after it is written. */
  readonly answer?: 'at_once';
  /** `tombstone`: an object that was deleted is returned as its tombstone instead of not found. */
  readonly deleted?: 'tombstone';
  /** It needs no key. `true`: anybody may call it, so what it creates is bounded (`at_most` of the resource). `secret`: callers bring a secret of their own, such as a code or an address, which its steps check. */
  readonly open?: true | false | 'secret';
  /** Scopes that a token (`auth.tokens` of pack.yaml) needs to call it, all of them. */
  readonly scopes?: readonly string[];
  /** Scopes of which a token must have one. */
  readonly any_scope?: readonly string[];
  /** How this list is returned, where it differs from its resource or pack.yaml. */
  readonly lists?: ListsFile;
  /** Headers of its response; `params`, `request`, `self` and `result` are in scope, of a list the names of its envelope. Null omits one. `X-Meta-*` takes a map: a header for each member. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookies (of pack.yaml `cookies`) that its response sets, with the variables of `headers`; null: none, empty: deletes it. */
  readonly cookies?: Readonly<Record<string, Json>>;
  /** A body that is not the usual JSON, or several, of which the first that fits is sent. */
  readonly content?: readonly ContentFile[] | ContentFile;
  /** Long polling: until it holds, what the call did is taken back, and done again after the next commit. The last time, when `at_most` is over, counts. */
  readonly wait?: {
    /** Condition under which the response is sent; it has the variables of `status`. */
    readonly until: string;
    /** The longest wait, a duration such as `seconds(params.timeout)`: of simulated or real time, which ends first; at most 10m. */
    readonly at_most: string;
  };
  /** A response that comes bit by bit, as server-sent events. */
  readonly stream?: {
    /** Whether the call asks for a stream (default: always); else the response is JSON. */
    readonly when?: string;
    /** The events in order: a list of their data, or of `{event, id, data}`; `params`, `request`, `self` and `result` are in scope. */
    readonly events: string;
    /** Data of the last event, such as `[DONE]`. */
    readonly done?: string;
    /** Real time between two events, at most 1m (default: none): a duration such as `40ms`, or an expression that is one, such as `duration(token_time)`; null: none. */
    readonly every?: string;
    /** The stream stays open until this is true: `events` are computed again after each commit, and those behind the ones already sent go out. `Last-Event-ID` continues behind that event. */
    readonly until?: string;
    /** Real time after which a comment keeps an open stream alive, at least 1s (default: none). */
    readonly ping?: string;
    /** The event for a fault's `error_event`; `error` is in scope. */
    readonly broken?: Json;
    /** Steps for a caller who disconnects before the end; `self` and `sent` (how many events) are in scope. */
    readonly closed?: readonly StepFile[];
  };
};

/** When it is emitted. */
export type EventFile = {
  /** Emitted when an object is created or deleted, or an `update` operation changes it. `changed`: at the end of any command that changed a field or the status of an object that was there before, once. */
  readonly on?: 'created' | 'updated' | 'changed' | 'deleted';
  /** Emitted when the machine enters this state (or one of these). */
  readonly enter?: readonly string[] | string;
  /** Only emitted by an `emit` step. */
  readonly emit?: true;
  /** Only when this is true. */
  readonly when?: string;
  /** The kind of event that it is, a name of `events.kinds` of pack.yaml; default: an ordinary one. */
  readonly kind?: string;
  /** Object of the event instead of the whole one, evaluated when it is emitted; `self` is in scope. */
  readonly snapshot?: Json;
  /** Name for people. */
  readonly title?: string;
  /** Description for readers. */
  readonly description?: string;
};

/** A value that a test may pin. */
export type PinFile = {
  /** The moment it binds: created, seed, always, a status, or several statuses. */
  readonly at: readonly string[] | string;
  /** Type of the pinned value. */
  readonly type?: TypeFile;
  /** The pack's own steps read the pin (`pinned`, `with_pins`) and write the field; it is not overwritten. */
  readonly by_steps?: boolean;
  /** Expression: a list of a value's problems ({param, message}); such a value can't be pinned. `self`, `value` and `path` are in scope. */
  readonly problems?: string;
  /** Description for readers. */
  readonly description?: string;
};

/** The condition of a qualifier of a search. */
export type SearchQualifierFile = {
  /** What of an `item` is compared: text or a list of texts (without case), a number or a timestamp (also `>5`, `<=5`, `1..5`, `*..5`), or true and false. */
  readonly of?: string;
  /** What `of` is, where its own type does not say; a timestamp is `time`. */
  readonly type?: 'text' | 'number' | 'time' | 'boolean';
  /** How a text is compared (default: whole). */
  readonly match?: 'whole' | 'start' | 'part';
  /** The values that it can have, and what each asks of an `item`. */
  readonly values?: Readonly<Record<string, string>>;
  /** A condition on `item` and `value`. */
  readonly where?: string;
  /** Its values name the `words` that are looked at. */
  readonly texts?: true;
  /** It has no effect here. */
  readonly ignored?: true;
  /** The value to compare instead of `value`, such as the id for a name; null finds nothing. */
  readonly value?: string;
  /** Whether there is what `value` names. */
  readonly exists?: string;
  /** Values may be several, separated by commas: one is enough. */
  readonly several?: boolean;
  /** If a search has it several times, one is enough (default: all). */
  readonly any?: boolean;
};

/** An error of the pack, and its arguments. */
export type SearchErrorFile = {
  /** Its name. */
  readonly error: string;
  /** Its arguments. */
  readonly with?: JsonObject;
};

/** How a text is read that people search with, such as `crash label:"help wanted" -author:mona created:>2025-01-01`. */
export type TextSearchFile = {
  /** Description for readers. */
  readonly description?: string;
  /** Type of the items, if the call gives them (default: objects of the resource). */
  readonly item?: TypeFile;
  /** The texts of an `item` in which words and phrases are looked for, by the names that a qualifier with `texts` has. */
  readonly words: Readonly<Record<string, string>>;
  /** The name before a colon, and what it asks of an `item`. */
  readonly qualifiers?: Readonly<Record<string, SearchQualifierFile>>;
  /** Values that are replaced by others, such as `@me` by the caller. */
  readonly stand_ins?: Readonly<Record<string, string>>;
  /** The longest text, in characters. */
  readonly longest?: number;
  /** The most AND, OR and NOT in a text. */
  readonly operators?: number;
  /** Errors for what can't be read; what has none is forgiven. `qualifier` and `value` (what was written) are in scope. */
  readonly errors?: {
    /** The text is empty. */
    readonly empty?: SearchErrorFile;
    /** It is longer than `longest`. */
    readonly too_long?: SearchErrorFile;
    /** It has more than `operators`. */
    readonly too_many_operators?: SearchErrorFile;
    /** It has no term. */
    readonly only_operators?: SearchErrorFile;
    /** A quote or a parenthesis is open, or an operator has no term. */
    readonly unreadable?: SearchErrorFile;
    /** A name before a colon is no qualifier (else it is a word with its value). */
    readonly unknown_qualifier?: SearchErrorFile;
    /** The qualifier has no such value (else it finds nothing). */
    readonly bad_value?: SearchErrorFile;
    /** What the value names does not exist (else it finds nothing). */
    readonly not_there?: SearchErrorFile;
  };
};

/** A resource: its fields, life cycle, operations, events and pins. */
export type ResourceFile = {
  /** Name in this pack. */
  readonly resource: string;
  /** Plural name; faults, seeds, state and traces use it. */
  readonly collection: string;
  /** How messages call it (default: its name). */
  readonly title?: string;
  /** Description for readers. */
  readonly description?: string;
  /** Where its routes start (default: base_path/collection). */
  readonly path?: string;
  /** How ids look. */
  readonly id?: {
    /** Text every id starts with; one for each value of the field `by`: `{ public: C, direct: D }`. */
    readonly prefix?: Readonly<Record<string, string>> | string;
    /** The field (an enum) whose value decides the prefix. */
    readonly by?: string;
    /** A name of pack.yaml `ids`: the part after the prefix. */
    readonly format?: string;
    /** Pattern of ids from callers. */
    readonly pattern?: string;
    /** Names in routes that together are the id, joined by `/`: `[owner, repo]` for /repos/{owner}/{repo}. */
    readonly key?: readonly string[];
    /** Ids that differ only in case are the same; an object keeps the case of its creation. */
    readonly ignore_case?: boolean;
    /** Where an object is that a call names and that isn't there (`id`); null, nowhere. Such a call gets the error `moved`, with the path of the same call by the new id. */
    readonly moved?: string;
  };
  /** Settings of its lists, if they differ from pack.yaml. */
  readonly lists?: ListsFile;
  /** Encoding of its request bodies, if it differs from pack.yaml `encoding.requests`. */
  readonly requests?: 'form' | 'json' | 'multipart';
  /** Timestamp field that lists sort by, newest first. */
  readonly order?: string;
  /** How long a company that lives (`sandbox live`) keeps each object, from its `order` on. For records such as events, which no field refers to and which have no machine. */
  readonly retention?: string;
  /** How many objects there are: when a call creates another one, the oldest go without a trace. For objects that calls without a key create. */
  readonly at_most?: {
    /** How many of the newest stay. */
    readonly objects: number;
    /** Field with the time until which an object is of use: later, it goes with the next that is created. */
    readonly until?: string;
  };
  /** Exactly one object, made at reset; its id is the name of the resource. */
  readonly singleton?: boolean;
  /** Its objects belong to no tenant, and all tenants can see them. Needs `tenants` of pack.yaml. */
  readonly shared?: boolean;
  /** Fields that lists filter and `find` looks up by. */
  readonly indexes?: readonly string[];
  /** The field that refers to what its objects belong to. Routes that name the parent find it first (else `not_found`, also where its `access` hides it): `parent` is in scope, lists hold what is in it, `create` fills the field in. */
  readonly parent?: string | Readonly<Record<string, readonly string[]>>;
  /** Who may reach its objects. Each rule is asked before the steps of operations that name an object; lists omit rejected objects. Where routes name the parent, rules that do not read `self` are asked of it first, also before `create` and lists. */
  readonly access?: readonly {
    /** Whether the caller may; `self` (the object), `parent` (its owner) and `actor` (the caller) are in scope. */
    readonly allow: string;
    /** The error for everyone else (default: `not_found`, as if the object were not there). */
    readonly else?: string;
    /** Arguments of the error (known for `not_found`). */
    readonly with?: Readonly<Record<string, Json>>;
    /** Names of the operations that it is for (default: all). */
    readonly for?: readonly string[];
  }[];
  /** Version tags of its objects: responses that are one carry an `ETag` (and `Last-Modified`), reads with the same tag are 304, changes with another `If-Match` or an earlier `If-Unmodified-Since` are `precondition_failed`. */
  readonly tag?: {
    /** The tag, without quotes; `self` is in scope (default: a digest of the stored object). */
    readonly value?: string;
    /** Tags begin with `W/`. */
    readonly weak?: boolean;
    /** The timestamp field that `Last-Modified` shows. */
    readonly modified?: string;
    /** Names of operations that need a condition: without one they are `precondition_required`. */
    readonly required?: readonly string[];
  };
  /** Its objects are messages to people: how the mailbox of the world shows them, for tests and in the inspector. `self` is in scope. */
  readonly message?: {
    /** Only objects for which this is true. */
    readonly when?: string;
    /** How it is sent: `mail` (default), `text` or another word. */
    readonly way?: Json;
    /** Whom it goes to: an address, or a list of them. */
    readonly to: Json;
    /** Whom it comes from. */
    readonly from?: Json;
    /** Its subject. */
    readonly subject?: Json;
    /** Its text. */
    readonly text?: Json;
    /** Its text as HTML. */
    readonly html?: Json;
    /** When it was sent, a timestamp (default: its `order`). */
    readonly at?: string;
    /** The one-time code in it. Without it, numbers of 4 to 8 digits in the text are its codes. */
    readonly code?: Json;
    /** The link in it. Without it, the addresses in its texts are its links. */
    readonly link?: Json;
    /** Expression: its files, a list of `{name, type, content, content_id}`; `content` is base64 or bytes, `content_id` is by what HTML names it. */
    readonly attachments?: string;
    /** As it is written, with its headers (default: made of the parts above). */
    readonly source?: Json;
    /** How people reply: by an external event, which comes in as the vendor reports it. */
    readonly reply?: {
      /** A name of causes.yaml. */
      readonly cause: string;
      /** Parameters that follow from the message; `self` is in scope. The inspector asks for the others. */
      readonly with?: JsonObject;
    };
  };
  /** Effect on objects that refer to a deleted one, where their field doesn't set it: `cascade`, `refuse` or `clear`. */
  readonly on_delete?: 'cascade' | 'refuse' | 'clear';
  /** The fields, in the order of responses. `id` is implicit and first. */
  readonly fields: Readonly<Record<string, TypeFile>>;
  /** Other shapes of an object: fields that only the shape returns, beside the usual ones. `rest(object, "full")` and `shape: full` of an operation return it so. */
  readonly shapes?: Readonly<Record<string, readonly string[]>>;
  /** Objects of the start and after each reset; `vars` and `now` are in scope. */
  readonly initial?: readonly JsonObject[];
  /** Life cycle: a flat XState v5 machine. */
  readonly machine?: MachineFile;
  /** Named conditions of transitions. */
  readonly guards?: Readonly<Record<string, string>>;
  /** Named delays: expressions of a duration. */
  readonly delays?: Readonly<Record<string, string>>;
  /** Named step lists of the machine, with `self` and `trigger`. */
  readonly actions?: Readonly<Record<string, readonly StepFile[]>>;
  /** Waits beside the machine; any number of them run together, each once per object. */
  readonly waits?: Readonly<
    Record<
      string,
      {
        /** How long: a name of `delays`, or of pack.yaml `durations`. */
        readonly after: string;
        /** It begins when an object is created. */
        readonly on?: 'created';
        /** It begins when the machine enters this state (or one of these). */
        readonly enter?: readonly string[] | string;
        /** It begins only when this is true. */
        readonly when?: string;
        /** Steps when it ends; `self` is in scope. */
        readonly do: readonly StepFile[];
        /** Description for readers. */
        readonly description?: string;
      }
    >
  >;
  /** A call's error when the machine has no transition for a trigger. */
  readonly refusals?: Readonly<
    Record<
      string,
      {
        /** A name of errors.yaml. */
        readonly error: string;
        /** Arguments of the error. */
        readonly with?: JsonObject;
      }
    >
  >;
  /** Completes objects from seeds, silently: derived values, and objects to reject. */
  readonly seeded?: {
    /** Resources whose seeded objects are completed before these. */
    readonly after?: readonly string[];
    /** Steps that complete it, with `self` and `given` (the seed's values). A value of the seed has to stay unchanged. */
    readonly do?: readonly StepFile[];
    /** Impossible completed objects: the first row that applies rejects the seed. */
    readonly refuse?: readonly {
      /** Condition over `self` and `given`. */
      readonly when: string;
      /** The field that is wrong, dotted. */
      readonly path: string;
      /** Why. */
      readonly message: string;
    }[];
    /** Expression: when it entered its status, from which its waits count; default: its `order` field's time (also for null). */
    readonly since?: string;
  };
  /** Rules between parameters, in every operation that takes them. */
  readonly rules?: readonly RuleFile[];
  /** The vendor API's operations, by name; or names of standard kinds. */
  readonly operations?:
    | readonly ('create' | 'retrieve' | 'update' | 'delete' | 'list' | 'search')[]
    | Readonly<Record<string, OperationFile>>;
  /** Events, emitted in this order when their moment comes. */
  readonly events?: Readonly<Record<string, EventFile>>;
  /** How events show the object. */
  readonly snapshot?: {
    /** Fields that events omit. */
    readonly drop?: readonly string[];
    /** The value in place of null. */
    readonly null_as?: Json;
  };
  /** Fields that a test may pin, and when the pin applies. */
  readonly pins?: Readonly<Record<string, PinFile>>;
  /** Values that the pin path `branch` takes. */
  readonly branches?: readonly string[];
  /** Flows that only this file runs, by name; one that several files run has a file in flows/. */
  readonly flows?: Readonly<Record<string, OwnFlowFile>>;
  /** How texts that people search with are read, by name: expressions call a search as a function of the text, which returns the items that it finds. */
  readonly searches?: Readonly<Record<string, TextSearchFile>>;
};

/** Named steps that several files run. */
export type FlowFile = {
  /** Name in this pack. */
  readonly flow: string;
  /** Description for readers. */
  readonly description?: string;
  /** Arguments by name; a resource's name as type means an object of it. */
  readonly args?: Readonly<Record<string, TypeFile>>;
  /** Type of its result. */
  readonly returns?: TypeFile;
  /** How deep it may run itself. */
  readonly depth?: FlowDepthFile;
  /** Its steps. */
  readonly do: readonly StepFile[];
  /** Flows that only this file runs, by name; one that several files run has a file in flows/. */
  readonly flows?: Readonly<Record<string, OwnFlowFile>>;
};

/** A constant table. */
export type TableFile = {
  /** Name in this pack. */
  readonly table: string;
  /** Description for readers. */
  readonly description?: string;
  /** Column whose values are unique. */
  readonly key?: string;
  /** Columns and their types. */
  readonly columns: Readonly<Record<string, TypeFile>>;
  /** One map per row; a nullable column that is missing is null. */
  readonly rows: readonly JsonObject[];
};

/** Another button of a form, which sends another value. */
export type PageButtonFile = {
  /** The button's text. */
  readonly button: string;
  /** The parameter that it sends, and its value. */
  readonly sends: Readonly<Record<string, string>>;
  /** plain (the default) or main. */
  readonly style?: 'main' | 'plain';
  /** The `data-testid` of the button. */
  readonly test_id?: string;
  /** Required fields may be left blank with it. */
  readonly unfilled?: boolean;
  /** Left out unless true. */
  readonly when?: string;
};

/** A parameter to fill in. */
export type PageFieldFile = {
  /** Text above it. */
  readonly label: string;
  /** text, email, password (never filled in again), number, tel, url, date, hidden, checkbox (sent as true or not at all), radio or select. */
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'tel'
    | 'url'
    | 'date'
    | 'hidden'
    | 'checkbox'
    | 'radio'
    | 'select';
  /** What browsers may fill in, such as `username` or `one-time-code`. */
  readonly autocomplete?: string;
  /** Of a select or radio: map of value to text, list of values or of `[value, text]`, or an expression of one. */
  readonly options?: Json;
  /** Initial value. */
  readonly value?: Json;
  /** Text below it. */
  readonly hint?: string;
  /** It cannot be left blank. */
  readonly required?: boolean;
  /** Name and id of the input in HTML (default: the parameter's name). */
  readonly input?: string;
  /** The `data-testid` of its container, for tests of pages. */
  readonly test_id?: string;
  /** It isn't a parameter of the event; its input is dropped. */
  readonly unsent?: boolean;
  /** Left out unless true. */
  readonly when?: string;
};

/** A button that triggers an external event or calls an operation, with the fields to fill in. */
export type PageFormFile = {
  /** The button's text. */
  readonly button: string;
  /** Its external event (cause). */
  readonly cause?: string;
  /** Instead of an event: the operation that the browser calls, as `collection.name`. It needs no key (`open`), takes forms, and its response is what the person sees: a redirect, or content. Pages of other sites cannot call it without a key. */
  readonly operation?: string;
  /** A parameter that the button sends, and its value. */
  readonly sends?: Readonly<Record<string, string>>;
  /** Further buttons of the form. */
  readonly buttons?: readonly PageButtonFile[];
  /** The `data-testid` of the button. */
  readonly test_id?: string;
  /** The place where it leads may redirect to other origins. */
  readonly onward?: boolean;
  /** Parameters of the event or operation that the page decides; a null is not sent. Default for the subject, or `{id}`: the page's object. */
  readonly with?: Readonly<Record<string, Json>>;
  /** Parameters of the event that are filled in. */
  readonly fields?: Readonly<Record<string, PageFieldFile>>;
  /** URL to go to afterwards; null: the page again. Its origin must be known before. */
  readonly then?: string;
  /** True afterwards: the page again, not `then`. */
  readonly stay?: string;
  /** main (the default, highlighted) or plain. */
  readonly style?: 'main' | 'plain';
};

/** One part: heading, text, alert, rows, link, source, frame, form, or a loop over parts. */
export type PagePartFile = {
  /** Left out unless true. */
  readonly when?: string;
  /** A heading; omitted if null. */
  readonly heading?: string;
  /** A paragraph; omitted if null. */
  readonly text?: string;
  /** A highlighted paragraph; omitted if null. */
  readonly alert?: string;
  /** Names and values; null omits one. */
  readonly rows?: Readonly<Record<string, Json>>;
  /** A link. */
  readonly link?: {
    /** Its text. */
    readonly text: string;
    /** URL; omitted if null. */
    readonly to: string;
  };
  /** A text as it is, with its lines; omitted if null. */
  readonly source?: string;
  /** HTML of others, such as a mail, in a frame: no scripts, no forms; links open in a new window. */
  readonly frame?: {
    /** Its name for people who cannot see it. */
    readonly title: string;
    /** HTML; omitted if null. */
    readonly html: string;
  };
  /** A form, with buttons that do something. */
  readonly form?: PageFormFile;
  /** Variable that holds each item. */
  readonly for?: string;
  /** List to loop over. */
  readonly in?: string;
  /** Parts for each item. */
  readonly parts?: readonly PagePartFile[];
};

/** A small page for people, served beside the API without its key. */
export type PageFile = {
  /** Name in this pack. */
  readonly page: string;
  /** Description for readers. */
  readonly description?: string;
  /** Where it is: `GET /path/{id}`; without `{id}`, `object` finds what it shows. */
  readonly route: string;
  /** What it shows: `{id}` names an object of this resource, bound to `self`. */
  readonly resource: string;
  /** Expression of the object that a page without `{id}` shows, with `request.cookies` and `query`. */
  readonly object?: string;
  /** URL to go to if `object` is null (default: 404). */
  readonly otherwise?: string;
  /** Parameters of the query that expressions read, as `query.name`. */
  readonly query?: readonly string[];
  /** URL to go to instead, with `self`, `request` and `query`; null: the page is shown. */
  readonly redirect?: string;
  /** html, or pdf: the same parts (without forms) on one sheet; png: an image of an empty window. */
  readonly format?: 'html' | 'pdf' | 'png';
  /** Whether pages of other origins may show it in a frame: true, or an expression over `self`. */
  readonly framed?: boolean | string;
  /** Messages to the page around its frame, whenever it is loaded: a list of `{call, with}`, each a name of `opens.calls` in browser.yaml with a list of arguments. Null: nothing. */
  readonly posts?: Json;
  /** Heading and title. */
  readonly title: string;
  /** Its parts, from top to bottom. */
  readonly body: readonly PagePartFile[];
};

/** Differences of its responses. */
export type ResourceChangeFile = {
  /** Removed fields; `a.b` names one inside another, through lists too. */
  readonly remove?: readonly string[];
  /** Fields that have another name: old name, new name. */
  readonly rename?: Readonly<Record<string, string>>;
  /** New fields with their `view`, which reads the stored object as `self`. */
  readonly add?: Readonly<Record<string, TypeFile>>;
  /** Fields that are returned otherwise, each with its new type and `view`. */
  readonly change?: Readonly<Record<string, TypeFile>>;
};

/** Whether it exists, and what it gets. */
export type OperationChangeFile = {
  /** From here on it exists (`true`; in versions before it does not), or it is gone (`false`). */
  readonly exists?: boolean;
  /** Parameters that are unknown now; `a.b` names one inside another, through lists too. */
  readonly remove?: readonly string[];
  /** Parameters that have another name: old name, new name. */
  readonly rename?: Readonly<Record<string, string>>;
  /** New parameters; the operation's steps see them as `params`, null in versions before. */
  readonly add?: Readonly<Record<string, TypeFile>>;
  /** Other forms of the operation's own parameters. */
  readonly move?: Readonly<
    Record<
      string,
      {
        /** The value sent now. */
        readonly as: TypeFile;
        /** Templates of the operation's own parameters; `value` is the sent value. Null: not given. */
        readonly to: Readonly<Record<string, Json>>;
      }
    >
  >;
  /** Parameters that are rejected with an error of the pack, which takes no arguments but `param`. */
  readonly refuse?: Readonly<Record<string, string>>;
};

/** One change, as its vendor would announce it. */
export type ChangeFile = {
  /** What changed, in a few words. */
  readonly title: string;
  /** Details for readers. */
  readonly description?: string;
  /** Changes of responses, by the name of the resource. */
  readonly resources?: Readonly<Record<string, ResourceChangeFile>>;
  /** Changes of calls, by `collection.operation`. */
  readonly operations?: Readonly<Record<string, OperationChangeFile>>;
  /** Names that flows ask for with `version.has('...')`: true from here on. */
  readonly switches?: readonly string[];
};

/** Changes of an API version. */
export type VersionFile = {
  /** Its name, as in the header; pack.yaml lists it under `versions.newer`. */
  readonly version: string;
  /** Names of later versions that change nothing: they are served as this one. */
  readonly same?: readonly string[];
  /** Pattern of versions that are newer than the pack and change nothing by the vendor's own rules. */
  readonly later?: string;
  /** The changes, in the order in which they apply. */
  readonly changes: readonly ChangeFile[];
};

/** Named objects with which a world can begin. */
export type SeedFile = {
  /** The name that `serve --seed-data` and `POST /seed` take. */
  readonly seed: string;
  /** Description for readers. */
  readonly description: string;
  /** Where the clock of the world starts: ISO 8601 or Unix seconds. */
  readonly t0?: string | number;
  /** Objects by collection, each with an `id` that fits the pack. */
  readonly resources: Readonly<Record<string, readonly JsonObject[]>>;
  /** Fields of the key's account; others have their defaults. */
  readonly account?: JsonObject;
  /** Last states of deleted objects by collection. */
  readonly deleted?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Objects of tenants, by their ids: `resources`, and optionally `deleted`. */
  readonly tenants?: JsonObject;
  /** The objects' timers, instead of timers computed from their times. */
  readonly timers?: readonly JsonObject[];
  /** Objects with their own clock, and its time. */
  readonly clocks?: JsonObject;
};

/** A call with its expected response. */
export type ExampleCall = {
  /** Method and path; `${name}` reads saved values. */
  readonly call: string;
  /** Description for readers. */
  readonly description?: string;
  /** Which plane is called (default: vendor). */
  readonly plane?: 'vendor' | 'control';
  /** Body as a form. */
  readonly form?: JsonObject;
  /** Body as JSON. */
  readonly json?: Json;
  /** Body as multipart/form-data, its parts in order. */
  readonly parts?: readonly {
    /** Its name. */
    readonly name: string;
    /** Name of the file. */
    readonly file?: string;
    /** Its Content-Type. */
    readonly type?: string;
    /** Its text. */
    readonly text?: string;
    /** Its bytes, in base64. */
    readonly base64?: string;
  }[];
  /** Body of another type. */
  readonly raw?: {
    /** Its Content-Type. */
    readonly type?: string;
    /** Its text. */
    readonly text?: string;
    /** Its bytes, in base64. */
    readonly base64?: string;
  };
  /** Query parameters. */
  readonly query?: JsonObject;
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  /** The expected response. */
  readonly expect?: {
    /** HTTP status. */
    readonly status?: number;
    /** Part of the body: keys that are not written may be anything. */
    readonly body?: Json;
    /** The body, whose bytes must be these. */
    readonly base64?: string;
    /** The events of a stream, in order: `event`, `id` and `data`; keys that are not written may be anything. */
    readonly events?: readonly Json[];
    /** The stream may continue after `events`. */
    readonly more?: boolean;
    /** Required headers. */
    readonly headers?: Readonly<Record<string, string | number>>;
  };
  /** Names, with the paths of their values in the response. */
  readonly save?: Readonly<Record<string, string>>;
};

/** Calls with their expected responses; run by tests and by validate-pack --examples. */
export type ExampleFile = {
  /** Name of the example. */
  readonly example: string;
  /** Description for readers. */
  readonly description?: string;
  /** The calls, in order. */
  readonly calls: readonly ExampleCall[];
};

/** An external event (cause) and its parameters. */
export type TaskEventFile = {
  /** Name of the event. */
  readonly cause: string;
  /** Its parameters. */
  readonly params?: JsonObject;
};

/** A call, or something that the control API does. */
export type TaskStepFile = {
  /** The operation that is called. */
  readonly call?: string;
  /** Its parameters, those in the path too. */
  readonly with?: JsonObject;
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The name that keeps the response. */
  readonly as?: string;
  /** An external event. */
  readonly event?: TaskEventFile;
  /** How far the clock advances. */
  readonly advance?: string;
  /** Existing objects. */
  readonly seed?: JsonObject | string;
  /** A fault, as of POST /faults. */
  readonly fault?: JsonObject;
  /** A fault of deliveries, as of POST /webhooks/faults. */
  readonly delivery_fault?: JsonObject;
  /** An override, as of POST /exogenous/pins. */
  readonly pin?: JsonObject;
};

/** What happens between two calls of the agent. */
export type TaskEvent = {
  /** Number of the agent's calls before it; 0: before the first. */
  readonly after_calls?: number;
  /** After the n-th call of an operation (the first unless n is given). */
  readonly after?: {
    /** The operation. */
    readonly operation: string;
    /** Which call of it. */
    readonly n?: number;
  };
  /** When the clock gets there: ISO 8601 or Unix seconds. */
  readonly at?: string | number;
  /** An external event. */
  readonly event?: TaskEventFile;
  /** How far the clock advances. */
  readonly advance?: string;
  /** Objects that appear. */
  readonly seed?: JsonObject | string;
  /** A fault, as of POST /faults. */
  readonly fault?: JsonObject;
  /** A fault of deliveries, as of POST /webhooks/faults. */
  readonly delivery_fault?: JsonObject;
};

export type TaskCountFile =
  | number
  | {
      /** At least. */
      readonly min?: number;
      /** At most. */
      readonly max?: number;
    };

/** A collection with the values of its objects, count and to. */
export type TaskChangeFile = {
  /** How many (default: one at least). */
  readonly count?: TaskCountFile;
  /** Fields that changed with their new values. */
  readonly to?: JsonObject;
  /** Fields that changed with their old values. */
  readonly from?: JsonObject;
  /** Fields that did not change. */
  readonly same?: readonly string[];
};

/** One question, with its share of the reward. */
export type TaskCheck = {
  /** Description for readers. */
  readonly about?: string;
  /** Its share of the reward (default 1). */
  readonly weight?: number;
  /** Objects that came. */
  readonly added?: TaskChangeFile;
  /** Objects that changed. */
  readonly changed?: TaskChangeFile;
  /** Objects that are gone. */
  readonly removed?: TaskChangeFile;
  /** An expression of the pack over the last state. */
  readonly final?: string;
  /** The pack of the expression in `final`, if there are several. */
  readonly vendor?: string;
  /** The call. */
  readonly calls?: {
    /** Operations that are not called. */
    readonly never?: readonly string[];
    /** Only of this operation. */
    readonly operation?: string;
    /** The least number of them. */
    readonly min?: number;
    /** The largest number of them. */
    readonly max?: number;
    /** Operations that come one after another. */
    readonly order?: readonly string[];
    /** Calls that the pack has no operation for. */
    readonly unsupported?: TaskCountFile;
  };
  /** Webhooks that arrived. */
  readonly delivered?: {
    /** Name of the event. */
    readonly event: string;
    /** The least number of them. */
    readonly min?: number;
    /** The largest number of them. */
    readonly max?: number;
  };
  /** Only what checks expect has changed, and what followed from that. */
  readonly unchanged?: Json;
  /** The check is about a fork of the end, so much later. */
  readonly later?: string;
  /** A command that judges: the run on its standard input, {"score", "note"} on its output. */
  readonly command?: string;
};

/** A call of an operation. */
export type TaskCallFile = {
  /** The operation. */
  readonly call: string;
  /** Its parameters, those in the path too. */
  readonly with?: JsonObject;
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The name that keeps the response. */
  readonly as?: string;
};

/** Its calls, with any response. */
export type TaskAgent = {
  /** Whether its run passes. */
  readonly passes: boolean;
  /** Its calls. */
  readonly calls: readonly TaskCallFile[];
};

/** A task for an agent in a world, and the checks of its result; run by `sandbox eval`. */
export type TaskFile = {
  /** Name of the task. */
  readonly task: string;
  /** One sentence about it. */
  readonly title: string;
  /** The measured ability: to do the task, to change nothing else, or to resist disturbances. */
  readonly class?: 'conformance' | 'restraint' | 'adversarial';
  /** How hard it is: one thing to know, several that depend on each other, or one that the calls do not show. */
  readonly level?: 'easy' | 'medium' | 'hard';
  /** Where people report what goes wrong here, as an address or a repository and a number. */
  readonly source?: string;
  /** Packs of the world, by name or folder; of several, names begin with theirs: `shop/orders`. */
  readonly packs?: readonly string[];
  /** The company file of the world, instead of `packs`; its path from the task. */
  readonly company?: string;
  /** Where the clock starts: ISO 8601 or Unix seconds. */
  readonly t0?: string | number;
  /** Random seed for ids and other random values. */
  readonly seed?: string | number;
  /** The key that the agent gets, such as the token of a person that the setup made (default: the key of the world). */
  readonly key?: string;
  /** Setup before the agent begins, in order. */
  readonly setup?: readonly TaskStepFile[];
  /** External events while the agent works. */
  readonly script?: readonly TaskEvent[];
  /** The agent's task; `${name.field}` reads the setup's results. */
  readonly prompt: string;
  /** Selection in the address of the MCP endpoint: a list of toolsets, or a map of toolsets, tools and readonly; of several packs by their names. */
  readonly tools?: readonly string[] | JsonObject;
  /** Limits that stop a run, which then fails. */
  readonly limits?: {
    /** Maximum number of calls. */
    readonly calls?: number;
    /** Maximum real time. */
    readonly real?: string;
    /** Maximum simulated time, including that of `script`. */
    readonly simulated?: string;
  };
  /** Checks of the final world; a run passes if all of them pass. */
  readonly checks: readonly TaskCheck[];
  /** Scripted agents that prove the task, by name. */
  readonly agents?: Readonly<Record<string, TaskAgent>>;
};

/** A call, an external event or an object that makes a person known; `person` has the key, name and email. */
export type CompanyIdentity = {
  /** The operation: `collection.operation`. Its response is saved. */
  readonly call?: string;
  /** The external event. */
  readonly cause?: string;
  /** The collection of an object. */
  readonly seed?: string;
  /** Parameters of the call or event; fields of the object. */
  readonly with?: JsonObject;
};

/** Several packs in one world, with people, a beginning and rules between them; `sandbox serve company.yaml`. */
export type CompanyFile = {
  /** Its name. */
  readonly company: string;
  /** One line about it. */
  readonly title?: string;
  /** Where the clock starts: ISO 8601 or Unix seconds (default: the start of the process). */
  readonly t0?: string | number;
  /** Random seed for ids and other random values (default: the name of the company). */
  readonly seed?: string | number;
  /** The packs by their names in the company; timers of the same instant fire in this order. */
  readonly vendors: Readonly<
    Record<
      string,
      {
        /** Name of a pack that comes with the sandbox, or its folder, seen from this file. */
        readonly pack: string;
        /** Its port (default: the port after that of the company, or any). */
        readonly port?: number;
        /** Its API key (default: a new one). */
        readonly key?: string;
        /** The random seed of its ids, if not the company's. */
        readonly seed?: string | number;
        /** Replaces variables of the pack. */
        readonly vars?: Readonly<Record<string, string>>;
        /** Name of seed data of the pack. */
        readonly seeds?: string;
        /** The application's addresses for the vendor's webhooks, registered before the first call. */
        readonly endpoints?: readonly string[];
        /** Actors of the pack that act here, by their names in its actors.yaml. */
        readonly actors?: readonly string[];
      }
    >
  >;
  /** Who is known in several vendors, by a short name. */
  readonly people?: Readonly<
    Record<
      string,
      {
        /** The whole name. */
        readonly name: string;
        /** The e-mail address. */
        readonly email?: string;
        /** Object of the person for each vendor: a name of `identities`. */
        readonly is?: Readonly<Record<string, string>>;
      }
    >
  >;
  /** Each vendor's object of a person, by vendor and by kind. */
  readonly identities?: Readonly<Record<string, Readonly<Record<string, CompanyIdentity>>>>;
  /** Objects of the start: `vendor/collection` with a list of objects. */
  readonly seeds?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Steps before the first call, in order. */
  readonly begin?: readonly BeginningFile[];
  /** What follows from an event of a vendor at another one: integrations that the vendors sell. Never what the application under test does. */
  readonly rules?: Readonly<
    Record<
      string,
      {
        /** The event: `vendor/event`. */
        readonly when: string;
        /** An expression over `event` and the saved values; the rule is skipped if it is false. */
        readonly if?: string;
        /** Actions, in order, each as its own transaction. */
        readonly do: readonly {
          /** The external event: `vendor/cause`. */
          readonly cause: string;
          /** Its parameters, with `${event...}` and `${name.field}` of saved responses. */
          readonly with?: JsonObject;
        }[];
      }
    >
  >;
  /** Who acts over simulated time, by seeded chance; `sandbox live` lets them. */
  readonly actors?: Readonly<Record<string, ActorFile>>;
};
