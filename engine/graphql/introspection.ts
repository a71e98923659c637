import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLArgument,
  GraphQLDirective,
  GraphQLEnumValue,
  GraphQLField,
  GraphQLInputField,
  GraphQLSchema,
  GraphQLType,
  SelectionSetNode,
} from 'graphql';
import { graphqlLibrary } from '../codecs/index.js';

/** A part of the schema that introspection describes. */
type Part =
  | GraphQLSchema
  | GraphQLType
  | GraphQLField<unknown, unknown>
  | GraphQLInputField
  | GraphQLArgument
  | GraphQLEnumValue
  | GraphQLDirective;

/**
 * The number of values that introspection returns in a validated document: each field for each part of the schema that it
 * applies to. They need a limit of their own, since they call no operation.
 */
export function introspectionValues(schema: GraphQLSchema, { definitions }: DocumentNode): number {
  const { Kind } = graphqlLibrary();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  const known = new Map<SelectionSetNode, Map<Part, number>>();

  const fieldsOf = function* ({ selections }: SelectionSetNode): Generator<FieldNode> {
    for (const each of selections) {
      if (each.kind === Kind.FIELD) yield each;
      else if (each.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(each.selectionSet);
      else {
        const named = fragments.get(each.name.value);
        if (named) yield* fieldsOf(named.selectionSet);
      }
    }
  };
  const valuesOf = (set: SelectionSetNode, part: Part): number => {
    let counts = known.get(set);
    if (counts === undefined) known.set(set, (counts = new Map<Part, number>()));
    const before = counts.get(part);
    if (before !== undefined) return before;
    let count = 0;
    for (const { name, selectionSet } of fieldsOf(set)) {
      count++;
      if (selectionSet) for (const each of partsOf(schema, part, name.value)) count += valuesOf(selectionSet, each);
    }
    counts.set(part, count);
    return count;
  };
  let count = 0;
  const visit = (set: SelectionSetNode): void => {
    for (const field of fieldsOf(set)) {
      const { name, selectionSet } = field;
      if (!selectionSet) continue;
      if (name.value === '__schema') count += valuesOf(selectionSet, schema);
      else if (name.value === '__type')
        count += Math.max(0, ...typesNamed(schema, field).map((type) => valuesOf(selectionSet, type)));
      else visit(selectionSet);
    }
  };
  for (const each of definitions) if (each.kind === Kind.OPERATION_DEFINITION) visit(each.selectionSet);
  return count;
}

/** The types that a field requests; a variable may name any. */
function typesNamed(schema: GraphQLSchema, { arguments: given = [] }: FieldNode): Part[] {
  const name = given.find((each) => each.name.value === 'name')?.value;
  if (name?.kind !== graphqlLibrary().Kind.STRING) return Object.values(schema.getTypeMap());
  const type = schema.getType(name.value);
  return type ? [type] : [];
}

/** The parts that a field of introspection returns. */
function partsOf(schema: GraphQLSchema, part: Part, field: string): readonly Part[] {
  const library = graphqlLibrary();
  switch (field) {
    case 'types':
      return Object.values(schema.getTypeMap());
    case 'directives':
      return schema.getDirectives();
    case 'queryType':
    case 'mutationType':
    case 'subscriptionType': {
      const root = { queryType: schema.getQueryType(), mutationType: schema.getMutationType() };
      const type = field === 'subscriptionType' ? schema.getSubscriptionType() : root[field];
      return type ? [type] : [];
    }
    case 'fields':
      return library.isObjectType(part) || library.isInterfaceType(part) ? Object.values(part.getFields()) : [];
    case 'inputFields':
      return library.isInputObjectType(part) ? Object.values(part.getFields()) : [];
    case 'enumValues':
      return library.isEnumType(part) ? part.getValues() : [];
    case 'interfaces':
      return library.isObjectType(part) || library.isInterfaceType(part) ? part.getInterfaces() : [];
    case 'possibleTypes':
      return library.isAbstractType(part) ? schema.getPossibleTypes(part) : [];
    case 'args':
      return 'args' in part ? part.args : [];
    case 'type':
      return 'type' in part ? [part.type] : [];
    case 'ofType':
      return 'ofType' in part ? [part.ofType] : [];
    default:
      return [];
  }
}
