import type { GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import { graphqlLibrary } from '../codecs/index.js';
import type { Json, JsonObject } from '../values/index.js';
import type { Calls } from './calls.js';
import { connectionOf } from './connection.js';

/**
 * The value of a field without a source: null, or an empty value of its type. A missing field of a root type is reported, since
 * it may have effects.
 */
export function emptyField(calls: Calls, args: JsonObject, info: GraphQLResolveInfo): Json {
  const { parentType, fieldName, returnType, schema } = info;
  if (parentType === schema.getQueryType() || parentType === schema.getMutationType())
    calls.report([{ kind: 'field', name: `${parentType.name}.${fieldName}` }]);
  const { isNonNullType } = graphqlLibrary();
  return isNonNullType(returnType) ? emptyOf(returnType.ofType, args, info, calls.now) : null;
}

function emptyOf(type: GraphQLOutputType, args: JsonObject, { schema }: GraphQLResolveInfo, now: Json): Json {
  const { isAbstractType, isEnumType, isListType, isObjectType, isScalarType } = graphqlLibrary();
  if (isListType(type)) return [];
  if (isObjectType(type)) return type.name.endsWith('Connection') ? connectionOf([], args) : {};
  if (isAbstractType(type)) return { __typename: schema.getPossibleTypes(type)[0]?.name ?? null };
  if (isEnumType(type)) return type.getValues()[0]?.name ?? null;
  if (!isScalarType(type)) return null;
  if (type.name === 'Int' || type.name === 'Float') return 0;
  if (type.name === 'Boolean') return false;
  // Times need a valid value, since clients parse the vendor's own scalars.
  return /date|time/i.test(type.name) ? now : '';
}
