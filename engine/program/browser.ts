import type { JsonObject } from '../values/index.js';

/** The vendor's library for pages in browsers. */
export interface BrowserLibrary {
  /** URL paths at which the sandbox serves the browser library. */
  readonly paths: readonly string[];
  /** The input of the browser runtime, in the format that tools/browser/library.ts reads. */
  readonly description: JsonObject;
}
