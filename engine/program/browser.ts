import type { JsonObject } from '../values/index.js';

/** The vendor's library for pages in browsers. */
export interface BrowserLibrary {
  /** Where it is served. */
  readonly paths: readonly string[];
  /** What the runtime in the browser (tools/browser/library.ts) receives, as that file describes it. */
  readonly description: JsonObject;
}
