import type { ASTNode, DocumentNode, GraphQLSchema } from 'graphql';
import { graphqlLibrary } from '../codecs/index.js';

/** A member in a document that the schema doesn't have. */
export interface MissingMember {
  /** Name of the type that lacks the member. */
  readonly type: string;
  /** A field, a member of an input or a value of an enum; null: the type doesn't exist. */
  readonly field: string | null;
  /** An argument of the field. */
  readonly argument: string | null;
  /** The path of the missing member: the operation, then the fields above it. */
  readonly path: readonly string[];
}

/** The members in a document that the schema doesn't have, by AST node. */
export function missingMembers(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<ASTNode, MissingMember> {
  const { TypeInfo, visit, visitWithTypeInfo, getNamedType } = graphqlLibrary();
  const missing = new Map<ASTNode, MissingMember>();
  const info = new TypeInfo(schema);
  const path: string[] = [];
  const note = (node: ASTNode, type: string, field: string | null, argument: string | null = null): void =>
    void missing.set(node, { type, field, argument, path: [...path] });
  visit(
    document,
    visitWithTypeInfo(info, {
      OperationDefinition: {
        enter: (node) => void path.push(node.name ? `${node.operation} ${node.name.value}` : node.operation),
        leave: () => void path.pop(),
      },
      FragmentDefinition: {
        enter: (node) => void path.push(`fragment ${node.name.value}`),
        leave: () => void path.pop(),
      },
      Field: {
        enter(node) {
          path.push((node.alias ?? node.name).value);
          const parent = info.getParentType();
          if (parent && !info.getFieldDef()) note(node, parent.name, node.name.value);
        },
        leave: () => void path.pop(),
      },
      Argument(node) {
        const [parent, field] = [info.getParentType(), info.getFieldDef()];
        if (parent && field && !info.getArgument()) note(node, parent.name, field.name, node.name.value);
      },
      ObjectField(node) {
        const input = info.getParentInputType();
        const name = input ? getNamedType(input).name : null;
        if (name !== null && !info.getInputType()) note(node, name, node.name.value);
      },
      EnumValue(node) {
        const type = info.getInputType();
        const named = type ? getNamedType(type) : null;
        if (named && 'getValue' in named && !named.getValue(node.value)) note(node, named.name, node.value);
      },
      NamedType(node) {
        if (!schema.getType(node.name.value)) note(node, node.name.value, null);
      },
    }),
  );
  return missing;
}
