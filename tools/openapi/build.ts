import type { ClientNames } from './again/client-names.js';
import type { Contract, DocumentedCall } from './contract.js';
import type { Document } from './document.js';
import type { Example } from './examples.js';
import type { Sampler } from './sample.js';
import type { SurveyedResource } from './survey.js';

/** What all parts of an import share. */
export interface Build {
  readonly document: Document;
  readonly contract: Contract;
  readonly sampler: Sampler;
  /** What the document shows of a call when all is well. */
  readonly examplesOf: (call: DocumentedCall) => readonly Example[];
  readonly basePath: string;
  /** Every collection with objects, for references between them. */
  readonly found: readonly SurveyedResource[];
  /** Names of texts that are probably ids, such as `customer_id`, and their resources. */
  readonly refs: ReadonlyMap<string, string>;
  /** Whether the pack's operations need a key unless they say otherwise. */
  readonly secured: boolean;
  /** What the vendor's client calls things; undefined: it isn't known. */
  readonly client?: ClientNames;
  /** `scopes` of an operation, where the pack has tokens with scopes. */
  readonly scopesOf: (call: DocumentedCall) => Readonly<Record<string, unknown>>;
}
