// Written by `npm run types:pack` from schemas/*.schema.yaml; a test compares. Change the schemas, not this file.
import type { Json, JsonObject } from '../values/index.js';

/*
 * The pack files as their JSON Schemas let them through. Linking reads these shapes only after a file passed its schema. They
 * are type aliases and no interfaces: only such types are known to be JSON, so that a file's data may be read as one of them.
 */

/** A value, a list of values, or `{ not: value }`. */
export type RuleTestFile =
  | {
      /** The value must be none of these. */
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

/** A rule between parameters: which exclude or require each other. It has exactly one of `exclusive`, `exactly_one`, `at_least_one`, `together`, `needs`, `never`, `ascending`, `unique`, `last` and `limits`. */
export type RuleFile = {
  /** When the rule applies: a parameter that was sent, several that were all sent, or paths that all have the given values. */
  readonly given?: RuleConditionsFile;
  /** At most one of these may be sent. */
  readonly exclusive?: readonly RuleMemberFile[];
  /** Exactly one of these must be sent. */
  readonly exactly_one?: readonly RuleMemberFile[];
  /** At least one of these must be sent. */
  readonly at_least_one?: readonly RuleMemberFile[];
  /** All of these must be sent, or none. */
  readonly together?: readonly RuleMemberFile[];
  /** Parameters that must be sent too, or paths with the values that they must have: of a parameter, else of the object. */
  readonly needs?: RuleConditionsFile;
  /** Parameters that must not be sent, or paths with values that they must not have. */
  readonly never?: RuleConditionsFile;
  /** Numbers or dates that must not decrease, as in `[start, end]`, or in the items of a list, as in `steps.up_to`; missing values are skipped. */
  readonly ascending?: string | readonly RuleMemberFile[];
  /** A path through a list, such as `lines.reference`, whose values must be unique. */
  readonly unique?: string;
  /** A path through a list, and the value that its last item must have: `{ steps.up_to: inf }`. */
  readonly last?: Readonly<Record<string, RuleTestFile>>;
  /** A parameter whose limits are in the row of `table` that `by` selects. */
  readonly limits?: string;
  /** Path of the value that selects the row. */
  readonly by?: string;
  /** A table with columns such as `min`, `max`, `step`, `max_length` and `pattern`; an empty value sets no limit. */
  readonly table?: string;
  /** Names of the columns, if they differ: `{ min: smallest_amount }`. */
  readonly columns?: {
    /** Minimum value. */
    readonly min?: string;
    /** The largest value. */
    readonly max?: string;
    /** The value must be a multiple of it. */
    readonly step?: string;
    /** Maximum length of the text, in characters. */
    readonly max_length?: string;
    /** A regular expression that the text must match. */
    readonly pattern?: string;
  };
  /** Operations of the resource to which the rule applies (default: all that take its parameters). */
  readonly in?: readonly string[] | string;
  /** A switch of a version: the rule applies from that version on. */
  readonly since?: string;
  /** A switch of a version: the rule applies to earlier versions. */
  readonly until?: string;
  /** Error of the pack instead of the default; for `limits`, also one for each limit. */
  readonly error?:
    | {
        /** Error for a value below the minimum. */
        readonly min?: string;
        /** Error for a value above the maximum. */
        readonly max?: string;
        /** Error for a value that is no multiple of `step`. */
        readonly step?: string;
        /** Error for a text that is too long. */
        readonly max_length?: string;
        /** Error for a text that does not match. */
        readonly pattern?: string;
      }
    | string;
  /** Further arguments of the error. */
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
  /** Allowed values. */
  readonly enum?: readonly (string | number | boolean)[];
  /** A column of a table, such as `decline_codes.code`: the column's values are allowed. */
  readonly values_of?: string;
  /** The only allowed value. */
  readonly const?: Json;
  /** The value is the id of an object of this resource, or of one of these resources. */
  readonly ref?: readonly string[] | string;
  /** Alternative types; the value has one of them. */
  readonly one_of?: readonly TypeFile[];
  /** Known members of an object. */
  readonly fields?: Readonly<Record<string, TypeFile>>;
  /** The type of each item of a list. */
  readonly items?: TypeFile;
  /** The type of a map's values. */
  readonly values?: TypeFile;
  /** Rules for which of the object's fields a caller may send together. */
  readonly rules?: readonly RuleFile[];
  /** Description for readers. */
  readonly description?: string;
  /** Name in messages for people. */
  readonly title?: string;
  /** Default value. */
  readonly default?: Json;
  /** The key is absent from responses while its value is null. */
  readonly optional?: boolean;
  /** Secret: stored, but never returned to clients or tests, and never part of events. */
  readonly hidden?: boolean;
  /** Hidden from clients like `hidden`, but visible to tests in the state. */
  readonly internal?: boolean;
  /** The value may contain the world's URL (such as the issuer of a token): it stays unchanged if the address changes, and there is no warning. */
  readonly keeps_address?: boolean;
  /** Expression that computes the value for responses; it isn't stored. */
  readonly view?: Json;
  /** Expression for the value in responses, instead of the stored one. */
  readonly shown?: Json;
  /** Returned only if the caller expands it. */
  readonly on_expand?: boolean;
  /** Refers to something that the pack does not store: accepted in `expand`, without effect. */
  readonly expandable?: boolean;
  /** Effect on this object when the referenced one is deleted: `cascade` deletes it too, `refuse` rejects with `still_referenced`, `clear` makes the field null. */
  readonly on_delete?: 'cascade' | 'refuse' | 'clear';
  /** The status field: only the state machine changes it. */
  readonly machine?: boolean;
  /** `merge`: an update merges the given keys into the map; null or empty deletes a key. */
  readonly update?: 'merge';
  /** A timestamp that is set to `now` whenever another field of the object changes. */
  readonly touch?: boolean;
  /** An integer that counts 1, 2, 3 within a parent; numbers of deleted objects are not reused. */
  readonly sequence?: {
    /** The field that refers to the parent. */
    readonly per: string;
    /** Name of a shared sequence: fields with the same name, also of other resources, share their numbers. */
    readonly of?: string;
  };
  /** For objects: unknown keys are accepted. */
  readonly open?: boolean;
  /** Separator of a list that is sent as one text, as in `ids=a,b`: `,`, `|` or a space. Repeated parameters are accepted too. */
  readonly separator?: ',' | '|' | ' ';
  /** Whether the parameter is required. */
  readonly required?: boolean;
  /** An empty string sets the value to null. */
  readonly unset?: boolean;
  /** Minimum value; for text, the minimum number of characters. */
  readonly min?: number;
  /** Maximum value. */
  readonly max?: number;
  /** A value out of bounds is replaced by the bound instead of rejected; `max`, `min`: only at that bound. `=vars.NAME` takes the setting from a variable (`clamp`, `reject`, `max`, `min`). */
  readonly clamp?: boolean | string;
  /** Maximum number of decimals. */
  readonly decimals?: number;
  /** Maximum length of a text, in characters. */
  readonly max_length?: number;
  /** Regular expression that the text must match. */
  readonly pattern?: string;
  /** A name of pack.yaml `formats`. */
  readonly format?: string;
  /** The value is never shown: not in traces, logs or errors. */
  readonly secret?: boolean;
  /** The value is checked, but steps do not see it. `none`: the pack does not emulate its effect, and calls that send it (a value other than its `default`) are reported. `hint`: it has no visible effect at the vendor either. */
  readonly effect?: 'none' | 'hint';
  /** The text is bytes in base64. Large ones are kept in the store, and the value is a reference that functions such as `bytes` and `digest` read. With conditions: only if other parameters have these values, as in `bytes: { encoding: base64 }`. */
  readonly bytes?: Readonly<Record<string, string>> | boolean;
  /** Field that the filter compares (default: the field with the filter's name). */
  readonly field?: string;
  /** Also accepts the comparisons gt, gte, lt and lte. */
  readonly range?: boolean;
  /** Condition for matching items, instead of a comparison; `item`, `value` and `params` are in scope. */
  readonly where?: string;
  /** Accepts several values, repeated or separated by commas; an item matches if any of them does. */
  readonly many?: boolean;
};

/** A CEL expression, without `=` or `${}` around it; or a map or list of values, in which a text that begins with `=` is an expression. */
export type BoundFile = string | JsonObject | readonly Json[];

/** A cookie. A browser sends it with `Secure` to https addresses only. */
export type PackCookieFile = {
  /** Its name in the browser (default: the key). */
  readonly name?: string;
  /** Path below which the cookie is sent (default: /). */
  readonly path?: string;
  /** Lifetime in simulated time, a duration or a name of `durations`; without it, until the browser is closed. */
  readonly max_age?: string;
  /** Whether scripts of pages can not read it (default: true). */
  readonly http_only?: boolean;
  /** Calls from pages of other sites bring it: only if a person follows a link (lax, the default), never (strict) or always (none). Another port of localhost is another site. */
  readonly same_site?: 'lax' | 'strict' | 'none';
};

/** Parameter that sets the direction of a list. */
export type ListOrderFile = {
  /** Its name. */
  readonly param: string;
  /** Its possible values, and whether the oldest or smallest come first (`ascending`) or last. */
  readonly values: Readonly<Record<string, 'ascending' | 'descending'>>;
  /** Default value (default: the operation's own order). */
  readonly default?: string;
  /** Default value for each sort field: `{ name: asc }`. */
  readonly defaults?: Readonly<Record<string, string>>;
};

/** Parameter that sets the sort field of a list. */
export type ListSortFile = {
  /** Its name. */
  readonly param: string;
  /** Its possible values, with the fields that they sort by. */
  readonly fields: Readonly<Record<string, string>>;
  /** Values that also set the direction, with `*` in the field's place: `{ '*:1': ascending, '-*': descending }`. Other values are then unknown. */
  readonly ways?: Readonly<Record<string, 'ascending' | 'descending'>>;
  /** Default value (default: the operation's own order). */
  readonly default?: string;
};

/** How lists are returned. */
export type ListsFile = {
  /** The response; data, has_more, url, next_cursor, total_count and the values of pages are in scope. `${data}` alone: a bare list. A key may be `${collection}`. */
  readonly envelope: Json;
  /** Size of a page. */
  readonly size?: {
    /** Parameter that sets the page size. */
    readonly param?: string;
    /** Default size. */
    readonly default?: number;
    /** Minimum size. */
    readonly min?: number;
    /** Maximum size. */
    readonly max?: number;
    /** `reject`: a size below min or above max, or a page before the first, is an error (default: the nearest valid value is used). `reject_below`: only a size below min is an error. `ignore`: a size below min, or an invalid size or page number, is ignored; above max, max is used. `=vars.NAME` takes the setting from a variable. */
    readonly beyond?: string;
  };
  /** Parameter that sets the direction of a list. */
  readonly order?: ListOrderFile;
  /** Parameter that sets the sort field of a list. */
  readonly sort?: ListSortFile;
  /** Cursor parameters, which continue a list. */
  readonly cursors?: {
    /** Parameter that continues after an object; of several, the first that is sent counts. */
    readonly after?: readonly string[] | string;
    /** Parameter that continues before an object. */
    readonly before?: string;
  };
  /** Invalid filters, sizes and cursors are ignored instead of rejected. */
  readonly lenient?: boolean;
  /** Pagination by page number. */
  readonly pages?: {
    /** Parameter with the page number (default: `page`). */
    readonly param?: string;
    /** Number of the first page (default: 1). */
    readonly first?: number;
  };
  /** Parameter with the number of items before the page. */
  readonly offset?: string;
  /** Parameter for the `next_token` of the previous page. */
  readonly token?: string;
  /** Headers of the response, with the variables of the envelope. Null omits one. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A limit of calls. */
export type RateLimitFile = {
  /** `fixed`: a window begins with its first call (the default); `clock`: windows begin at multiples of their length; `sliding`: calls of the previous window count in proportion to the share of it that is left; `bucket`: a token bucket, which is refilled one call at a time. */
  readonly kind?: 'fixed' | 'clock' | 'sliding' | 'bucket';
  /** Maximum number of calls in one window: a number, or an expression in `${}` with `request` in scope. */
  readonly limit: number | string;
  /** Length of a window; for a bucket, the time in which it is refilled by `limit` calls. */
  readonly window: string;
  /** How many calls a bucket holds (default: `limit`). */
  readonly burst?: number;
  /** Which operations it counts, as `collection.name`; `*` matches any characters. Default: all. */
  readonly operations?: readonly string[];
  /** Operations among those that are not counted. */
  readonly except?: readonly string[];
  /** Condition for calls that are counted; `request` and `params` (not yet checked) are in scope. */
  readonly when?: string;
  /** Key by which calls are counted separately: an expression with `request` and `params` in scope (default: the key of the call). */
  readonly per?: string;
  /** Cost of a call: an expression with `request` and `params` in scope (default: 1, also if it isn't a number). A call that costs more than the whole limit has no `retry_after`. */
  readonly cost?: string;
  /** Actual cost of a successful call, counted instead of its `cost`; `response` (its JSON) is in scope too. A value other than a number counts as the `cost`. */
  readonly spent?: string;
  /** Error of calls beyond the limit (`rate_limited`). It may have the arguments `limit`, `used`, `remaining`, `cost`, `reset`, `reset_in`, `retry_after`, `window` and `name`. */
  readonly error?: string;
  /** Headers of all responses to counted calls. In scope: `request`, `limit`, `used`, `remaining`, `cost`, `reset` (a time), `reset_in`, `retry_after` (null while a call is free) and `window` (seconds). */
  readonly headers?: JsonObject;
};

export type OutsideFile = {
  /** Beginning of the path; a `{name}` matches any one segment. */
  readonly paths?: readonly string[];
  /** Other hosts of the vendor, as the redirect names them; calls of all their paths get the error. */
  readonly hosts?: readonly string[];
  /** Names or globs of operations that are outside while `when` holds, since the vendor whose words a call asks for means something else there. */
  readonly operations?: readonly string[];
  /** Condition under which the operations get the error; `request` and `params` are in scope. */
  readonly when?: string;
  /** Name of the error; default: that of an unknown route. */
  readonly error?: string;
  /** Arguments of the error. */
  readonly with?: JsonObject;
};

/** Sets variables, in order. */
export type LetStep = {
  /** Variables and their values: expressions, or maps and lists of values. */
  readonly let: Readonly<Record<string, BoundFile>>;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Runs one list of steps or another. */
export type IfStep = {
  /** The condition. */
  readonly if: string;
  /** Steps when it is true. */
  readonly then: readonly StepFile[];
  /** Steps when it is false. */
  readonly else?: readonly StepFile[];
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Runs steps for each item of a list. */
export type ForStep = {
  /** Name of the variable that holds the item. */
  readonly for: string;
  /** The list. */
  readonly in: string;
  /** Steps for each item. */
  readonly do: readonly StepFile[];
  /** Expression evaluated in each iteration; the list of its values is assigned to `as` after the loop. */
  readonly collect?: Json;
  /** Name of the variable that holds the collected list. */
  readonly as?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Runs steps in another tenant: they find, create and emit only there. */
export type WithinStep = {
  /** Id of the tenant; null: no tenant. */
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
  /** A map with the fields' values: `params` (only those that were sent), or a variable. */
  readonly from?: string;
  /** Fields and their values. */
  readonly with?: JsonObject;
  /** Id of the object, instead of a generated one. */
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
  /** Fields and their new values; dotted keys refer to members inside a field. */
  readonly to?: JsonObject;
  /** A map with the fields' values: `params` (only those that were sent), or a variable. */
  readonly from?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Deletes an object. */
export type DeleteStep = {
  /** The variable that holds the object. */
  readonly delete: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Changes the id of an object whose id is a key. References to the object are updated, and objects whose ids begin with the old id change theirs too. */
export type MoveStep = {
  /** The variable that holds the object; read it again after the step. */
  readonly move: string;
  /** The new id. */
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
  /** Name of the event, or a text with expressions that results in one of the known names: `message.${self.kind}`. */
  readonly emit: string;
  /** The variable that holds the object (default: self). */
  readonly object?: string;
  /** Content of the event, instead of the object. */
  readonly snapshot?: Json;
  /** The only endpoint that gets the event (a variable or expression); the event is not stored without `stored`. */
  readonly only_to?: string;
  /** With `only_to`: the event is stored as an object like any other. */
  readonly stored?: true;
  /** Name of the variable that holds the event object; null if no event is created. */
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
  /** Its events are not attributed to the request. */
  readonly internal?: boolean;
  /** Rolls back all changes of the flow; only its result remains. */
  readonly dry?: true;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Ends the command with an error. */
export type FailStep = {
  /** A name of errors.yaml, or a text with expressions that results in one of them. */
  readonly fail: string;
  /** Arguments of the error. */
  readonly with?: JsonObject;
  /** Keeps the changes of earlier steps. */
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

/** Overrides ("pins") an external value of an object. */
export type PinStep = {
  /** Path of the overridden value. */
  readonly pin: string;
  /** The variable that holds the object (default: self). */
  readonly to?: string;
  /** Value of the override. */
  readonly value: Json;
  /** The override is cleared after it has applied once. */
  readonly once?: boolean;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Clears an override ("pin"). */
export type UnpinStep = {
  /** Path of the overridden value. */
  readonly unpin: string;
  /** The variable that holds the object (default: self). */
  readonly to?: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Starts, restarts or stops a timer (`waits`) of an object. */
export type WaitStep = {
  /** A name of the `waits` of the object's resource. */
  readonly wait: string;
  /** The variable that holds the object (default: self). */
  readonly to?: string;
  /** Stops the timer without running its steps. */
  readonly stop?: true;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Advances the world's clock to a time after the command is committed; the response shows the result. */
export type AdvanceClockStep = {
  /** Sets the initial time of the world instead: immediately, for the rest of the command, and also to an earlier time. Existing objects stay. */
  readonly begins?: boolean;
  /** Id of an object with its own clock (`times` of pack.yaml): only that clock advances, not the world's (default: the world's clock). */
  readonly of?: string;
  /** The time, in the pack's time format. */
  readonly advance_clock: string | number;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Reports something that the request asks for and the pack doesn't emulate, like a documented parameter that a pack lacks. */
export type UnsupportedStep = {
  /** Its name in the header `X-Mock-Unsupported`, the trace and the log. */
  readonly unsupported: Json;
  /** A parameter (default), or a `case` for which the pack has no response. */
  readonly kind?: 'parameter' | 'case';
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Delays the response of the call, also an error, in real time; the call's changes are made before. */
export type DelayStep = {
  /** A duration, such as `seconds(2)` or `duration(answer_time)`, at most 10m; null: none. Several delays add up. */
  readonly delay: string;
  /** The step is skipped unless this is true. */
  readonly when?: string;
};

/** Calls an operation of the pack as a client does: its parameters are checked and its steps run. An error does not end the command, but rolls back the changes of that call. Keys, rate limits and idempotency are not checked again. */
export type CallStep = {
  /** The operation, `collection.name`. */
  readonly call: string;
  /** Expression: the parameters, as a map in the form of a JSON body, including those in the route. */
  readonly with?: Json;
  /** Headers by their names in `request_headers` (default: those of the present request). */
  readonly headers?: Readonly<Record<string, Json>>;
  /** Name of the variable that holds the response: `{status, body}`. */
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
/** A step. It has exactly one of the step keys, the further keys of that step, and optionally `when`. */
export type StepFile = StepKinds[StepKind];

/** A way of delivery. */
export type TransportFile = {
  /** The kind of events that it carries, a name of `events.kinds`; default: ordinary ones. */
  readonly events?: string;
  /** HTTP method (default: POST). A GET has no body: its content is in the `url`. */
  readonly method?: 'POST' | 'PUT' | 'GET';
  /** Expression: the URL of the receiver; `endpoint` and `event` are in scope. */
  readonly url?: string;
  /** The payload, as compact JSON if `encoding` is not set; event and endpoint are in scope. */
  readonly body?: Json;
  /** How a body that is a map is written: `json` (the default) or `form`, as application/x-www-form-urlencoded. */
  readonly encoding?: 'json' | 'form';
  /** Number of spaces by which the JSON of a payload is indented (default: compact), or an expression over event and endpoint. A receiver that verifies a signature of parsed and reserialized JSON fails, as at the vendor. */
  readonly indent?: number | string;
  /** Headers, or one `${...}` whose value is a map of them; event, endpoint, timestamp, body, secret, signature, signatures, `attempt` (1, 2, ...) and `failure` (`status` and `error` of the previous attempt) are in scope. */
  readonly headers?: Readonly<Record<string, string>> | string;
  /** Signature of the content: an HMAC with SHA-256 unless `algorithm` is set. */
  readonly signature?: {
    /** The signed text. */
    readonly content: string;
    /** Signature algorithm. For `rsa` and `ecdsa` the secret is a private key (PEM). */
    readonly algorithm?: 'sha256' | 'sha1' | 'sha512' | 'rsa-sha256' | 'ecdsa-sha256';
    /** Encoding of the key in the secret. */
    readonly key: 'utf8' | 'base64';
    /** Prefix of the secret, before the key. */
    readonly key_prefix?: string;
    /** Encoding of the signature. */
    readonly digest: 'hex' | 'base64';
  };
  /** Maximum time to wait for a response. */
  readonly timeout?: string;
  /** Delays between attempts, instead of `delivery.retries`; `[]`: one attempt. Without it, messages over a socket are not retried. */
  readonly retries?: readonly string[];
  /** Condition to stop after a failed attempt, such as `response.headers["x-no-retry"] == "1"`; `event`, `endpoint` and `response` are in scope. */
  readonly gives_up?: string;
  /** Steps after the receiver accepted a message (2xx), once the response is in: at a flush and before the clock advances. `event`, `endpoint` and `response` (`status`, `headers` by lower-case names, `body` as text) are in scope. */
  readonly on_response?: readonly StepFile[];
  /** Steps after the last attempt has failed. `event`, `endpoint` and `response` are in scope, of which `status` is null where there was none; `error` says why. */
  readonly on_failure?: readonly StepFile[];
  /** Value that is recorded as delivered instead of sending it. */
  readonly record?: Json;
  /** A WebSocket that listeners open to receive their messages, without an address of their own. */
  readonly socket?: {
    /** Path to which a listener connects: `{listener}` is its name. */
    readonly path: string;
    /** The WebSocket's subprotocol. */
    readonly protocol?: string;
    /** Expression: the name of the listener that gets an endpoint's messages; `endpoint` is in scope. */
    readonly listener: string;
    /** External event when a listener connects, with its name as `listener`. Where it's not possible, there is no listener. */
    readonly opened: string;
    /** External event when its connection has ended, with its name as `listener`. */
    readonly closed: string;
    /** Error for a listener that must not connect. */
    readonly refused: string;
    /** Maximum number of connections of a listener (default: 1); each message goes to one of them, in turn. A further connection replaces the oldest. */
    readonly share?: number;
    /** First message of a connection, as JSON; `listener` (its name) and `connections` (their present number) are in scope. */
    readonly greeting?: Json;
    /** Messages that close the connections of their listener. */
    readonly ends?: {
      /** Condition for such a message; `event` and `endpoint` are in scope. */
      readonly when: string;
      /** Payload that replaces `message`, before the connections are closed. */
      readonly say: Json;
    };
    /** The message over the connection, as JSON; event, endpoint, `delivery` (its id), timestamp, body, `headers` (the rendered ones), `attempt` (1, 2, ...) and `failure` (`status` and `error` of the previous attempt) are in scope. */
    readonly message: Json;
    /** How messages of the listener are interpreted; `reply` is in scope. */
    readonly reply: {
      /** Expression: the delivery that the message is about. */
      readonly to: string;
      /** Expression: whether the message is the response to the delivery. */
      readonly responds: string;
      /** Expression: whether the message only acknowledges the delivery's arrival. */
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
  /** Objects that receive events (endpoints). */
  readonly endpoint: {
    /** Their resource, or several; `endpoint` has the fields of its own resource. */
    readonly resource: readonly string[] | string;
    /** Condition for active endpoints; `endpoint` is in scope. */
    readonly active?: string;
    /** Expression: the names or globs it subscribes to. */
    readonly events: string;
    /** Expression: whether an endpoint without a tenant gets events of tenants: `none` (the default), `only` or `all`. An endpoint of a tenant gets that tenant's. */
    readonly tenants?: string;
    /** Expression: whether the endpoint gets this event; `event` (the object of the event) and `endpoint` are in scope. */
    readonly when?: string;
    /** Expression: the version of the API that its events are written in; null: the account's. Needs `events.renderings`. */
    readonly version?: string;
    /** Fields of an endpoint that is registered with the control API, of the first resource; url, events and description are in scope. */
    readonly register: JsonObject;
    /** Resources of endpoints that are registered with the control API for other kinds of events, by kind. */
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
    /** Expression: the secret for signatures, or a list of secrets, each with its own signature. */
    readonly secret?: string;
    /** Expression: a key of `transports`; `endpoint` and `event` are in scope (the latter is null where nothing is sent). */
    readonly transport?: string;
    /** Steps when a delivery has finally failed: its last attempt failed, or the endpoint returned 410; `endpoint` is in scope. */
    readonly exhausted?: readonly StepFile[];
  };
  /** Ways of delivery. */
  readonly transports: Readonly<Record<string, TransportFile>>;
  /** Delays between attempts. */
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
  /** Vendor API and version that the pack follows. */
  readonly faithful_to?: string;
  /** Names of the vendor's hosts; `redirect` sends calls for them to the sandbox. `*.vendor.com` means every host below vendor.com. */
  readonly hosts?: readonly string[];
  /** Client packages and environment variables of the vendor, which `sandbox up` looks for in an application. */
  readonly packages?: readonly {
    /** Variables of the pack for applications that use these packages. */
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
    /** Environment variables in which applications configure the vendor: `key`, another of its keys (`key.publishable`, of `auth.others`), `url` (with a path behind it: `url/api/`), `webhook_secret`, or a variable of the pack (`vars.account`). */
    readonly environment?: Readonly<Record<string, string>>;
  }[];
  /** The vendor's own client for JavaScript: the inspector shows calls in its syntax. */
  readonly client?: {
    /** Its name in the registry of npm. */
    readonly package: string;
    /** Code that creates a client; `{host}`, `{port}`, `{protocol}` and `{url}` are the sandbox's. */
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
  /** Operation that is called for mail sent by SMTP (`sandbox serve --smtp`). */
  readonly smtp?: {
    /** `<collection>.<operation>`: called once for each mail, with the key that the sender logs in with. */
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
    /** Collections that the inspector shows first. */
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
  /** Variables of the pack (texts), which expressions read as `vars.NAME`; `serve --set` overrides them. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Format of timestamps: seconds, or ISO 8601 with milliseconds or (`iso8601_seconds`) without. */
  readonly timestamps?: 'unix' | 'iso8601' | 'iso8601_seconds';
  /** Prefix of routes; with several, each route that begins with the first is also served below the others. */
  readonly base_path?: string | readonly string[];
  /** Conventions of routes. */
  readonly routes?: {
    /** HTTP method of `update` operations. */
    readonly update?: 'POST' | 'PUT' | 'PATCH';
    /** Whether a slash at the end of a path is ignored (`ignore`, the default) or makes it another path (`refuse`). */
    readonly slash_at_end?: 'ignore' | 'refuse';
    /** `any`: the vendor takes a call with any method, so a call that its document names with another method is reported too. `exact` is the default. */
    readonly methods?: 'exact' | 'any';
    /** Names in routes that are ids of objects, by resources. Where ids ignore case, operations see the object's own case. */
    readonly ids?: Readonly<Record<string, string>>;
    /** Alternative paths of objects. A path below one that has no route is served as the same path below the other. */
    readonly also?: readonly {
      /** Beginning of the path, such as `/projects/{number}`; the names are fields of the object. */
      readonly path: string;
      /** Resource of the objects. */
      readonly resource: string;
      /** The equivalent path, with fields of the object: `/owners/{owner}/projects/{name}`. */
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
              /** Number of random characters. */
              readonly random?: number;
              /** Set of characters (default: `base62`). */
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
              /** Text that replaces it for objects without a tenant. */
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
        /** Name in messages for people. */
        readonly title?: string;
      }
    >
  >;
  /** Named durations, which tests can override. */
  readonly durations?: Readonly<
    Record<
      string,
      | {
          /** The duration; `none`: the timer never fires, unless a test overrides it. */
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
    /** Format of API keys. */
    readonly key?: {
      /** Prefix of every key. */
      readonly prefix?: string;
      /** Number of random characters after the prefix. */
      readonly random?: number;
    };
    /** Further keys by name: the world's key with another prefix. They may only call operations that list them in `keys`. */
    readonly others?: Readonly<
      Record<
        string,
        {
          /** Prefix of the key. */
          readonly prefix: string;
          /** Whether pages of other origins may use it (CORS). */
          readonly browsers?: boolean;
          /** A parameter that may carry it instead of the header. */
          readonly parameter?: string;
          /** Whether the key may call all operations that the world's key may call; `request.key` is its name. */
          readonly whole?: boolean;
        }
      >
    >;
    /** The key's place in basic authentication: `user` (with an empty password), `password` (with any user name) or `either`. */
    readonly basic?: 'user' | 'password' | 'either';
    /** Other ways to send a key: after another word in the Authorization header, in another header, or in a parameter. */
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
    /** Request signatures, which are verified after the key of a call is accepted. */
    readonly signatures?: readonly {
      /** Condition for calls that are signed in this way (default: all that have a key). */
      readonly when?: string;
      /** Also verifies calls without a key, of operations that need none (`open`); `call.key` is then empty. */
      readonly keyless?: boolean;
      /** Variables that are set before the rules, in order. */
      readonly let?: Readonly<Record<string, BoundFile>>;
      /** Rules for a signature; the first that fails rejects the call. */
      readonly rules: readonly {
        /** Condition under which the call continues. */
        readonly allow: string;
        /** Error if the condition is false. */
        readonly else: string;
        /** Arguments of the error. */
        readonly with?: Readonly<Record<string, Json>>;
      }[];
    }[];
    /** The caller, available as `actor` in every expression (also of views, defaults, events and lists); null outside of calls. */
    readonly actor?: {
      /** Resource of the caller's object. */
      readonly resource: string;
      /** Expression: the caller's id, or null; `request` is in scope, such as `default(get(token, request.token).user, vars.owner)`. */
      readonly id: string;
    };
    /** Keys that calls create: objects of a resource, such as OAuth access tokens. */
    readonly tokens?: {
      /** The resource whose objects are keys. */
      readonly resource: string;
      /** Its field that holds the key, or `id`; it has to be one of the resource's `indexes`. */
      readonly field: string;
      /** Condition for valid keys; `self` is in scope. */
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
    /** Error of a call that names objects of two clocks. Without it, the first object's clock is used. */
    readonly mixed?: string;
  };
  /** Makes the objects of a resource tenants, each with its own objects. Objects without a tenant belong to the world's key. */
  readonly tenants?: {
    /** The resource whose objects are tenants. */
    readonly resource: string;
    /** An id that means no tenant: the account of the world's own key. */
    readonly home?: string;
    /** Headers that select a tenant; the first that a request has is used. */
    readonly headers?: readonly string[];
    /** Responses to calls in a tenant name it in the first of `headers`. */
    readonly echo?: boolean;
    /** Route parameters that select a tenant, such as `org` of /orgs/{org}/members. `id` is that of the tenants' own resource. */
    readonly paths?: readonly string[];
    /** The field of a tenant with its own key; it has to be one of the resource's `indexes`. Such a key works like the world's key, but only in that tenant. */
    readonly key?: string;
    /** The field of a token (`auth.tokens`) that names its tenant; null: no tenant. Such a token gives access to that tenant only. */
    readonly token?: string;
    /** Whether calls may act in a tenant; `self` is in scope. Otherwise they are rejected as if the tenant didn't exist. */
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
    /** Media types that also get the usual JSON, such as `*.full`. A request that accepts neither these, nor JSON, nor the operation's own type is rejected (`not_acceptable`). Default: the Accept header rejects nothing. */
    readonly accepts?: readonly string[];
    /** Names of query parameters ignore case. */
    readonly ignore_case?: boolean;
    /** A single value of a list parameter is read as a list of one: `tag=a` is like `tag[]=a` (default: it is invalid). */
    readonly single_values?: boolean;
    /** Maximum size of a request body, unless an operation has its own `max_body` (default: 1MiB). */
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
    /** Reports all problems at once, in the error validation_failed. */
    readonly collect?: boolean;
    /** Maximum length of texts without a `max_length` of their own, also in maps, in characters. */
    readonly longest_text?: number;
  };
  /** Additions to every response. */
  readonly answers?: {
    /** Keys added to every successful response that is one object; `request` is in scope. */
    readonly add?: JsonObject;
    /** Responses to GET have an ETag of their body, and a request with that tag gets 304 without a body. */
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
    /** Members of the response that are only returned if `expand` names them; total_count is in scope. */
    readonly on_expand?: Readonly<Record<string, Json>>;
    /** Minimum length of texts that `~` searches for (default: 1). */
    readonly shortest?: number;
  };
  /** How references are expanded. */
  readonly expansion?: {
    /** Parameter with the paths. */
    readonly param: string;
    /** Maximum depth of a path. */
    readonly max_depth?: number;
    /** Separator of paths in one text. */
    readonly separator?: string;
    /** Unknown paths are ignored. */
    readonly lenient?: boolean;
    /** Aliases of paths: the name that is sent, and the path that it means. */
    readonly aliases?: Readonly<Record<string, string>>;
  };
  /** Versions of the API. */
  readonly versions?: {
    /** Header with the version. */
    readonly header: string;
    /** Other names of the header. */
    readonly aliases?: readonly string[];
    /** The account's default version: for events, and for calls that send none. */
    readonly current: string;
    /** Pattern of versions. */
    readonly pattern?: string;
    /** The version of the pack's resources. With it, only the listed versions exist. */
    readonly base?: string;
    /** Names of versions that are served like the base. */
    readonly same?: readonly string[];
    /** Versions that changed something, oldest first; each has a file in versions/. */
    readonly newer?: readonly string[];
    /** Pattern of versions older than the base: they are served like the base, and a header of the response shows it. */
    readonly older?: string;
    /** From this text on, a text is no part of a version's name, such as `;`. */
    readonly flags?: string;
    /** Field whose constant value shows the type of a nested object. */
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
    /** Maximum length of a key. */
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
    /** Prefix of every id. */
    readonly prefix?: string;
    /** Format of the id: a name of `ids`. */
    readonly format?: string;
    /** Header of responses with the id. */
    readonly header?: string;
  };
  /** Headers of every response; request and version are in scope. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts of responses that only exist with `--set realistic=on`, such as headers of proxies before the vendor's API. */
  readonly realistic?: {
    /** Headers of every response; request and version are in scope. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Headers of `headers` and `request_id` that responses then lack. */
    readonly without?: readonly string[];
    /** Sorts the other members by name, at any depth. */
    readonly members_sorted?: boolean;
    /** Members that come first in every object of a JSON response, in this order. */
    readonly members_first?: readonly string[];
  };
  /** The response of a delete; `self` is in scope. */
  readonly tombstone?: Json;
  /** Parts of the vendor's API that the pack doesn't emulate: a call at or below a path gets the error, unless an operation has that route; a call to one of the hosts gets it too. */
  readonly outside?: readonly OutsideFile[];
  /** The events of the vendor. */
  readonly events?: {
    /** Resource whose objects are the events. */
    readonly resource: string;
    /** Its fields; type, object, snapshot, previous, request and version (of the API) are in scope. */
    readonly with: JsonObject;
    /** Hidden map field that holds the event in other API versions, for endpoints with their own version. */
    readonly renderings?: string;
    /** Events (names or globs) with the previous values of changed fields; they are only emitted if something has changed. */
    readonly previous_attributes?: readonly string[] | string;
    /** Representation of objects in events. */
    readonly snapshot?: {
      /** Value that replaces null. */
      readonly null_as?: Json;
    };
    /** Other kinds of events: objects of other resources, for endpoints whose transport has that kind. */
    readonly kinds?: Readonly<
      Record<
        string,
        {
          /** Resource of the event objects. */
          readonly resource: string;
          /** Its fields; as for `events.with`, and `path` (where the object is retrieved; null: nowhere) and `event` (the ordinary event that it reports; null: none) are in scope. */
          readonly with: JsonObject;
          /** Ordinary events that it also reports, to endpoints that subscribe to them. */
          readonly reports?: {
            /** Prefix of the name of such an event. */
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
  /** The response has no body. */
  readonly empty?: boolean;
  /** Requests that match no operation get this error with any key: `unknown_route` of a vendor that checks the path before the key. */
  readonly open?: boolean;
  /** `false` for no envelope, or an envelope for this error instead of the common one. */
  readonly envelope?: Json;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Description for readers. */
  readonly description?: string;
};

/** Error catalogue and envelope. */
export type ErrorsFile = {
  /** Wraps the body of every error, which it reads as `error`. */
  readonly envelope?: Json;
  /** The errors by name. */
  readonly errors: Readonly<Record<string, ErrorFile>>;
};

/** A variant of an external event. */
export type CauseVariantFile = {
  /** Description for readers. */
  readonly description?: string;
  /** Object that the event concerns, as `self`. */
  readonly subject?: {
    /** Parameter with the object's id. */
    readonly param: string;
    /** Its resource. */
    readonly resource: string;
  };
  /** Parameters by name. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Precondition: the event is rejected unless it is true. */
  readonly when?: string;
  /** Steps of the event. */
  readonly do: readonly StepFile[];
};

/** An external event with variants, which the subject's parameter selects. */
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
  /** Object that the event concerns, as `self`. */
  readonly subject?: {
    /** Parameter with the object's id. */
    readonly param: string;
    /** Its resource. */
    readonly resource: string;
  };
  /** Parameters by name. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Precondition: the event is rejected unless it is true. */
  readonly when?: string;
  /** Steps of the event. */
  readonly do: readonly StepFile[];
};

/** Permits a flow to run itself, directly or through others, for nested values. Deeper nesting is rejected. */
export type FlowDepthFile = {
  /** Maximum depth of the recursion. */
  readonly most: number;
  /** Error for deeper nesting; `most` is passed to it if it has this argument. */
  readonly error: string;
};

/** Named steps that only this file runs. */
export type OwnFlowFile = {
  /** Description for readers. */
  readonly description?: string;
  /** Arguments by name; the name of a resource as type means an object of that resource. */
  readonly args?: Readonly<Record<string, TypeFile>>;
  /** Type of its result. */
  readonly returns?: TypeFile;
  /** Limit of its recursion. */
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

/** A value, or one for each combination of table rows. */
export type MagicValueFile = {
  /** Variable names and the tables whose rows they take; one entry for each combination. */
  readonly from?: Readonly<Record<string, string>>;
  /** Condition for the rows to use. */
  readonly when?: string;
  /** The value; `${...}` inserts values of the rows. */
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
  /** Resource of the objects that the values name. */
  readonly stands_for: string;
  /** Pattern of the family's ids; a matching value that isn't listed is an error. */
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
  /** Variable names and the tables whose rows they take; one entry for each combination. */
  readonly from?: Readonly<Record<string, string>>;
  /** Condition for the rows to use. */
  readonly when?: string;
  /** The name that calls send; `${...}` inserts values of the rows. */
  readonly name: string;
  /** Description for readers. */
  readonly description?: string;
  /** Operations that accept the scenario, as `collection.operation`; others reject it. Default: all. */
  readonly operations?: readonly string[];
  /** A name of errors.yaml: the call fails with it. */
  readonly fail?: string;
  /** Arguments of the error. */
  readonly with?: JsonObject;
  /** How long the response is delayed. */
  readonly delay?: string;
  /** Overrides (pins) for the call: resource.path and value. */
  readonly pins?: JsonObject;
  /** Values that `scenario("name")` reads. */
  readonly provide?: JsonObject;
};

/** Named outcomes that a call can request. */
export type ScenariosFile = {
  /** The scenarios. */
  readonly scenarios: readonly ScenarioFile[];
};

/** One input. */
export type BrowserInputFile = {
  /** Text beside it. */
  readonly label: string;
  /** Path of the parameter that the input fills. With several, the typed text is split at non-digits, or after two digits (`12 / 34`, `1234`). */
  readonly fills: string | readonly string[];
  /** As in HTML, and its id (default: its key). */
  readonly name?: string;
  /** Option of the element that hides the input. */
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
  /** Error that pages get if the input is empty (default: it may be empty). */
  readonly incomplete?: JsonObject;
};

/** A button, with the events that the page receives in order when it is pressed. */
export type BrowserButtonFile = {
  /** Its text. */
  readonly label: string;
  /** The events, in order. */
  readonly events: readonly {
    /** Its name. */
    readonly event: string;
    /** Its additional members. */
    readonly with?: JsonObject;
    /** Function of the event: if the page listens for the event, the next one waits until the page calls this function. */
    readonly waits?: string;
    /** Functions of the event that have no effect. */
    readonly ignores?: readonly string[];
  }[];
};

/** A form element with one or more inputs. Elements of one group with the same meaning belong together. */
export type BrowserElementFile = {
  /** Part of its inputs' values that is used if a page passes the element as a value. */
  readonly stands_for?: string;
  /** Values that are sent with the inputs, by path. */
  readonly with?: Readonly<Record<string, string>>;
  /** The inputs, in order. */
  readonly inputs: Readonly<Record<string, BrowserInputFile>>;
  /** Buttons, in order. After a press, the page sends only this element's values, until something is typed elsewhere. */
  readonly buttons?: Readonly<Record<string, BrowserButtonFile>>;
  /** Additional members of the `ready` event. */
  readonly ready?: JsonObject;
  /** Frame of the element, if `frames` is set. */
  readonly frame?: {
    /** Its title. */
    readonly title: string;
    /** The end of its `src`. */
    readonly address: string;
  };
  /** Whether its inputs are side by side, without visible labels. */
  readonly line?: boolean;
  /** Payment method of the inputs, shown above them as a button with this `data-value`. */
  readonly tab?: string;
};

/** A name of `calls` with arguments. */
export type BrowserPostedFile = {
  /** The name. */
  readonly call: string;
  /** The arguments. */
  readonly with?: readonly Json[];
};

/** Source of a parameter's value. */
export type BrowserSentFile = {
  /** Path below an argument, or several: the first with a value is used. `.values` of a group of elements has the values of its inputs. */
  readonly from?: string | readonly string[];
  /** A constant. */
  readonly is?: string | number | boolean | null;
  /** Type of the values to use; others are ignored. */
  readonly when?: 'text' | 'map';
  /** Whether `with` is sent even if there is no value. */
  readonly always?: boolean;
  /** Default members, if the value is a map. */
  readonly with?: JsonObject;
};

/** A method that calls an operation or opens a page. */
export type BrowserMethodFile = {
  /** Names of its arguments. */
  readonly takes: readonly string[];
  /** The operation, `collection.name`; the key must permit it. */
  readonly operation?: string;
  /** Page that the browser navigates to, instead of calling an operation. */
  readonly page?: string;
  /** Shows the page in a frame instead: the method returns an object with `mount`, `unmount` and `destroy`. */
  readonly mounts?: {
    /** Operation that returns the object; called each time the frame has loaded. */
    readonly watches: string;
    /** Paths in the response, and the values with which the frame is finished. */
    readonly until: Readonly<Record<string, string | number | boolean | null>>;
    /** Path of the function that is called when the frame is finished. */
    readonly tells?: string;
    /** Where the page navigates when the frame is finished. */
    readonly leaves?: {
      /** Path of the URL in the response; without it the page stays. */
      readonly to: string;
      /** Paths in the response, and the values with which the page navigates; with other values it stays. */
      readonly when?: Readonly<Record<string, string | number | boolean | null>>;
      /** Placeholder in the URL, and the path of its replacement. */
      readonly fills?: Readonly<Record<string, string>>;
    };
  };
  /** Shows the page as an overlay on request: the method returns an object with these methods. */
  readonly opens?: {
    /** Its methods: `open` shows the page, `leave` hides it as the close button does, `remove` hides it without a call, `ignore` does nothing. */
    readonly methods: Readonly<Record<string, 'open' | 'leave' | 'remove' | 'ignore'>>;
    /** Path of the function that is called immediately. */
    readonly ready?: string;
    /** Functions among the arguments to call, by the names that the shown page posts. */
    readonly calls: Readonly<Record<string, string>>;
    /** Names of `calls` after which the page is hidden. */
    readonly ends?: readonly string[];
    /** Call that is made when the page is shown. */
    readonly opened?: BrowserPostedFile;
    /** Call that is made when the page is closed before its end. */
    readonly left?: BrowserPostedFile;
  };
  /** Source of the object's id; see `secret`. A function there is called. */
  readonly id?: string | readonly string[];
  /** Parameters to send, by path (`*`: all members of a map): a source, several, or a map. */
  readonly sends?: Readonly<Record<string, BrowserSentFile | string | readonly string[]>>;
  /** Name of the response in the method's result. */
  readonly gives?: string;
  /** Next action of the person; later entries are used only if earlier ones are empty. */
  readonly next?: readonly {
    /** Path in the response. */
    readonly at: string;
    /** `frame`: over the page, which continues when it is done; `page`: instead of it. */
    readonly opens: 'frame' | 'page';
  }[];
  /** Method that reads the object again by its first argument, after a frame is finished. */
  readonly again?: string;
  /** Path in the last response; a value there is the error. */
  readonly fails_at?: string;
  /** Arguments by path, and the values with which nothing of `next` is opened. */
  readonly stays?: Readonly<Record<string, string | number | boolean | null>>;
  /** Where the page navigates when the method is finished. */
  readonly leaves?: {
    /** Source of the URL; without it the page stays. */
    readonly to: string;
    /** Arguments by path, and the values with which the page stays. */
    readonly unless?: Readonly<Record<string, string | number | boolean | null>>;
    /** Query parameters added to the URL: paths in the response, or `=text`. */
    readonly adds?: Readonly<Record<string, string>>;
  };
};

/** An API object with its own elements and actions. */
export type BrowserSessionFile = {
  /** Path of the object's id in the options, or several paths: the first with a value is used. A function there is called, a promise awaited. */
  readonly id: string | readonly string[];
  /** The method that looks at it, by its first argument. */
  readonly again: string;
  /** The method of the object that promises `{type, actions}`. */
  readonly loads: string;
  /** Action that returns the last state. */
  readonly shows: string;
  /** Member of the state that is true if the page may continue. It is false while elements are incomplete. */
  readonly may?: string;
  /** Methods that create an element, with the element's kind. */
  readonly elements: Readonly<Record<string, string>>;
  /** Its actions: methods with two more arguments, `session` (its last state) and `elements`. */
  readonly actions: Readonly<Record<string, BrowserMethodFile>>;
};

/** The vendor's library for pages in browsers: the script that pages load, as data. */
export type BrowserFile = {
  /** URL paths at which the script is served, without a key. */
  readonly script: readonly string[];
  /** Global variable that the script defines: a function that pages call with their key or, without `key`, an object with the methods. */
  readonly global: string;
  /** Value of the function's `version` property, by the path from which the script was loaded. */
  readonly versions?: Readonly<Record<string, string | number>>;
  /** API key of pages: a name of `auth.others` with `browsers: true`. Without it, methods can only open pages. */
  readonly key?: string;
  /** Path of the error for pages in the body of a failed call. */
  readonly error?: string;
  /** Error that pages get if no response arrives. */
  readonly unreachable?: JsonObject;
  /** Separator between an object's id and the rest of its secret: with `_secret_`, `pi_1_secret_2` names the object `pi_1`. */
  readonly secret?: string;
  /** Methods that do nothing. */
  readonly ignores?: readonly string[];
  /** Methods that return an object: for each, the object's methods and the values that their promises resolve to. Its `on`, `off` and `once` accept listeners, which are never called. */
  readonly objects?: Readonly<
    Record<string, Readonly<Record<string, string | number | boolean | JsonObject | readonly Json[] | null>>>
  >;
  /** Form inputs for people, in groups. */
  readonly elements?: {
    /** The method that makes a group of them; the page's options of the group are its members. */
    readonly method: string;
    /** The member with the name by which frameworks refer to an element. */
    readonly named_by?: string;
    /** Elements that the group's `create` method makes, by the name that the page passes. */
    readonly kinds: Readonly<Record<string, BrowserElementFile>>;
    /** Frames of elements and of pages that are shown as an overlay. Without it, elements are part of the page itself. */
    readonly frames?: {
      /** Prefix of frame names; a number follows. */
      readonly name: string;
      /** Overlay frames; the shown page is in a frame inside. */
      readonly over: {
        /** Title of the frame. */
        readonly title: string;
        /** End of the frame's `src`. */
        readonly address: string;
        /** Id of the frame inside. */
        readonly inner: string;
      };
    };
  };
  /** Methods that the sandbox does not emulate, and what to use instead: a page that calls one gets this error. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Methods that return an API object with its own elements and actions, for a form whose total the vendor computes. The method takes options; its result is also a promise of the object with its actions. */
  readonly sessions?: Readonly<Record<string, BrowserSessionFile>>;
  /** Methods that pages can call. */
  readonly methods: Readonly<Record<string, BrowserMethodFile>>;
};

/** The vendor's own MCP server and tool names, so that agents made for it run unchanged. All other operations are tools with generated names. */
export type McpFile = {
  /** The MCP server. */
  readonly server: {
    /** The server's name. */
    readonly name: string;
    /** Name for people. */
    readonly title?: string;
    /** Host names; `sandbox exec --redirect` sends requests for them here. */
    readonly hosts?: readonly string[];
    /** Path of the endpoint at these hosts (default: `/`). */
    readonly path?: string;
  };
  /** The API version of its tools (default: the account's). */
  readonly version?: string;
  /** Toolsets that an agent gets by default; without it, all tools of this file. */
  readonly default?: readonly string[];
  /** Former names of tools, with their present names. */
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
  /** How agents find and call operations by id instead of with one tool each. Every pack has these tools (`?tools=discover`); this sets the vendor's operation ids and texts. */
  readonly discover?: {
    /** Operations by the vendor's ids (default: every operation of the pack, by the name of its tool). */
    readonly operations?: Readonly<
      Record<
        string,
        {
          /** The operation: `collection.name`. */
          readonly operation?: string;
          /** Method and path at the vendor, if the pack lacks the operation. */
          readonly call?: string;
          /** Name at the vendor (default: its title). */
          readonly title?: string;
          /** A hint for agents. */
          readonly note?: string;
          /** The vendor's tags for it. */
          readonly tags?: readonly string[];
          /** Permissions that it needs, by the vendor's names. */
          readonly permissions?: readonly string[];
          /** The error of its calls; `${NAME}` is a parameter of the call (default: as for an unknown id). */
          readonly rejects?: string;
          /** The response of its calls, if the pack lacks it. */
          readonly returns?: Json;
        }
      >
    >;
    /** Message in an API error (JMESPath; default: the whole response). */
    readonly message?: string;
    /** Text that an agent gets for an error; `${message}` and `${id}` are available. */
    readonly failed?: string;
    /** Text that an agent gets for an unknown id; `${id}` is available. */
    readonly unknown?: string;
    /** Text that an agent gets for missing parameters; `${names}` and `${place}` (path, query or body) are available. */
    readonly missing?: string;
    /** Names of path parameters: `own`, as in the routes (default), or `id` for the last one of a path and `NAME_id` for those before. */
    readonly path_names?: 'own' | 'id';
    /** Whether tools that write need confirmation: the first call returns a token, which the second call sends. `true` or `${vars.NAME}`. */
    readonly confirm?: string;
  };
  /** Arguments that tools require, with the values that they must have. A call with other values fails before the tool runs. */
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
    /** Argument that selects one of the `cases`. */
    readonly by?: string;
    /** Operations by values of that argument. Each case takes those of the tool's arguments that its operation has. */
    readonly cases?: Readonly<
      Record<
        string,
        {
          /** The operation: `collection.name`. */
          readonly operation: string;
          /** Parameters that every call of it has. */
          readonly with?: JsonObject;
          /** Part of a successful response to return (JMESPath). */
          readonly show?: string;
          /** Calls that precede the operation, in order. Their parameters are JMESPath over `args` (the tool's arguments) and earlier responses, by name. An error becomes the tool's result. */
          readonly first?: readonly {
            /** Name of its response. */
            readonly as: string;
            /** The operation: `collection.name`. */
            readonly operation: string;
            /** Its parameters. */
            readonly with?: Readonly<Record<string, string>>;
          }[];
          /** Parameters of the operation as JMESPath over `args` and the responses of `first`; null omits one. */
          readonly from?: Readonly<Record<string, string>>;
          /** Headers of the call, such as `accept`. */
          readonly headers?: Readonly<Record<string, string>>;
          /** Where the tool's arguments go in this operation, if that differs from the other cases. */
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
    /** Name for people. */
    readonly title?: string;
    /** Purpose, in a sentence for the agent. */
    readonly description?: string;
    /** The toolset that it belongs to (default: `default`). */
    readonly toolset?: string;
    /** Its arguments; parameters of the operation that are not listed are not offered. */
    readonly params?: Readonly<
      Record<
        string,
        {
          /** Target of the value: a parameter of the operation, a path in one (`items[0][price]`), or a map of parameters with `${it}` for the value. Default: the parameter of the same name. */
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
          /** Values for the operation, by the value that the agent sends. */
          readonly values?: Readonly<Record<string, string>>;
          /** How the agent's text is encoded for the operation. */
          readonly encode?: 'base64';
        }
      >
    >;
    /** Parameters of the operation that every call has. */
    readonly with?: JsonObject;
    /** Part of a successful response to return (JMESPath; default: all). */
    readonly show?: string;
    /** Calls that precede the operation, in order. Their parameters are JMESPath over `args` (the tool's arguments) and earlier responses, by name. An error becomes the tool's result. */
    readonly first?: readonly {
      /** Name of its response. */
      readonly as: string;
      /** The operation: `collection.name`. */
      readonly operation: string;
      /** Its parameters. */
      readonly with?: Readonly<Record<string, string>>;
    }[];
    /** Parameters of the operation as JMESPath over `args` and the responses of `first`; null omits one. */
    readonly from?: Readonly<Record<string, string>>;
    /** Headers of the call, such as `accept`. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Members to omit from a response if they are null, false, 0, or an empty text, list or map; at any depth. */
    readonly omit_empty?: readonly string[];
    /** MCP annotations about its effect, instead of those derived from the operation. */
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

/** A GraphQL API over the pack's resources: its schema, and the sources of its fields. Every change calls an operation. */
export type GraphqlFile = {
  /** Path of its POST route (default: `/graphql`). */
  readonly path?: string;
  /** The schema in GraphQL's schema language; default: the file schema.graphql beside this one. */
  readonly schema?: string;
  /** GraphQL types of resources. Their fields are the object's members of the same name in snake case (`createdAt` is `created_at`). */
  readonly types?: Readonly<Record<string, string>>;
  /** Operation that finds an object by its id, if the beginning of an id does not show its type. Its response has `__typename` and what `with` of fields with `of` needs. */
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
            /** An id (JMESPath over `self` and `args`); `node` finds its object, which `with` reads as `of`. */
            readonly of?: string;
            /** Ids, or lists of ids (JMESPath over `self` and `args`), by name; `node` finds their objects, which `with` reads as `named`. */
            readonly named?: Readonly<Record<string, string>>;
            /** Its parameters: JMESPath over `self` and `args`. Null omits a parameter; if its path has no value, the field is null. */
            readonly with?: Readonly<Record<string, string>>;
            /** The field's value in the response (JMESPath). */
            readonly show?: string;
            /** Items in the response (JMESPath); the field is a connection of them. */
            readonly items?: string;
            /** Condition for the items that the arguments select (JMESPath over `item`, `args` and `self`). */
            readonly filter?: string;
            /** Whether the last item comes first (JMESPath over `args` and `self`). */
            readonly reverse?: string;
            /** Whether the list continues after this response (JMESPath). */
            readonly more?: string;
            /** If the response is 404, the field is null without an error. */
            readonly absent?: boolean;
            /** Returns the object in `of`, read after the call. */
            readonly again?: boolean;
            /** Parameter with the page number, from 1, instead of `more` and `next`; pages are requested until one has fewer items than the first. */
            readonly pages?: string;
            /** Additional parameters for the next page (JMESPath over the response). */
            readonly next?: Readonly<Record<string, string>>;
          }
        >
      >
    >
  >;
  /** Value of fields without a source: with `empty`, null or, if the type allows no null, an empty value (for whole vendor schemas, whose clients request every field). Default: an error. */
  readonly rest?: 'empty';
  /** Members of the error for a document with an unknown field or type: JMESPath over `type`, `field` (null if the type is unknown), `argument`, `path` and `message`. */
  readonly invalid?: string;
  /** Members of the GraphQL error for an error response of an operation: JMESPath over `status` and `body`. */
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
  /** Name under which the response of the call is saved. */
  readonly as?: string;
};

/** Repeated actions of one kind of user. In a company file, names begin with `vendor/`. */
export type ActorFile = {
  /** Description of the user, for readers. */
  readonly description?: string;
  /** Mean time between two turns, such as `2d`; each interval is random. */
  readonly every: string;
  /** Maximum number of turns (default: unlimited). */
  readonly most?: number;
  /** Objects of which each turn picks one at random, as `self`. */
  readonly of?: string;
  /** Condition over `self`; objects for which it is false are not picked. */
  readonly where?: string;
  /** Random choices of each turn, by name: values with their weights; `chosen.NAME` in expressions. */
  readonly choose?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Actions of a turn, in order, until a vendor rejects one. */
  readonly do: readonly {
    /** The operation: `collection.operation`. */
    readonly call?: string;
    /** The external event. */
    readonly cause?: string;
    /** Parameters, with `${self...}`, `${chosen.NAME}`, `${drawn.name}` and so on, and saved responses. */
    readonly with?: JsonObject;
    /** Name of the response for later steps. */
    readonly as?: string;
    /** Condition; the action is skipped if it is false. */
    readonly if?: string;
    /** Probability of the action, in percent (default: 100). */
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
  /** Query and body parameters by name; path parameters are omitted. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Headers that it reads, apart from those that every operation reads. */
  readonly headers?: readonly string[];
  /** Media types that it returns beside JSON, on request. */
  readonly returns?: readonly string[];
};

/** Names, types and limits from the vendor's API document, written by `sandbox facts`, for everything that the pack itself doesn't declare. */
export type FactsFile = {
  /** Documents that the facts come from. */
  readonly document: string;
  /** Operations list only parameters that the pack lacks; `validate-pack` doesn't compare the others. */
  readonly partial?: boolean;
  /** The operations of the vendor's whole API, by method and path. */
  readonly operations: Readonly<Record<string, FactsOperationFile>>;
  /** Differences by version of the vendor's API: changed and removed operations. */
  readonly versions?: Readonly<
    Record<
      string,
      {
        /** The operations that differ, by method and path. */
        readonly operations?: Readonly<Record<string, FactsOperationFile>>;
        /** Operations that the version does not have. */
        readonly gone?: readonly string[];
      }
    >
  >;
  /** Types of the vendor's whole GraphQL schema with the names of their members, such as `issues(first,after)`. */
  readonly graphql?: Readonly<Record<string, readonly string[]>>;
  /** Qualifiers of the vendor's searches, by names of the pack's `searches`: `project`, `is:blocked` of one value, `type:*` of others. Kept by `sandbox facts`. */
  readonly searches?: Readonly<Record<string, readonly string[]>>;
  /** Rules of the vendor's document that the vendor does not enforce. */
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
    /** Operations to which this applies (default: all). */
    readonly operations?: readonly string[];
    /** How the vendor is known to differ. */
    readonly reason: string;
  }[];
};

/** Signs by which an agent could notice that it isn't talking to the vendor. Each is covered by a test, or declared with a reason. */
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

/** A transition from a state. */
export type TransitionFile = {
  /** Target state; without it the state does not change. */
  readonly target?: string;
  /** A name of `guards`, or an expression: the transition is taken only if it is true. */
  readonly guard?: string;
  /** Names of step lists in `actions` that run on the transition. */
  readonly actions?: readonly string[] | string;
  /** Exits and enters the state even if the target is the same state. */
  readonly reenter?: boolean;
  /** Description for readers. */
  readonly description?: string;
};

/** A target state, a transition, or a list of candidates, of which the first whose guard is true is taken. */
export type TransitionsFile = TransitionFile | readonly (TransitionFile | string)[] | string | null;

/** A state of the machine. */
export type StateFile = {
  /** Transitions by trigger. */
  readonly on?: Readonly<Record<string, TransitionsFile>>;
  /** Transitions by the delay (a name of delays or durations) after which they are taken. */
  readonly after?: Readonly<Record<string, TransitionsFile>>;
  /** Transitions that are tried as soon as the state is entered. */
  readonly always?: TransitionsFile;
  /** Names of step lists that run when the state is entered. */
  readonly entry?: readonly string[] | string;
  /** Names of step lists that run when the state is exited. */
  readonly exit?: readonly string[] | string;
  /** `final`: no transition leaves it. */
  readonly type?: 'final';
  /** Description for readers. */
  readonly description?: string;
} | null;

/** State machine of the resource: a flat XState v5 machine. */
export type MachineFile = {
  /** Initial state of an object. */
  readonly initial: string;
  /** The states. */
  readonly states: Readonly<Record<string, StateFile>>;
  /** Transitions by trigger, for states that don't handle the trigger themselves. */
  readonly on?: Readonly<Record<string, TransitionsFile>>;
  /** Description for readers. */
  readonly description?: string;
};

/** Kind of operation; only needed when its name doesn't show it. */
export type OperationKind = 'create' | 'retrieve' | 'update' | 'delete' | 'list' | 'search' | 'action';

/** A header or a parameter of a request, and its value. */
export type DispatchFile = {
  /** Name of a header. */
  readonly header?: string;
  /** Name of a parameter in the query. */
  readonly query?: string;
  /** Name of a query parameter, or of a member of a JSON or form body. */
  readonly param?: string;
  /** The exact value. */
  readonly is?: string;
};

/** A response body other than the usual JSON, and the conditions for sending it. */
export type ContentFile = {
  /** Media type of the Accept header that selects it, such as `text/csv` or `*.diff`. The client's preference decides; without that header the usual body is sent. A list has several. */
  readonly accept?: readonly string[] | string;
  /** Condition under which it is sent; `params`, `request`, `self` and `result` are in scope. */
  readonly when?: string;
  /** HTTP status instead of the operation's. */
  readonly status?: number;
  /** Its Content-Type. */
  readonly type?: string;
  /** The text; `params`, `request`, `self` and `result` are in scope. Without text or base64 there is no body. */
  readonly text?: Json;
  /** The bytes, in base64. */
  readonly base64?: Json;
  /** Whether clients may request a part of it (`Range`): 206, or `range_not_satisfiable`. A request for several parts gets the whole body; with `several`, these parts as `multipart/byteranges`. */
  readonly ranges?: true | false | 'several';
};

/** An operation of the vendor API: its route, parameters, steps and response. */
export type OperationFile = {
  /** Kind of operation; only needed when its name doesn't show it. */
  readonly kind?: OperationKind;
  /** Method and path, or several. */
  readonly route?: readonly string[] | string;
  /** Conditions that select this operation if several share a method and path. Without `is`, the header or parameter only has to be present. If several operations match, the one with the most conditions is called; one without `dispatch` takes the other requests. */
  readonly dispatch?: readonly DispatchFile[] | DispatchFile;
  /** The document behind facts.yaml has another operation at this route, such as another vendor's, so its facts are not applied. */
  readonly undocumented?: true;
  /** Parameters by name. */
  readonly params?: Readonly<Record<string, TypeFile>>;
  /** Rules between its parameters. */
  readonly rules?: readonly RuleFile[];
  /** Reads the whole request body as one parameter, instead of as a map of parameters. */
  readonly body?: {
    /** Name of the parameter; `params` may set its type and the rules for its content. */
    readonly as: string;
    /** Form of the parameter. `bytes`, a map of `type`, `size` and `base64`; `text`; `lines`, a list of the JSON values of its lines; `list`, a JSON list (a JSON map is still a map of parameters). */
    readonly type: 'bytes' | 'text' | 'lines' | 'list';
    /** Content types that are read in this way, such as `image/*`; others are read by the default rules. Default: all for bytes, `text/*` for text, the types of JSON and JSON lines for the others. */
    readonly accept?: readonly string[];
    /** A content coding (`Content-Encoding`) whose bodies have their bytes in chunks with signatures and trailers, as the chunked coding of HTTP/1.1 does: only the bytes are read, and `trailers` is a map with lower-case names. Only for bytes. */
    readonly framed?: string;
  };
  /** Maximum size of a request body (default: `encoding.max_body` of pack.yaml, else 1MiB). A larger one gets the error `body_too_large`. */
  readonly max_body?: string;
  /** Variables that are set before `do`, in order. */
  readonly let?: Readonly<Record<string, BoundFile>>;
  /** Steps of the operation. */
  readonly do?: readonly StepFile[];
  /** Expression for its result (default: `self`). */
  readonly return?: Json;
  /** HTTP status of the response (default 200), or an expression for it; `params`, `request`, `self`, `result` and the variables of `let` are in scope. */
  readonly status?: number | string;
  /** Filters of a list by parameter name. */
  readonly filters?: Readonly<Record<string, TypeFile>>;
  /** Condition for every item of a list or a search; `item` and `params` are in scope. */
  readonly where?: string;
  /** Expression for the objects (or their ids) of a list, instead of all; `params`, `parent` and `request` are in scope. Filters, order and pages work by the default rules. */
  readonly over?: string;
  /** Expression for each item of a list, instead of the object's usual response; `item` and `params` are in scope. */
  readonly each?: Json;
  /** Field that the list is sorted by. */
  readonly sort?: string;
  /** Sorts the list ascending: oldest or smallest first. */
  readonly ascending?: boolean;
  /** Names in `auth.others` of pack.yaml whose keys may call the operation too. */
  readonly keys?: readonly string[];
  /** Fields for searches: names and types. */
  readonly fields?: Readonly<Record<string, TypeFile>>;
  /** The shape in which the resource's objects are returned, a name of its `shapes`. */
  readonly shape?: string;
  /** Name of the operation in messages for people. */
  readonly title?: string;
  /** Description for readers. */
  readonly description?: string;
  /** `at_once`: the response shows the result of the steps; timers with no duration fire after it is written. */
  readonly answer?: 'at_once';
  /** `tombstone`: a deleted object is returned as its tombstone instead of not found. */
  readonly deleted?: 'tombstone';
  /** The operation needs no key. `true`: anybody may call it, so the number of objects that it creates is limited (`at_most` of the resource). `secret`: callers send a secret, such as a code or an address, which its steps check. */
  readonly open?: true | false | 'secret';
  /** Scopes that a token (`auth.tokens` of pack.yaml) needs to call it; all are required. */
  readonly scopes?: readonly string[];
  /** Scopes of which a token must have at least one. */
  readonly any_scope?: readonly string[];
  /** Settings of this list, if they differ from its resource or pack.yaml. */
  readonly lists?: ListsFile;
  /** Headers of the response; `params`, `request`, `self` and `result` are in scope, for a list the names of its envelope. Null omits a header. `X-Meta-*` takes a map: one header for each member. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookies (of pack.yaml `cookies`) that the response sets; the variables of `headers` are in scope. Null: none; empty: the cookie is deleted. */
  readonly cookies?: Readonly<Record<string, Json>>;
  /** A response body other than the usual JSON, or several, of which the first that matches is sent. */
  readonly content?: readonly ContentFile[] | ContentFile;
  /** Long polling: while `until` is false, the changes of the call are rolled back, and the call is repeated after the next commit. When `at_most` is over, the last result is returned. */
  readonly wait?: {
    /** Condition under which the response is sent; the variables of `status` are in scope. */
    readonly until: string;
    /** Maximum wait, a duration such as `seconds(params.timeout)`, at most 10m. It ends when it has passed in simulated or in real time. */
    readonly at_most: string;
  };
  /** A response that is streamed as server-sent events. */
  readonly stream?: {
    /** Whether the request asks for a stream (default: always); otherwise the response is JSON. */
    readonly when?: string;
    /** The events in order: a list of their data, or of `{event, id, data}`; `params`, `request`, `self` and `result` are in scope. */
    readonly events: string;
    /** Data of the last event, such as `[DONE]`. */
    readonly done?: string;
    /** Real time between two events, at most 1m (default: none): a duration such as `40ms`, or an expression for one, such as `duration(token_time)`; null: none. */
    readonly every?: string;
    /** Condition that ends the stream. Until then it stays open: `events` is evaluated again after each commit, and the new events are sent. `Last-Event-ID` continues after that event. */
    readonly until?: string;
    /** Real time after which a comment keeps an open stream alive, at least 1s (default: none). */
    readonly ping?: string;
    /** The event that is sent for a fault's `error_event`; `error` is in scope. */
    readonly broken?: Json;
    /** Steps for a client that disconnects before the end; `self` and `sent` (number of events) are in scope. */
    readonly closed?: readonly StepFile[];
  };
};

/** When the event is emitted. */
export type EventFile = {
  /** Emitted when an object is created or deleted, or an `update` operation changes it. `changed`: emitted once, at the end of any command that changed a field or the status of an existing object. */
  readonly on?: 'created' | 'updated' | 'changed' | 'deleted';
  /** Emitted when the machine enters this state (or one of these). */
  readonly enter?: readonly string[] | string;
  /** Only emitted by an `emit` step. */
  readonly emit?: true;
  /** Emitted only if this is true. */
  readonly when?: string;
  /** The kind of event that it is, a name of `events.kinds` of pack.yaml; default: an ordinary one. */
  readonly kind?: string;
  /** Content of the event instead of the whole object, evaluated when it is emitted; `self` is in scope. */
  readonly snapshot?: Json;
  /** Name for people. */
  readonly title?: string;
  /** Description for readers. */
  readonly description?: string;
};

/** A value that a test can override. */
export type PinFile = {
  /** When the override applies: created, seed, always, a status, or several statuses. */
  readonly at: readonly string[] | string;
  /** Type of the value. */
  readonly type?: TypeFile;
  /** The pack's own steps read the override (`pinned`, `with_pins`) and write the field; the engine does not overwrite it. */
  readonly by_steps?: boolean;
  /** Expression: a list of the value's problems ({param, message}); a value with problems is rejected. `self`, `value` and `path` are in scope. */
  readonly problems?: string;
  /** Description for readers. */
  readonly description?: string;
};

/** The condition of a qualifier of a search. */
export type SearchQualifierFile = {
  /** Expression for the part of `item` to compare: text or a list of texts (ignoring case), a number or a timestamp (also `>5`, `<=5`, `1..5`, `*..5`), or a boolean. */
  readonly of?: string;
  /** Type of `of`, if its own type does not show it; a timestamp is `time`. */
  readonly type?: 'text' | 'number' | 'time' | 'boolean';
  /** How a text is compared (default: whole). */
  readonly match?: 'whole' | 'start' | 'part';
  /** Possible values, and the condition of each for an `item`. */
  readonly values?: Readonly<Record<string, string>>;
  /** A condition on `item` and `value`. */
  readonly where?: string;
  /** Its values select the `words` in which to search. */
  readonly texts?: true;
  /** It has no effect here. */
  readonly ignored?: true;
  /** The value to compare instead of `value`, such as the id for a name; null finds nothing. */
  readonly value?: string;
  /** Whether the thing that `value` names exists. */
  readonly exists?: string;
  /** Accepts several values, separated by commas; one has to match. */
  readonly several?: boolean;
  /** If a search has the qualifier several times, one has to match (default: all). */
  readonly any?: boolean;
};

/** An error of the pack, and its arguments. */
export type SearchErrorFile = {
  /** Its name. */
  readonly error: string;
  /** Its arguments. */
  readonly with?: JsonObject;
};

/** Syntax of a search text, such as `crash label:"help wanted" -author:mona created:>2025-01-01`. */
export type TextSearchFile = {
  /** Description for readers. */
  readonly description?: string;
  /** Type of the items, if the call gives them (default: objects of the resource). */
  readonly item?: TypeFile;
  /** Texts of an `item` in which words and phrases are searched, by the names that a qualifier with `texts` has. */
  readonly words: Readonly<Record<string, string>>;
  /** Qualifiers (the name before a colon), and the condition of each for an `item`. */
  readonly qualifiers?: Readonly<Record<string, SearchQualifierFile>>;
  /** Values that are replaced by others, such as `@me` by the caller. */
  readonly stand_ins?: Readonly<Record<string, string>>;
  /** Maximum length of the text, in characters. */
  readonly longest?: number;
  /** Maximum number of AND, OR and NOT in the text. */
  readonly operators?: number;
  /** Errors for invalid searches; a problem without an error is ignored. `qualifier` and `value` (as sent) are in scope. */
  readonly errors?: {
    /** The text is empty. */
    readonly empty?: SearchErrorFile;
    /** It is longer than `longest`. */
    readonly too_long?: SearchErrorFile;
    /** It has more operators than `operators` permits. */
    readonly too_many_operators?: SearchErrorFile;
    /** It has no term. */
    readonly only_operators?: SearchErrorFile;
    /** A quote or a parenthesis is not closed, or an operator has no term. */
    readonly unreadable?: SearchErrorFile;
    /** A name before a colon is no qualifier (without this error, it is a word with its value). */
    readonly unknown_qualifier?: SearchErrorFile;
    /** The qualifier does not have this value (without this error, nothing is found). */
    readonly bad_value?: SearchErrorFile;
    /** The value names something that does not exist (without this error, nothing is found). */
    readonly not_there?: SearchErrorFile;
  };
};

/** A resource: its fields, state machine, operations, events and pins. */
export type ResourceFile = {
  /** Name in this pack. */
  readonly resource: string;
  /** Plural name, which faults, seeds, state and traces use. */
  readonly collection: string;
  /** Name in messages for people (default: the resource's name). */
  readonly title?: string;
  /** Description for readers. */
  readonly description?: string;
  /** Prefix of its routes (default: base_path/collection). */
  readonly path?: string;
  /** Format of ids. */
  readonly id?: {
    /** Prefix of every id; or one for each value of the field `by`: `{ public: C, direct: D }`. */
    readonly prefix?: Readonly<Record<string, string>> | string;
    /** The field (an enum) whose value selects the prefix. */
    readonly by?: string;
    /** A name of pack.yaml `ids`: the part after the prefix. */
    readonly format?: string;
    /** Pattern of ids from callers. */
    readonly pattern?: string;
    /** Route parameters that together are the id, joined by `/`: `[owner, repo]` for /repos/{owner}/{repo}. */
    readonly key?: readonly string[];
    /** Ids that differ only in case are the same; an object keeps the case of its creation. */
    readonly ignore_case?: boolean;
    /** Expression: the new id of an object that a call names and that doesn't exist (`id`); null: none. Such a call gets the error `moved`, with the path of the same call by the new id. */
    readonly moved?: string;
  };
  /** Settings of its lists, if they differ from pack.yaml. */
  readonly lists?: ListsFile;
  /** Encoding of its request bodies, if it differs from pack.yaml `encoding.requests`. */
  readonly requests?: 'form' | 'json' | 'multipart';
  /** Timestamp field that lists sort by, newest first. */
  readonly order?: string;
  /** How long a live company (`sandbox live`) keeps each object, from the time in its `order` field on. For records such as events, which no field refers to and which have no machine. */
  readonly retention?: string;
  /** Limits the number of objects: when a call creates another one, the oldest are removed without a trace. For objects that calls without a key create. */
  readonly at_most?: {
    /** Number of the newest objects that are kept. */
    readonly objects: number;
    /** Field with the time at which an object expires: later, it is removed when the next object is created. */
    readonly until?: string;
  };
  /** Exactly one object, made at reset; its id is the name of the resource. */
  readonly singleton?: boolean;
  /** Its objects belong to no tenant and are visible to all tenants. Needs `tenants` of pack.yaml. */
  readonly shared?: boolean;
  /** Fields by which lists filter and `find` looks up objects. */
  readonly indexes?: readonly string[];
  /** The field that refers to the parent. Routes that name the parent find it first (else `not_found`, also if its `access` rejects the caller): `parent` is in scope, lists contain its objects, `create` sets the field. */
  readonly parent?: string | Readonly<Record<string, readonly string[]>>;
  /** Who may access its objects. Rules are evaluated before the steps of operations that name an object; lists omit rejected objects. If routes name the parent, rules that do not read `self` are evaluated for it first, also before `create` and lists. */
  readonly access?: readonly {
    /** Condition for callers with access; `self` (the object), `parent` (its owner) and `actor` (the caller) are in scope. */
    readonly allow: string;
    /** The error for everyone else (default: `not_found`, as if the object were not there). */
    readonly else?: string;
    /** Arguments of the error (known for `not_found`). */
    readonly with?: Readonly<Record<string, Json>>;
    /** Names of the operations to which the rule applies (default: all). */
    readonly for?: readonly string[];
  }[];
  /** Version tags: responses with one object have an `ETag` (and `Last-Modified`), reads with the same tag get 304, and changes with another `If-Match` or an earlier `If-Unmodified-Since` get the error `precondition_failed`. */
  readonly tag?: {
    /** The tag, without quotes; `self` is in scope (default: a digest of the stored object). */
    readonly value?: string;
    /** Tags begin with `W/`. */
    readonly weak?: boolean;
    /** The timestamp field that `Last-Modified` shows. */
    readonly modified?: string;
    /** Names of operations that require a condition: without one they return the error `precondition_required`. */
    readonly required?: readonly string[];
  };
  /** Marks its objects as messages to people, and maps them to the mailbox of tests and the inspector. `self` is in scope. */
  readonly message?: {
    /** Condition for objects that are messages. */
    readonly when?: string;
    /** Channel: `mail` (default), `text` or another word. */
    readonly way?: Json;
    /** Recipient: an address, or a list of them. */
    readonly to: Json;
    /** Sender. */
    readonly from?: Json;
    /** Its subject. */
    readonly subject?: Json;
    /** Its text. */
    readonly text?: Json;
    /** Its text in HTML. */
    readonly html?: Json;
    /** When it was sent, a timestamp (default: its `order`). */
    readonly at?: string;
    /** The one-time code in the message (default: numbers of 4 to 8 digits in its text). */
    readonly code?: Json;
    /** The link in the message (default: the URLs in its texts). */
    readonly link?: Json;
    /** Expression: its attachments, a list of `{name, type, content, content_id}`; `content` is base64 or bytes, `content_id` is the Content-ID by which the HTML refers to it. */
    readonly attachments?: string;
    /** The raw message, with its headers (default: made of the parts above). */
    readonly source?: Json;
    /** How people reply: with an external event, such as incoming mail. */
    readonly reply?: {
      /** A name of causes.yaml. */
      readonly cause: string;
      /** Parameters that follow from the message; `self` is in scope. The inspector asks for the others. */
      readonly with?: JsonObject;
    };
  };
  /** Effect on objects that refer to a deleted one, unless their field sets it: `cascade`, `refuse` or `clear`. */
  readonly on_delete?: 'cascade' | 'refuse' | 'clear';
  /** The fields, in the order of responses. `id` is implicit and first. */
  readonly fields: Readonly<Record<string, TypeFile>>;
  /** Other shapes of an object: fields that only the shape returns, in addition to the usual ones. `rest(object, "full")` and `shape: full` of an operation return it. */
  readonly shapes?: Readonly<Record<string, readonly string[]>>;
  /** Objects that exist initially and after each reset; `vars` and `now` are in scope. */
  readonly initial?: readonly JsonObject[];
  /** State machine of the resource: a flat XState v5 machine. */
  readonly machine?: MachineFile;
  /** Named conditions of transitions. */
  readonly guards?: Readonly<Record<string, string>>;
  /** Named delays: expressions for a duration. */
  readonly delays?: Readonly<Record<string, string>>;
  /** Named step lists of the machine; `self` and `trigger` are in scope. */
  readonly actions?: Readonly<Record<string, readonly StepFile[]>>;
  /** Timers beside the state machine; any number of them run at once, each once per object. */
  readonly waits?: Readonly<
    Record<
      string,
      {
        /** Duration: a name of `delays`, or of pack.yaml `durations`. */
        readonly after: string;
        /** Starts when an object is created. */
        readonly on?: 'created';
        /** Starts when the machine enters this state (or one of these). */
        readonly enter?: readonly string[] | string;
        /** Starts only if this is true. */
        readonly when?: string;
        /** Steps when the timer fires; `self` is in scope. */
        readonly do: readonly StepFile[];
        /** Description for readers. */
        readonly description?: string;
      }
    >
  >;
  /** Errors of calls whose trigger the machine has no transition for, by trigger. */
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
  /** Completes seeded objects without emitting events: sets derived values and rejects impossible objects. */
  readonly seeded?: {
    /** Resources whose seeded objects are completed before these. */
    readonly after?: readonly string[];
    /** Steps that complete it, with `self` and `given` (the seed's values). A value of the seed has to stay unchanged. */
    readonly do?: readonly StepFile[];
    /** Impossible objects: the first row that applies rejects the seed. */
    readonly refuse?: readonly {
      /** Condition over `self` and `given`. */
      readonly when: string;
      /** Path of the invalid field, dotted. */
      readonly path: string;
      /** Reason for the rejection. */
      readonly message: string;
    }[];
    /** Expression: when the object entered its status, from which its timers count; default: its `order` field's time (also for null). */
    readonly since?: string;
  };
  /** Rules between parameters, in every operation that takes them. */
  readonly rules?: readonly RuleFile[];
  /** The vendor API's operations, by name; or names of standard kinds. */
  readonly operations?:
    | readonly ('create' | 'retrieve' | 'update' | 'delete' | 'list' | 'search')[]
    | Readonly<Record<string, OperationFile>>;
  /** Events of the resource, emitted in this order. */
  readonly events?: Readonly<Record<string, EventFile>>;
  /** Representation of the object in events. */
  readonly snapshot?: {
    /** Fields that events omit. */
    readonly drop?: readonly string[];
    /** Value that replaces null. */
    readonly null_as?: Json;
  };
  /** Fields that a test can override ("pin"), and when the override applies. */
  readonly pins?: Readonly<Record<string, PinFile>>;
  /** Possible values of the pin path `branch`. */
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
  /** Arguments by name; the name of a resource as type means an object of that resource. */
  readonly args?: Readonly<Record<string, TypeFile>>;
  /** Type of its result. */
  readonly returns?: TypeFile;
  /** Limit of its recursion. */
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
  /** Shown only if true. */
  readonly when?: string;
};

/** An input field for a parameter. */
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
  /** Whether the input is not sent as a parameter of the event. */
  readonly unsent?: boolean;
  /** Shown only if true. */
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
  /** The target may redirect to other origins. */
  readonly onward?: boolean;
  /** Parameters of the event or operation that the page sets; null omits one. Default for the subject, or `{id}`: the page's object. */
  readonly with?: Readonly<Record<string, Json>>;
  /** Parameters of the event that are filled in. */
  readonly fields?: Readonly<Record<string, PageFieldFile>>;
  /** URL to go to afterwards; null: the page again. Its origin must be known before. */
  readonly then?: string;
  /** Condition, evaluated afterwards: if true, the page is shown again instead of `then`. */
  readonly stay?: string;
  /** main (the default, highlighted) or plain. */
  readonly style?: 'main' | 'plain';
};

/** One part: heading, text, alert, rows, link, source, frame, form, or a loop over parts. */
export type PagePartFile = {
  /** Shown only if true. */
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
  /** A preformatted text; omitted if null. */
  readonly source?: string;
  /** Foreign HTML, such as a mail, in a frame: no scripts, no forms; links open in a new window. */
  readonly frame?: {
    /** Its name for people who cannot see it. */
    readonly title: string;
    /** HTML; omitted if null. */
    readonly html: string;
  };
  /** A form, with buttons that do something. */
  readonly form?: PageFormFile;
  /** Variable for each item of the list. */
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
  /** Route of the page: `GET /path/{id}`; without `{id}`, `object` finds the object to show. */
  readonly route: string;
  /** Resource of the shown object, which is `self`; `{id}` is its id. */
  readonly resource: string;
  /** Expression for the object of a page without `{id}`; `request.cookies` and `query` are in scope. */
  readonly object?: string;
  /** URL to redirect to if `object` is null (default: 404). */
  readonly otherwise?: string;
  /** Parameters of the query that expressions read, as `query.name`. */
  readonly query?: readonly string[];
  /** URL to redirect to instead; `self`, `request` and `query` are in scope. Null: the page is shown. */
  readonly redirect?: string;
  /** html, or pdf: the same parts (without forms) on one sheet; png: an image of an empty window. */
  readonly format?: 'html' | 'pdf' | 'png';
  /** Whether pages of other origins may show it in a frame: true, or an expression over `self`. */
  readonly framed?: boolean | string;
  /** Messages to the page around its frame, whenever it is loaded: a list of `{call, with}`, each a name of `opens.calls` in browser.yaml with a list of arguments. Null: nothing. */
  readonly posts?: Json;
  /** Heading and title. */
  readonly title: string;
  /** Parts of the page, from top to bottom. */
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
  /** Fields that are returned differently, each with its new type and `view`. */
  readonly change?: Readonly<Record<string, TypeFile>>;
};

/** Whether the operation exists, and changes of its parameters. */
export type OperationChangeFile = {
  /** `true`: the operation exists from this version on; `false`: it no longer exists. */
  readonly exists?: boolean;
  /** Parameters that are no longer known; `a.b` names one inside another, through lists too. */
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
  /** Names of later versions without changes: they are served like this one. */
  readonly same?: readonly string[];
  /** Pattern of versions that are newer than the pack and change nothing by the vendor's own rules. */
  readonly later?: string;
  /** The changes, in the order in which they apply. */
  readonly changes: readonly ChangeFile[];
};

/** Named objects with which a world can begin. */
export type SeedFile = {
  /** Name for `serve --seed-data` and `POST /seed`. */
  readonly seed: string;
  /** Description for readers. */
  readonly description: string;
  /** Initial simulated time: ISO 8601 or Unix seconds. */
  readonly t0?: string | number;
  /** Objects by collection, each with an `id` that fits the pack. */
  readonly resources: Readonly<Record<string, readonly JsonObject[]>>;
  /** Fields of the account that the API key belongs to; others have their defaults. */
  readonly account?: JsonObject;
  /** Last states of deleted objects by collection. */
  readonly deleted?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Objects of tenants, by their ids: `resources`, and optionally `deleted`. */
  readonly tenants?: JsonObject;
  /** Running timers of the objects, instead of timers computed from their fields. */
  readonly timers?: readonly JsonObject[];
  /** Objects with their own clock, and its time. */
  readonly clocks?: JsonObject;
};

/** A call with its expected response. */
export type ExampleCall = {
  /** Method and path; `${name}` inserts saved values. */
  readonly call: string;
  /** Description for readers. */
  readonly description?: string;
  /** API that is called (default: vendor). */
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
    /** Expected part of the body; other keys are ignored. */
    readonly body?: Json;
    /** Expected bytes of the body, in base64. */
    readonly base64?: string;
    /** Expected events of a stream, in order: `event`, `id` and `data`; other keys are ignored. */
    readonly events?: readonly Json[];
    /** Whether more events may follow. */
    readonly more?: boolean;
    /** Required headers. */
    readonly headers?: Readonly<Record<string, string | number>>;
  };
  /** Variables to save, with the paths of their values in the response. */
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

/** A call of an operation, or an action of the control API. */
export type TaskStepFile = {
  /** The operation that is called. */
  readonly call?: string;
  /** Its parameters, those in the path too. */
  readonly with?: JsonObject;
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name under which the response is saved. */
  readonly as?: string;
  /** An external event. */
  readonly event?: TaskEventFile;
  /** How far the clock advances. */
  readonly advance?: string;
  /** Existing objects. */
  readonly seed?: JsonObject | string;
  /** A fault, like the body of `POST /faults`. */
  readonly fault?: JsonObject;
  /** A delivery fault, like the body of `POST /webhooks/faults`. */
  readonly delivery_fault?: JsonObject;
  /** An override, like the body of `POST /exogenous/pins`. */
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
  /** Simulated time at which it happens: ISO 8601 or Unix seconds. */
  readonly at?: string | number;
  /** An external event. */
  readonly event?: TaskEventFile;
  /** How far the clock advances. */
  readonly advance?: string;
  /** Objects that are added. */
  readonly seed?: JsonObject | string;
  /** A fault, like the body of `POST /faults`. */
  readonly fault?: JsonObject;
  /** A delivery fault, like the body of `POST /webhooks/faults`. */
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

/** Expected changes of a collection: values of its objects, their number, and changed fields. */
export type TaskChangeFile = {
  /** Expected number (default: at least one). */
  readonly count?: TaskCountFile;
  /** Changed fields with their new values. */
  readonly to?: JsonObject;
  /** Changed fields with their old values. */
  readonly from?: JsonObject;
  /** Fields that must not have changed. */
  readonly same?: readonly string[];
};

/** A check, with its weight in the reward. */
export type TaskCheck = {
  /** Description for readers. */
  readonly about?: string;
  /** Weight in the reward (default 1). */
  readonly weight?: number;
  /** Objects that were created. */
  readonly added?: TaskChangeFile;
  /** Objects that changed. */
  readonly changed?: TaskChangeFile;
  /** Objects that were deleted. */
  readonly removed?: TaskChangeFile;
  /** An expression in the pack's language over the final state. */
  readonly final?: string;
  /** Pack in whose context `final` is evaluated, if there are several. */
  readonly vendor?: string;
  /** Calls that the agent made. */
  readonly calls?: {
    /** Operations that must not be called. */
    readonly never?: readonly string[];
    /** Count only calls of this operation. */
    readonly operation?: string;
    /** Minimum number of calls. */
    readonly min?: number;
    /** Maximum number of calls. */
    readonly max?: number;
    /** Operations that must be called in this order. */
    readonly order?: readonly string[];
    /** Expected number of calls that match no operation of the pack. */
    readonly unsupported?: TaskCountFile;
  };
  /** Webhooks that were delivered. */
  readonly delivered?: {
    /** Name of the event. */
    readonly event: string;
    /** Minimum number of deliveries. */
    readonly min?: number;
    /** Maximum number of deliveries. */
    readonly max?: number;
  };
  /** Nothing has changed except what the checks expect and what follows from it. */
  readonly unchanged?: Json;
  /** Evaluates the check on a fork of the final world, after its clock has advanced by this duration. */
  readonly later?: string;
  /** A command that judges the run: it reads the run on standard input and prints {"score", "note"}. */
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
  /** Name under which the response is saved. */
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
  /** Difficulty: one thing to know, several that depend on each other, or one that the calls do not show. */
  readonly level?: 'easy' | 'medium' | 'hard';
  /** Where people report this problem: a URL, or a repository and a number. */
  readonly source?: string;
  /** Packs of the world, by name or folder; of several, names begin with theirs: `shop/orders`. */
  readonly packs?: readonly string[];
  /** The company file of the world, instead of `packs`; its path from the task. */
  readonly company?: string;
  /** Initial simulated time: ISO 8601 or Unix seconds. */
  readonly t0?: string | number;
  /** Random seed for ids and other random values. */
  readonly seed?: string | number;
  /** API key that the agent gets, such as the token of a person that the setup created (default: the key of the world). */
  readonly key?: string;
  /** Setup before the agent begins, in order. */
  readonly setup?: readonly TaskStepFile[];
  /** External events while the agent works. */
  readonly script?: readonly TaskEvent[];
  /** The agent's task; `${name.field}` reads the setup's results. */
  readonly prompt: string;
  /** Tools that the MCP endpoint offers: a list of toolsets, or a map of toolsets, tools and readonly; with several packs, by pack name. */
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
  /** Scripted agents that validate the task, by name. */
  readonly agents?: Readonly<Record<string, TaskAgent>>;
};

/** A call, external event or seeded object that makes a person known to the vendor; `person` has the key, name and email. */
export type CompanyIdentity = {
  /** The operation: `collection.operation`. Its response is saved. */
  readonly call?: string;
  /** The external event. */
  readonly cause?: string;
  /** Collection of the seeded object. */
  readonly seed?: string;
  /** Parameters of the call or event; fields of the object. */
  readonly with?: JsonObject;
};

/** Several packs in one world, with people, initial state and rules between the packs; `sandbox serve company.yaml`. */
export type CompanyFile = {
  /** Name of the company. */
  readonly company: string;
  /** Description in one line. */
  readonly title?: string;
  /** Initial simulated time: ISO 8601 or Unix seconds (default: the start of the process). */
  readonly t0?: string | number;
  /** Random seed for ids and other random values (default: the name of the company). */
  readonly seed?: string | number;
  /** Packs by their names in the company; timers that are due at the same instant fire in this order. */
  readonly vendors: Readonly<
    Record<
      string,
      {
        /** Name of a pack that comes with the sandbox, or path of its folder relative to this file. */
        readonly pack: string;
        /** Its port (default: the port after that of the company, or any). */
        readonly port?: number;
        /** Its API key (default: a new one). */
        readonly key?: string;
        /** Random seed of the pack's ids (default: the company's). */
        readonly seed?: string | number;
        /** Values for variables of the pack. */
        readonly vars?: Readonly<Record<string, string>>;
        /** Name of seed data of the pack. */
        readonly seeds?: string;
        /** URLs of the application that receive the vendor's webhooks, registered before the first call. */
        readonly endpoints?: readonly string[];
        /** Actors of the pack that act in this company, by their names in its actors.yaml. */
        readonly actors?: readonly string[];
      }
    >
  >;
  /** People who are known to several vendors, by a short name. */
  readonly people?: Readonly<
    Record<
      string,
      {
        /** Full name. */
        readonly name: string;
        /** The e-mail address. */
        readonly email?: string;
        /** The person's object at each vendor: a name of `identities`. */
        readonly is?: Readonly<Record<string, string>>;
      }
    >
  >;
  /** How a person becomes known to each vendor, by vendor and by kind of object. */
  readonly identities?: Readonly<Record<string, Readonly<Record<string, CompanyIdentity>>>>;
  /** Initial objects: `vendor/collection` with a list of objects. */
  readonly seeds?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Steps before the first call, in order. */
  readonly begin?: readonly BeginningFile[];
  /** Effects of one vendor's events at another vendor: integrations that the vendors sell, never what the application under test does. */
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
  /** Actors that make calls over simulated time, at random from the seed; `sandbox live` runs them. */
  readonly actors?: Readonly<Record<string, ActorFile>>;
};
