import type { ResourceDef } from '../model/index.js';
import type { Operation } from './operation.js';

/** GraphQL over a pack's resources, from graphql.yaml. */
export interface GraphqlPlan {
  readonly path: string;
  /** The types of the API, in GraphQL's schema language. */
  readonly schema: string;
  readonly types: ReadonlyMap<string, GraphqlType>;
  /** The fields that the pack resolves, by `Type.field`. */
  readonly fields: ReadonlyMap<string, GraphqlField>;
  /** Fields without a source are null, or empty if the schema doesn't allow null. */
  readonly isRestEmpty: boolean;
  /** Finds the object of an id whose prefix doesn't show its type: JMESPath over `id`; null: not declared. */
  readonly node: Pick<GraphqlCall, 'operation' | 'with'> | null;
  /**
   * Error for an invalid document: JMESPath over `type`, `field`, `argument`, `path` and `message`; null: the message alone.
   */
  readonly invalid: string | null;
  /** Error for a rejected call: JMESPath over `status` and `body`; null: the message alone. */
  readonly error: string | null;
}

/** A GraphQL type that is a resource. */
interface GraphqlType {
  readonly resource: ResourceDef;
  /** Prefix of the ids of its objects; may be empty. */
  readonly prefix: string;
  /** The operation that finds one by id; null: none. */
  readonly retrieve: Operation | null;
}

/** The source of a field: JMESPath over `self` and `args`, or a call. */
export type GraphqlField = { readonly value: string } | GraphqlCall;

/** A call of an operation; its texts are JMESPath. */
export interface GraphqlCall {
  readonly operation: Operation;
  /** An id, over `self` and `args`; its object is `of` in the other texts. Null: none. */
  readonly of: string | null;
  /** Ids and lists of ids, over `self` and `args`, by name; their objects are `named` in the other texts. */
  readonly named: Readonly<Record<string, string>>;
  /** The operation's parameters by name: texts over `self`, `args`, `of` and `named`. */
  readonly with: Readonly<Record<string, string>>;
  /** A 404 response becomes null instead of an error. */
  readonly absent: boolean;
  /** The result is the object `of`, read after the call. */
  readonly again: boolean;
  /** Over the response, with the names of `with`; null: the whole response. */
  readonly show: string | null;
  /** Expression of a connection's items; null: the field isn't a connection. */
  readonly items: string | null;
  /** Which items the arguments ask for, over `item`, `self` and `args`; null: all. */
  readonly filter: string | null;
  /** When the last of the items comes first, over `self` and `args`; null: never. */
  readonly reverse: string | null;
  readonly more: string | null;
  /** The parameter with the number of the page, in place of `more` and `next`; null: none. */
  readonly pages: string | null;
  readonly next: Readonly<Record<string, string>>;
}
