import type { Schema } from '../model/index.js';
import type { Operation } from './operation.js';
import type { Version } from './version.js';

/** What the vendor's API document declares beyond the pack, from facts.yaml. */
export interface Facts {
  /**
   * Adds parameters and rules of the vendor's document to those of an operation. Added parameters are marked as having no
   * effect; rules are added where the pack has none.
   * @param declared parameters of the operation, in the call's version
   * @param version of the call; the account's by default
   */
  complete(operation: Operation, declared: ReadonlyMap<string, Schema>, version?: Version): ReadonlyMap<string, Schema>;
  /** Returns the headers, in lower case, that the vendor documents for an operation and the pack doesn't read. */
  headers(operation: Operation): readonly string[];
  /** Whether the vendor documents media types other than JSON for an operation. */
  returnsOthers(operation: Operation): boolean;
  /** Returns the documented media type other than JSON that a media range of the Accept header selects; null: none. */
  returned(operation: Operation, range: string): string | null;
  /** Returns the documented route of a call, such as `GET /boats/{id}`; null: none. @param path without a query */
  routeOf(method: string, path: string): string | null;
  /** Whether a type of the vendor's GraphQL schema has a field, an input member or a value; `field(arg)`: an argument. */
  hasMember(type: string, member: string): boolean;
  /** Whether the vendor's GraphQL schema has a type. */
  hasType(type: string): boolean;
}
