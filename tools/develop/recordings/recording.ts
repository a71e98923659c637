import type { Recorded } from '../../recordings/read.js';

/** The calls of one test, in order. */
export interface Recording {
  readonly source: string;
  /** The class that contains the test; all tests of a class are held out, or none. */
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
