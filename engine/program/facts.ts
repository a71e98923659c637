import type { Schema } from '../model/index.js';
import type { Operation } from './operation.js';
import type { Version } from './version.js';

/** The vendor's document about its API, beyond the pack's declarations. */
export interface Facts {
  /**
   * The parameters of an operation, with additions of the document. Those that the pack doesn't declare are marked as having no
   * effect; rules are added where the pack has none.
   * @param declared parameters of the operation, in the call's version
   * @param version of the call; the account's by default
   */
  complete(operation: Operation, declared: ReadonlyMap<string, Schema>, version?: Version): ReadonlyMap<string, Schema>;
  /** Headers in lower case that the document has for an operation and the pack doesn't read. */
  headers(operation: Operation): readonly string[];
  /** Whether the document has media types other than JSON for an operation. */
  returnsOthers(operation: Operation): boolean;
  /** The one among them that a media range selects; null: none. */
  returned(operation: Operation, range: string): string | null;
  /** The document's route of a call, such as `GET /boats/{id}`; null: none. @param path without a query */
  routeOf(method: string, path: string): string | null;
  /** Whether a type of the vendor's GraphQL schema has a field, an input member or a value; `field(arg)` is an argument. */
  hasMember(type: string, member: string): boolean;
  /** Whether the vendor's GraphQL schema has a type. */
  hasType(type: string): boolean;
}
