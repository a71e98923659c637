import type { Recorded } from '../../recordings/read.js';

/** The calls of one test, in order. */
export interface Recording {
  readonly source: string;
  /** The class of the test; a class is held out as a whole. */
  readonly group: string;
  readonly name: string;
  /** Calls of the test's set-up, which are sent but not counted. */
  readonly before: readonly Recorded[];
  readonly calls: readonly Recorded[];
  /** Whether the calls are examples of documents, without requests. */
  readonly unplayable?: true;
}

/** Texts of files by their paths. */
export type Files = ReadonlyMap<string, string>;
