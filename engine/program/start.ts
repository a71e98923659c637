import type { JsonObject } from '../values/index.js';

/** What a newcomer sees first: code for a first call, and calls to try. */
export interface Start {
  /** Programs that make a call, with places such as `{url}` and `{key}` in them. */
  readonly languages: readonly { readonly name: string; readonly install: string | null; readonly code: string }[];
  readonly collections: readonly string[];
  readonly tries: readonly Try[];
}

/** A call that shows something, as a button makes it. */
interface Try {
  readonly title: string;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly params: JsonObject;
}
