import type { ClientNames } from './again/client-names.js';
import type { Contract, DocumentedCall } from './contract.js';
import type { Document } from './document.js';
import type { Example } from './examples.js';
import type { Sampler } from './sample.js';
import type { SurveyedResource } from './survey.js';

/** Context that all stages of an import share. */
export interface Build {
  readonly document: Document;
  readonly contract: Contract;
  readonly sampler: Sampler;
  /** Examples of a call's successful response. */
  readonly examplesOf: (call: DocumentedCall) => readonly Example[];
  readonly basePath: string;
  /** All collections, for references between them. */
  readonly found: readonly SurveyedResource[];
  /** Resources by names of parameters and fields that probably contain their ids, such as `customer_id`. */
  readonly refs: ReadonlyMap<string, string>;
  /** Operations need a key by default. */
  readonly secured: boolean;
  /** Names from the vendor's client library, if one was given. */
  readonly client?: ClientNames;
  /** `scopes` of an operation; empty if the pack has no tokens with scopes. */
  readonly scopesOf: (call: DocumentedCall) => Readonly<Record<string, unknown>>;
}
