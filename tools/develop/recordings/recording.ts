import type { Recorded } from '../../recordings/read.js';

/** The calls of one test, in order. */
export interface Recording {
  readonly source: string;
  /** The class of tests; classes are kept apart as a whole. */
  readonly group: string;
  readonly name: string;
  /** Calls that came before, for the test's set-up: they are played and not counted. */
  readonly before: readonly Recorded[];
  readonly calls: readonly Recorded[];
  /** Whether calls of the recording are responses of documents, without what was sent. */
  readonly unplayable?: true;
}

/** Texts of files by their paths. */
export type Files = ReadonlyMap<string, string>;
