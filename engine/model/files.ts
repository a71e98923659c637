import type { Json, JsonObject } from '../expression/index.js';
import type { MachineConfig } from '../machine/index.js';

/**
 * The pack files as their JSON Schemas (`schemas/`) let them through. Linking reads these shapes only after a file passed
 * its schema.
 */

/** A type in any of its forms: a name, `T?`, or a map. */
export type TypeFile = string | JsonObject;

export interface PackFile {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  readonly faithful_to?: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly timestamps?: 'unix' | 'iso8601';
  readonly base_path?: string;
  readonly routes?: { readonly update?: 'POST' | 'PUT' | 'PATCH' };
  readonly ids?: Readonly<
    Record<string, { readonly parts: readonly (string | { readonly random: number })[]; readonly pattern?: string }>
  >;
  readonly formats?: Readonly<Record<string, { readonly pattern: string; readonly title?: string }>>;
  readonly durations?: Readonly<Record<string, string | { readonly default: string; readonly description?: string }>>;
  readonly auth?: {
    readonly schemes?: readonly ('bearer' | 'basic')[];
    readonly key?: { readonly prefix?: string; readonly random?: number };
    readonly others?: Readonly<Record<string, { readonly prefix: string }>>;
  };
  readonly encoding?: {
    readonly requests?: 'form' | 'json';
    readonly responses?: string;
    readonly ignore_case?: boolean;
  };
  readonly validation?: { readonly unknown_parameters?: 'refuse' | 'ignore'; readonly collect?: boolean };
  readonly answers?: { readonly add?: JsonObject };
  readonly lists?: ListsFile;
  readonly search?: {
    readonly param?: string;
    readonly page?: string;
    readonly envelope?: JsonObject;
    readonly shortest?: number;
  };
  readonly expansion?: {
    readonly param: string;
    readonly max_depth?: number;
    readonly separator?: string;
    readonly lenient?: boolean;
    readonly aliases?: Readonly<Record<string, string>>;
  };
  readonly versions?: {
    readonly header: string;
    readonly aliases?: readonly string[];
    readonly current: string;
    readonly pattern?: string;
  };
  readonly idempotency?: {
    readonly header: string;
    readonly methods?: readonly string[];
    readonly replayed_header?: string;
    readonly original_header?: string;
    readonly echo?: boolean;
    readonly max_length?: number;
    readonly retention?: string;
    readonly keep?: 'all' | 'successes';
  };
  readonly request_id?: { readonly prefix?: string; readonly format?: string; readonly header?: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly tombstone?: Json;
  readonly events?: {
    readonly resource: string;
    readonly with: JsonObject;
    readonly previous_attributes?: string;
    readonly snapshot?: { readonly null_as?: Json };
  };
  readonly delivery?: DeliveryFile;
  readonly outside?: readonly OutsideFile[];
}

/** Paths of the vendor's API that a pack leaves out, and the error that says so. */
export interface OutsideFile {
  readonly paths: readonly string[];
  readonly error: string;
  readonly with?: JsonObject;
}

export interface ListsFile {
  readonly envelope: Json;
  readonly size?: { readonly param?: string; readonly default?: number; readonly min?: number; readonly max?: number };
  readonly cursors?: { readonly after?: string | readonly string[]; readonly before?: string };
  readonly lenient?: boolean;
}

export interface TransportFile {
  readonly url?: string;
  readonly body?: Json;
  /** A map of templates, or one `${}` that gives a map. */
  readonly headers?: Readonly<Record<string, string>> | string;
  readonly signature?: {
    readonly content: string;
    readonly key: 'utf8' | 'base64';
    readonly key_prefix?: string;
    readonly digest: 'hex' | 'base64';
  };
  readonly timeout?: string;
  readonly record?: Json;
}

export interface DeliveryFile {
  readonly endpoint: {
    readonly resource: string;
    readonly active?: string;
    readonly events: string;
    readonly register: JsonObject;
    readonly secret?: string;
    readonly transport?: string;
    readonly exhausted?: readonly StepFile[];
  };
  readonly transports: Readonly<Record<string, TransportFile>>;
  readonly retries?: readonly string[];
}

export interface ErrorFile {
  readonly status: number | string;
  readonly args?: Readonly<Record<string, TypeFile>>;
  readonly body?: Json;
  readonly envelope?: Json;
  readonly empty?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ErrorsFile {
  readonly envelope?: Json;
  readonly errors: Readonly<Record<string, ErrorFile>>;
}

export type StepFile = JsonObject;

export interface OperationFile {
  readonly kind?: OperationKind;
  readonly route?: string | readonly string[];
  readonly params?: Readonly<Record<string, TypeFile>>;
  readonly let?: Readonly<Record<string, string>>;
  readonly do?: readonly StepFile[];
  readonly return?: Json;
  readonly status?: number;
  readonly keys?: readonly string[];
  readonly deleted?: 'tombstone';
  readonly answer?: 'at_once';
  readonly filters?: Readonly<Record<string, TypeFile>>;
  readonly where?: string;
  readonly sort?: string;
  readonly ascending?: boolean;
  readonly fields?: Readonly<Record<string, TypeFile>>;
  readonly title?: string;
}

export type OperationKind = 'create' | 'retrieve' | 'update' | 'delete' | 'list' | 'search' | 'action';

export interface EventFile {
  readonly on?: 'created' | 'updated' | 'deleted';
  readonly enter?: string | readonly string[];
  readonly emit?: boolean;
  readonly when?: string;
  readonly description?: string;
}

export interface PinFile {
  readonly at: string | readonly string[];
  readonly type?: TypeFile;
  readonly by_steps?: boolean;
  /** Expression: what is wrong with a value. */
  readonly problems?: string;
  readonly description?: string;
}

export interface ResourceFile extends WithFlows {
  readonly resource: string;
  readonly collection: string;
  readonly title?: string;
  readonly path?: string;
  readonly id?: { readonly prefix?: string; readonly format?: string; readonly pattern?: string };
  readonly order?: string;
  readonly singleton?: boolean;
  readonly indexes?: readonly string[];
  readonly fields: Readonly<Record<string, TypeFile>>;
  readonly machine?: MachineConfig;
  readonly guards?: Readonly<Record<string, string>>;
  readonly delays?: Readonly<Record<string, string>>;
  readonly actions?: Readonly<Record<string, readonly StepFile[]>>;
  readonly refusals?: Readonly<Record<string, { readonly error: string; readonly with?: JsonObject }>>;
  readonly operations?: Readonly<Record<string, OperationFile>> | readonly string[];
  readonly events?: Readonly<Record<string, EventFile>>;
  readonly snapshot?: { readonly drop?: readonly string[]; readonly null_as?: Json };
  readonly pins?: Readonly<Record<string, PinFile>>;
  readonly branches?: readonly string[];
}

/** What a flow is, wherever it stands. */
export interface FlowBody {
  readonly args?: Readonly<Record<string, TypeFile>>;
  readonly returns?: TypeFile;
  readonly do: readonly StepFile[];
}

/** The section `flows` of a file: flows that only this file runs. */
export interface WithFlows {
  readonly flows?: Readonly<Record<string, FlowBody>>;
}

export interface FlowFile extends FlowBody, WithFlows {
  readonly flow: string;
}

export interface TableFile {
  readonly table: string;
  readonly key?: string;
  readonly columns: Readonly<Record<string, TypeFile>>;
  readonly rows: readonly JsonObject[];
}

export interface CauseVariantFile {
  readonly description?: string;
  readonly subject?: { readonly param: string; readonly resource: string };
  readonly params?: Readonly<Record<string, TypeFile>>;
  readonly when?: string;
  readonly do: readonly StepFile[];
}

export interface CausesFile extends WithFlows {
  readonly causes: Readonly<Record<string, CauseVariantFile & { readonly variants?: readonly CauseVariantFile[] }>>;
}

export interface PageFieldFile {
  readonly label: string;
  readonly type?: 'text' | 'email' | 'number' | 'checkbox' | 'select';
  readonly options?: Json;
  readonly value?: Json;
  readonly hint?: string;
  readonly required?: boolean;
  readonly when?: string;
}

export interface PageFormFile {
  readonly button: string;
  readonly cause: string;
  readonly with?: JsonObject;
  readonly fields?: Readonly<Record<string, PageFieldFile>>;
  readonly then?: string;
  readonly stay?: string;
  readonly style?: 'main' | 'plain';
}

export interface PagePartFile {
  readonly when?: string;
  readonly heading?: string;
  readonly text?: string;
  readonly alert?: string;
  readonly rows?: JsonObject;
  readonly link?: { readonly text: string; readonly to: string };
  readonly form?: PageFormFile;
  readonly for?: string;
  readonly in?: string;
  readonly parts?: readonly PagePartFile[];
}

export interface PageFile {
  readonly page: string;
  readonly route: string;
  readonly resource: string;
  readonly format?: 'html' | 'pdf';
  readonly title: string;
  readonly body: readonly PagePartFile[];
}

export interface MagicValueFile {
  readonly from?: Readonly<Record<string, string>>;
  readonly when?: string;
  readonly value: string;
  readonly run: string;
  readonly with?: JsonObject;
}

export interface MagicFile extends WithFlows {
  readonly families: Readonly<
    Record<
      string,
      { readonly stands_for: string; readonly looks_like: string; readonly values: readonly MagicValueFile[] }
    >
  >;
}

export interface ScenarioFile {
  readonly name: string;
  readonly description?: string;
  readonly from?: Readonly<Record<string, string>>;
  readonly when?: string;
  readonly fail?: string;
  readonly with?: JsonObject;
  readonly delay?: string;
  readonly pins?: JsonObject;
  readonly provide?: JsonObject;
}
