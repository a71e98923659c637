import { FILE_KINDS } from '../../../engine/pack/index.js';
import { choicesOf, readSchema, resolveRef, type FileSchema } from '../../reference/schema.js';

const STEPS = 'definitions.schema.json#/definitions/steps';

/** Generates the tables of `engine/pack/step-kinds.ts`, unformatted: each kind of step with its keys, and the paths of steps. */
export function stepKindTables(): string {
  const { definitions = {} } = readSchema('definitions');
  const kinds = [...(choicesOf(definitions['step'] ?? {}) ?? [])].map(([kind, ref]) => {
    const step = definitions[resolveRef(ref, 'definitions').name];
    const keys = Object.keys(step?.properties ?? {}).filter((key) => key !== kind);
    const steps = stepLists(step ?? {}, 'definitions');
    return `${kind}: ${JSON.stringify({ keys, steps: steps.map((path) => path.join('.')) })}`;
  });
  const files = FILE_KINDS.flatMap((kind) => {
    const lists = stepLists(readSchema(kind), kind);
    return lists.length === 0 ? [] : `${kind}: ${JSON.stringify(lists)}`;
  });
  return `// Written by \`npm run types:pack\` from schemas/*.schema.yaml; a test compares. Change the schemas, not this file.
import type { FileKind } from './pack-files.js';

/** Every kind of step: the keys that go with it, and those of them that hold steps. */
export const STEP_KINDS = { ${kinds.join(',\n')} } as const;

/** Where the step lists of each kind of file are; \`*\` is any name, or any index of a list. */
export const STEP_LISTS: Readonly<Partial<Record<FileKind, readonly (readonly string[])[]>>> = { ${files.join(',\n')} };
`;
}

/** Paths of the step lists in values of a schema, except those inside other steps. */
function stepLists(schema: FileSchema, kind: string): string[][] {
  const found = new Map<string, string[]>();
  visit(schema, kind, [], new Set(), (path) => found.set(path.join('\n'), path));
  return [...found.values()];
}

function visit(
  schema: FileSchema,
  kind: string,
  path: string[],
  entered: ReadonlySet<string>,
  report: (path: string[]) => void,
): void {
  if (schema.$ref !== undefined) {
    const { kind: file, name } = resolveRef(schema.$ref, kind);
    const full = `${file}.schema.json#/definitions/${name}`;
    if (full === STEPS) report(path);
    else if (!entered.has(full))
      visit(readSchema(file).definitions?.[name] ?? {}, file, path, new Set([...entered, full]), report);
    return;
  }
  const below = (each: FileSchema, ...keys: string[]) => visit(each, kind, [...path, ...keys], entered, report);
  for (const [key, each] of Object.entries(schema.properties ?? {})) below(each, key);
  if (typeof schema.additionalProperties === 'object') below(schema.additionalProperties, '*');
  if (schema.items) below(schema.items, '*');
  for (const each of [schema.then, schema.else]) if (each) below(each);
}
