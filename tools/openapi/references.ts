import { keysOfFragment } from '../../engine/values/index.js';
import { DATA, MAPS } from './settle.js';

/** What `$ref` is called while references are followed where it is data: in examples, defaults and extensions. */
const KEPT = '$ref (data)';

/**
 * Makes the references of one file safe to follow: in data they mean nothing, and those that lead nowhere become a schema that
 * anything fits. Changes what it is given.
 * @param name of the file, for warnings
 * @returns a warning for each reference that was dropped, with its place
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
      } else if (ref.startsWith('#/') && !leadsSomewhere(root, ref)) {
        delete node['$ref'];
        warnings.push(`${name} ${path}: ${ref} leads nowhere; anything is accepted there`);
      }
    }
    for (const [own, each] of Object.entries(node))
      walk(
        each,
        isNames ? '' : own,
        `${path}/${own}`,
        isData || (!isNames && (own.startsWith('x-') || (DATA.has(own) && !isNamedExamples(own, each)))),
      );
  };
  walk(root, '', '#', false);
  return warnings;
}

/** `examples` of media types and parameters are maps in which references to other examples are followed. */
function isNamedExamples(key: string, value: unknown): boolean {
  if (key !== 'examples' || typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (each) =>
      typeof each === 'object' && each !== null && ('$ref' in each || 'value' in each || 'externalValue' in each),
  );
}

function leadsSomewhere(root: unknown, ref: string): boolean {
  return (
    keysOfFragment(ref.slice(1)).reduce<unknown>(
      (node, key) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[key] : undefined),
      root,
    ) !== undefined
  );
}

/** Gives references in data their name back. Changes what it is given. */
export function withDataReferences(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Record<string, unknown>;
  if (KEPT in node) {
    node['$ref'] = node[KEPT];
    delete node[KEPT];
  }
  for (const each of Object.values(node)) withDataReferences(each);
}
