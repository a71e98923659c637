import type { Schema } from '../model/index.js';
import type { Operation } from './operation.js';
import type { Version } from './version.js';

/** What the vendor's document says of its API, beyond what the pack declares. */
export interface Facts {
  /**
   * The parameters of an operation with what only the document says of them. Those that the pack doesn't declare are marked as
   * without effect; rules of values are added where the pack has none.
   * @param declared of the operation, in the version of the call
   * @param version of the call; the account's unless given
   */
  complete(operation: Operation, declared: ReadonlyMap<string, Schema>, version?: Version): ReadonlyMap<string, Schema>;
  /** Headers in lower case that the document has for an operation and the pack doesn't read. */
  headers(operation: Operation): readonly string[];
  /** Whether the document has media types beside JSON for an operation. */
  returnsOthers(operation: Operation): boolean;
  /** Which of these a media range of a call names; null: none. */
  returned(operation: Operation, range: string): string | null;
  /** The document's route for a call, such as `GET /boats/{id}`; null: it has none. @param path without a query */
  routeOf(method: string, path: string): string | null;
  /** Whether a type of the vendor's GraphQL schema has a field, an input member or a value; `field(arg)` is an argument. */
  hasMember(type: string, member: string): boolean;
  /** Whether the vendor's GraphQL schema has a type. */
  hasType(type: string): boolean;
}
