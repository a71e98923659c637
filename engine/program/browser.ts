import type { JsonObject } from '../values/index.js';

/** The vendor's library for pages in browsers. */
export interface BrowserLibrary {
  /** Paths at which the sandbox serves the library. */
  readonly paths: readonly string[];
  /** The input of the browser runtime (tools/browser/library.ts), in that file's format. */
  readonly description: JsonObject;
}
