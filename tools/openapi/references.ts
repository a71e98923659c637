import { keysOfFragment } from '../../engine/values/index.js';
import { DATA, MAPS } from './settle.js';

/** Replaces `$ref` in data (examples, defaults, extensions) while real references are resolved. */
const KEPT = '$ref (data)';
/** Key of a named example, whose value is data. */
const EXAMPLE = 'named example';
/** Maximum number of references in data that are followed in a row. */
const MOST_LEVELS = 4;

/**
 * Makes the references of a file safe to resolve: hides those in data, and replaces dead ones with a schema that accepts anything. Modifies its
 * argument.
 * @param name of the file, for warnings
 * @returns a warning for each dropped reference, with its location
 */
export function safeReferences(root: unknown, name: string): string[] {
  const warnings: string[] = [];
  const walk = (value: unknown, key: string, path: string, isData: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Record<string, unknown>;
    const { $ref: ref } = node;
    const isNames = !isData && MAPS.has(key);
    if (typeof ref === 'string' && !isNames) {
      if (isData) {
        delete node['$ref'];
        node[KEPT] = ref;
      } else if (ref.startsWith('#/') && targetOf(root, ref) === undefined) {
        delete node['$ref'];
        warnings.push(`${name} ${path}: ${ref} leads nowhere; anything is accepted there`);
      }
    }
    const areExamples = !isData && isNamedExamples(key, node);
    for (const [own, each] of Object.entries(node)) {
      const holdsData =
        own.startsWith('x-') || (DATA.has(own) && !isNamedExamples(own, each)) || (own === 'value' && key === EXAMPLE);
      walk(
        each,
        areExamples ? EXAMPLE : isNames ? '' : own,
        `${path}/${own}`,
        isData || (!isNames && !areExamples && holdsData),
      );
    }
  };
  walk(root, '', '#', false);
  return warnings;
}

/** Whether a key contains named examples (of media types and parameters), in which references to other examples are followed. */
function isNamedExamples(key: string, value: unknown): boolean {
  if (key !== 'examples' || typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (each) =>
      typeof each === 'object' && each !== null && ('$ref' in each || 'value' in each || 'externalValue' in each),
  );
}

function targetOf(root: unknown, ref: string): unknown {
  return keysOfFragment(ref.slice(1)).reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[key] : undefined),
    root,
  );
}

/** Restores `$ref` in data. Modifies its argument. */
export function withDataReferences(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Record<string, unknown>;
  if (KEPT in node) {
    node['$ref'] = node[KEPT];
    delete node[KEPT];
  }
  for (const each of Object.values(node)) withDataReferences(each);
}

/** Replaces references in data that lead to an example of the document, or to a schema with an example. */
export function withDataResolved(value: unknown, root: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const node = value as Record<string, unknown>;
  const { [KEPT]: ref } = node;
  if (typeof ref === 'string' && ref.startsWith('#/') && depth < MOST_LEVELS) {
    const target = targetOf(root, ref);
    const shown =
      typeof target === 'object' && target !== null
        ? ((target as Record<string, unknown>)['value'] ?? (target as Record<string, unknown>)['example'])
        : target;
    if (shown !== undefined) return withDataResolved(structuredClone(shown), root, depth + 1);
  }
  for (const [key, each] of Object.entries(node)) node[key] = withDataResolved(each, root, depth);
  return node;
}
