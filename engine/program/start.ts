import type { JsonObject } from '../values/index.js';

/** Code examples for a first call, and calls to try in the inspector. */
export interface Start {
  /** Programs that make a call, with placeholders such as `{url}` and `{key}`. */
  readonly languages: readonly { readonly name: string; readonly install: string | null; readonly code: string }[];
  readonly collections: readonly string[];
  readonly tries: readonly Try[];
}

/** A call that a button of the inspector makes. */
interface Try {
  readonly title: string;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly params: JsonObject;
}
