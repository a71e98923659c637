import type { Json, JsonObject } from '../values/index.js';
import type { Names, Value } from './values.js';
import type { CompanyRule } from './rules.js';

/** A step of a company's setup, or an action of an actor. */
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

/** A company file, compiled against its packs. */
export interface CompanyPlan {
  readonly name: string;
  readonly title: string;
  /** The people of the company, by their keys. */
  readonly people: JsonObject;
  readonly steps: readonly CompanyStep[];
  readonly rules: readonly CompanyRule[];
  readonly actors: readonly CompanyActor[];
}

/** Repeated actions of one kind of user. */
export interface CompanyActor {
  readonly name: string;
  /** Mean time between two turns, in milliseconds. */
  readonly everyMs: number;
  /** Limit of turns; Infinity: none. */
  readonly most: number;
  /** The objects of which the actor picks one to act on; null: none. */
  readonly of: { readonly vendor: string; readonly resource: number; readonly holds: Value | null } | null;
  /** Random choices of each turn: for each name, alternatives with their weights. */
  readonly choose: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly acts: readonly { readonly step: CompanyStep; readonly holds: Value | null; readonly percent: number }[];
}
