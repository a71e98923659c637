import type { ResourceDef } from '../model/index.js';
import type { Operation } from './operation.js';

/** GraphQL over the resources of a pack, as graphql.yaml describes it. */
export interface GraphqlPlan {
  readonly path: string;
  /** In GraphQL's schema language. */
  readonly schema: string;
  readonly types: ReadonlyMap<string, GraphqlType>;
  /** By `Type.field`. */
  readonly fields: ReadonlyMap<string, GraphqlField>;
  /** Fields that nothing gives are null, or empty where the schema allows no null. */
  readonly isRestEmpty: boolean;
  /** What an id names, where ids do not begin as their types do: JMESPath over `id`; null: nothing says. */
  readonly node: Pick<GraphqlCall, 'operation' | 'with'> | null;
  /** JMESPath over `type`, `field`, `argument`, `path` and `message` of what a document asks for in vain; null: the text alone. */
  readonly invalid: string | null;
  /** JMESPath over `status` and `body` of a response that is an error; null: the text alone. */
  readonly error: string | null;
}

/** A type that is a resource. */
interface GraphqlType {
  readonly resource: ResourceDef;
  /** What ids of its objects begin with; empty: they have no prefix. */
  readonly prefix: string;
  /** Finds one by its id; null: nothing does. */
  readonly retrieve: Operation | null;
}

/** What a field comes from: JMESPath over `self` and `args`, or a call. */
export type GraphqlField = { readonly value: string } | GraphqlCall;

/** A call of an operation; the texts are JMESPath. */
export interface GraphqlCall {
  readonly operation: Operation;
  /** An id over `self` and `args`; what it names is `of` in the others. Null: none. */
  readonly of: string | null;
  /** Ids and lists of ids over `self` and `args`, by a name; what they name is `named` in the others. */
  readonly named: Readonly<Record<string, string>>;
  /** Over `self`, `args`, `of` and `named`. */
  readonly with: Readonly<Record<string, string>>;
  /** A response that is 404 is null, and no error. */
  readonly absent: boolean;
  /** The response is what `of` names, read after the call. */
  readonly again: boolean;
  /** Over the response, as what follows; null: all of it. */
  readonly show: string | null;
  /** Null: the field is no connection. */
  readonly items: string | null;
  readonly more: string | null;
  /** The parameter that counts pages, instead of `more` and `next`; null: none does. */
  readonly pages: string | null;
  readonly next: Readonly<Record<string, string>>;
}
