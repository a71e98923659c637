import type { Json, JsonObject } from '../values/index.js';
import type { Names, Value } from './values.js';
import type { CompanyRule } from './rules.js';

/** Something that happens before the first call. */
export type CompanyStep = { readonly place: string; readonly vendor: string } & (
  | {
      readonly kind: 'call';
      readonly operation: string;
      readonly given: Value;
      readonly keep: (response: Json, names: Names) => void;
    }
  | { readonly kind: 'cause'; readonly cause: string; readonly given: Value }
  | { readonly kind: 'endpoint'; readonly url: string }
  | {
      readonly kind: 'seed';
      readonly body: (names: Names) => JsonObject;
      readonly fields?: Value;
      readonly keep?: (object: Json, names: Names) => void;
    }
);

/** What a company file says, compiled against its packs. */
export interface CompanyPlan {
  readonly name: string;
  readonly title: string;
  /** Where it begins: people by their keys. */
  readonly people: JsonObject;
  readonly steps: readonly CompanyStep[];
  readonly rules: readonly CompanyRule[];
  readonly actors: readonly CompanyActor[];
}

/** What one kind of user does again and again. */
export interface CompanyActor {
  readonly name: string;
  /** Mean milliseconds between two times. */
  readonly everyMs: number;
  /** Infinity: any number of times. */
  readonly most: number;
  /** It acts on one of these objects; null: on none. */
  readonly of: { readonly vendor: string; readonly resource: number; readonly holds: Value | null } | null;
  /** Values with their weights, by name. */
  readonly choose: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly acts: readonly { readonly step: CompanyStep; readonly holds: Value | null; readonly percent: number }[];
}
