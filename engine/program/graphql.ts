import type { ResourceDef } from '../model/index.js';
import type { Operation } from './operation.js';

/** The GraphQL API of a pack, compiled from graphql.yaml. */
export interface GraphqlPlan {
  readonly path: string;
  /** The types of the API, in GraphQL's schema language. */
  readonly schema: string;
  readonly types: ReadonlyMap<string, GraphqlType>;
  /** The fields that the pack resolves, by `Type.field`. */
  readonly fields: ReadonlyMap<string, GraphqlField>;
  /** Whether fields without a source are empty texts, lists or zeros where the schema doesn't allow null. */
  readonly isRestEmpty: boolean;
  /** The call that finds an object by an id whose prefix doesn't show its type: JMESPath over `id`; null: none. */
  readonly node: Pick<GraphqlCall, 'operation' | 'with'> | null;
  /**
   * Error for an invalid document: JMESPath over `type`, `field`, `argument`, `path` and `message`; null: the message alone.
   */
  readonly invalid: string | null;
  /** Error for a rejected call: JMESPath over `status` and `body`; null: the message alone. */
  readonly error: string | null;
}

/** A GraphQL type whose objects are those of a resource. */
interface GraphqlType {
  readonly resource: ResourceDef;
  /** Prefix of the ids of the type's objects; may be empty. */
  readonly prefix: string;
  /** The operation that retrieves an object of the type by id; null: none. */
  readonly retrieve: Operation | null;
}

/** How a field gets its value: JMESPath over `self` and `args`, or a call of an operation. */
export type GraphqlField = { readonly value: string } | GraphqlCall;

/** The call of an operation that resolves a field. Its members that are texts are JMESPath. */
export interface GraphqlCall {
  readonly operation: Operation;
  /** JMESPath over `self` and `args` to an id; the object with this id is `of` in the other expressions. Null: none. */
  readonly of: string | null;
  /** JMESPath over `self` and `args` to ids or lists of ids, by name; their objects are `named` in the other expressions. */
  readonly named: Readonly<Record<string, string>>;
  /** The operation's parameters, by name: JMESPath over `self`, `args`, `of` and `named`. */
  readonly with: Readonly<Record<string, string>>;
  /** Whether a 404 response makes the field null instead of an error. */
  readonly absent: boolean;
  /** Whether the field's value is the object `of`, read again after the call. */
  readonly again: boolean;
  /** JMESPath over the response, and the names that `with` reads; null: the whole response. */
  readonly show: string | null;
  /** JMESPath to the items of a connection; null: the field isn't a connection. */
  readonly items: string | null;
  /** JMESPath over `item`, `self` and `args` that is true for the items to return; null: all items. */
  readonly filter: string | null;
  /** JMESPath over `self` and `args` that is true if the order of items is reversed; null: never. */
  readonly reverse: string | null;
  readonly more: string | null;
  /** The operation's parameter with the page number, used instead of `more` and `next`; null: none. */
  readonly pages: string | null;
  readonly next: Readonly<Record<string, string>>;
}
