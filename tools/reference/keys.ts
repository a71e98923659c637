import { FOLDERS, SINGLE_FILES, WITH_AREAS } from '../../engine/pack/index.js';
import { readSchema, type FileSchema } from './schema.js';

/** Paths of each kind of file in a pack. */
const PLACES: readonly (readonly [kind: string, place: string])[] = [
  ...Object.entries(SINGLE_FILES).map(([file, kind]) => [kind, file] as const),
  ...Object.entries(FOLDERS).map(
    ([folder, kind]) => [kind, `${folder}/${WITH_AREAS.has(folder) ? 'AREA/' : ''}NAME.yaml`] as const,
  ),
];

/** Formats every key of all pack files as Markdown, from the JSON Schemas. */
export function keyReference(): string {
  const shared = read('definitions').definitions ?? {};
  const files = PLACES.map(([kind, place]) => {
    const schema = read(kind);
    const own = Object.values(schema.definitions ?? {}).filter(hasKeys);
    return [section(2, place, schema, kind), ...own.map((each) => section(3, each.title ?? '', each, kind))].join('\n');
  });
  const parts = Object.values(shared)
    .filter(hasKeys)
    .map((each) => section(3, each.title ?? '', each, 'definitions'));
  return `${HEADER}\n${files.join('\n')}\n## What several files share\n\n${parts.join('\n')}`;
}

const HEADER = `# Every key of a pack

Generated from \`schemas/\` by \`npm run docs\`; for how they work together, see [the pack language](pack-language.md). \`NAME\` in a
key is a name of the pack's choice, \`[]\` for each item of a list. Bold keys are required.
`;

const known = new Map<string, FileSchema>();

function read(kind: string): FileSchema {
  const schema = known.get(kind) ?? readSchema(kind);
  known.set(kind, schema);
  return schema;
}

function hasKeys(schema: FileSchema): boolean {
  return schema.properties !== undefined && schema.title !== 'step';
}

function section(level: number, title: string, schema: FileSchema, kind: string): string {
  const rows = rowsOf(schema, '', kind);
  const table = rows.length === 0 ? [] : ['| Key | Value | |', '|---|---|---|', ...rows, ''];
  return [`${'#'.repeat(level)} ${title}`, '', schema.description ?? '', '', ...table].join('\n');
}

function rowsOf(schema: FileSchema, prefix: string, kind: string): string[] {
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const path = `${prefix}${name}`;
    const shown = schema.required?.includes(name) ? `**\`${path}\`**` : `\`${path}\``;
    return [
      `| ${shown} | ${cell(valueOf(each, kind))} | ${cell(each.description ?? '')} |`,
      ...rowsBelow(each, path, kind),
    ];
  });
  const { additionalProperties: named } = schema;
  if (typeof named !== 'object') return rows;
  const path = `${prefix}NAME`;
  return [
    ...rows,
    `| \`${path}\` | ${cell(valueOf(named, kind))} | ${cell(named.description ?? '')} |`,
    ...rowsBelow(named, path, kind),
  ];
}

/** Lists the keys of a value that are declared in place, not shared. */
function rowsBelow(schema: FileSchema, path: string, kind: string): string[] {
  const own = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.then ? [schema.then] : [])];
  return own.flatMap((each) => [
    ...(each.properties || typeof each.additionalProperties === 'object' ? rowsOf(each, `${path}.`, kind) : []),
    ...(each.items ? rowsBelow(each.items, `${path}[]`, kind) : []),
  ]);
}

/** Describes the possible values in words. */
function valueOf(schema: FileSchema, kind: string): string {
  if (schema.$ref !== undefined) return linked(schema.$ref, kind);
  if (schema.enum) return schema.enum.map((each) => `\`${String(each)}\``).join(', ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    .map((each) => valueOf(each, kind))
    .filter((each) => each !== '');
  if (alternatives.length > 0) return [...new Set(alternatives)].join(' or ');
  if (schema.items) return `list of ${valueOf(schema.items, kind)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'any value';
  return types
    .map((type) => ({ object: 'map', array: 'list', string: 'text', boolean: 'true or false' })[type] ?? type)
    .join(' or ');
}

/** Returns the title of a reference's target, linked to its first section. */
function linked(ref: string, kind: string): string {
  const { schema, file } = resolved(ref, kind);
  const title = schema.title ?? 'value';
  const about = withKeys(schema, file, new Set())?.title;
  if (about === undefined) return title;
  const anchor = about.toLowerCase().replace(/[^\w\- ]/g, '');
  return `[${title}](#${anchor.replaceAll(' ', '-')})`;
}

function resolved(ref: string, kind: string): { readonly schema: FileSchema; readonly file: string } {
  const [path, pointer] = ref.split('#');
  const file = path === '' ? kind : path.replace('.schema.json', '');
  return { schema: read(file).definitions?.[pointer.split('/').at(-1) ?? ''] ?? {}, file };
}

/** Returns the schema, or the first one that it refers to, with a section. */
function withKeys(schema: FileSchema, kind: string, seen: Set<string>): FileSchema | undefined {
  if (hasKeys(schema) || /^(expression|value)$/.test(schema.title ?? '')) return hasKeys(schema) ? schema : undefined;
  for (const [, ref] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) {
    if (seen.has(ref)) continue;
    seen.add(ref);
    const next = resolved(ref, kind);
    const found = withKeys(next.schema, next.file, seen);
    if (found) return found;
  }
  return undefined;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
