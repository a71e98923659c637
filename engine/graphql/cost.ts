import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { graphqlLibrary } from '../codecs/index.js';
import { LIMITS } from '../limits.js';

/** Why a document has too many or too deep fields; null: it doesn't. Runs before anything else reads its fields. */
export function tooMuch({ definitions }: DocumentNode): string | null {
  const { Kind } = graphqlLibrary();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  let count = 0;
  const visit = ({ selections }: SelectionSetNode, depth: number, within: ReadonlySet<string>): string | null => {
    if (depth > LIMITS.graphqlDepth.value) return `Fields are nested deeper than ${LIMITS.graphqlDepth.value} levels`;
    for (const each of selections) {
      if (++count > LIMITS.graphqlFields.value) return `There are more than ${LIMITS.graphqlFields.value} fields`;
      if (each.kind === Kind.FIELD) {
        // Skips introspection, since its fields call no operations.
        if (each.name.value.startsWith('__') || !each.selectionSet) continue;
        const found = visit(each.selectionSet, depth + 1, within);
        if (found !== null) return found;
        continue;
      }
      const name = each.kind === Kind.FRAGMENT_SPREAD ? each.name.value : null;
      const set = each.kind === Kind.INLINE_FRAGMENT ? each.selectionSet : fragments.get(each.name.value)?.selectionSet;
      // Skips circular fragments, since validation reports them.
      if (!set || (name !== null && within.has(name))) continue;
      const found = visit(set, depth, name === null ? within : new Set([...within, name]));
      if (found !== null) return found;
    }
    return null;
  };
  for (const each of definitions)
    if (each.kind === Kind.OPERATION_DEFINITION) {
      const found = visit(each.selectionSet, 1, new Set());
      if (found !== null) return found;
    }
  return null;
}
