import type { FileKind, PackSource } from '../../engine/pack/index.js';
import { cursorAt, slotAt } from './cursor.js';
import { type NameKind, packNames, type NameOccurrence } from './names.js';
import { choices, PARAMETERS, variables } from './choices.js';
import { functionsThere, keyAt, keysAt } from './schema.js';

/** A completion at a cursor. */
export interface Proposal {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'name' | 'function' | 'field';
  readonly detail: string;
  readonly documentation: string;
  readonly insert: string;
}

/** Kinds of names, by the path of the values that refer to them. */
const VALUES: readonly { readonly at: RegExp; readonly kind: NameKind }[] = [
  { at: /(?:^|\/)(?:create|ref|resource)$/, kind: 'resource' },
  { at: /(?:^|\/)run$/, kind: 'flow' },
  { at: /(?:^|\/)(?:fail|error)$/, kind: 'error' },
  { at: /(?:^|\/)emit$/, kind: 'event' },
  { at: /^machine\/(?:initial|states\/[^/]+\/(?:on|after)\/[^/]+|.*\/target)$/, kind: 'state' },
];
/** Keys whose values are expressions without `${}`. */
const EXPRESSIONS = new Set([
  'when',
  'if',
  'in',
  'let',
  'guards',
  'delays',
  'to',
  'object',
  'only_to',
  'from',
  'where',
  'per',
  'since',
  'active',
]);

/** Lists the completions at an offset of a file. */
export function proposals(source: PackSource, file: string, kind: FileKind, text: string, offset: number): Proposal[] {
  const slot = slotAt(text, offset);
  if (!slot) return [];
  if (slot.kind === 'key')
    return [
      ...keysAt(kind, slot.path),
      ...choices(source, kind, [...slot.path, ''], file).map((name) => ({ name, detail: '', description: '' })),
    ]
      .filter(({ name }) => !slot.taken.includes(name))
      .map(({ name, detail, description }) => ({
        label: name,
        kind: 'key',
        detail,
        documentation: description,
        insert: PARAMETERS.test(`${slot.path.join('/')}/`) ? name : `${name}: `,
      }));
  const path = slot.path.join('/');
  const isExpression = slot.inExpression || slot.path.some((each) => EXPRESSIONS.has(String(each)));
  const meant = VALUES.find(({ at }) => at.test(path));
  const names = packNames(source);
  if (!slot.inExpression && meant && !(meant.kind === 'resource' && isExpression))
    return named(names, meant.kind, file);
  if (isExpression) return inExpression(source, names, file, slot.before, variables(kind, slot.path));
  const values = [...choices(source, kind, slot.path, file), ...(keyAt(kind, slot.path)?.values ?? [])];
  return values.map((value) => ({
    label: value,
    kind: 'value',
    detail: '',
    documentation: '',
    insert: value,
  }));
}

function named(names: readonly NameOccurrence[], kind: NameKind, file: string): Proposal[] {
  const own = names.filter((each) => each.defines && each.kind === kind && (kind !== 'state' || each.file === file));
  return [...new Map(own.map((each) => [each.name, each])).values()].map(({ name, file: where }) => ({
    label: name,
    kind: 'name',
    detail: `${kind} of ${where}`,
    documentation: '',
    insert: name,
  }));
}

function inExpression(
  source: PackSource,
  names: readonly NameOccurrence[],
  file: string,
  before: string,
  scope: readonly string[],
): Proposal[] {
  const [, holder] = /(\w+)\.\w*$/.exec(before) ?? [];
  if (/\b(?:get|find|all|count)\(\s*\w*$/.test(before)) return named(names, 'resource', file);
  if (/\b(?:lookup|rows)\(\s*\w*$/.test(before)) return named(names, 'table', file);
  if (
    holder === 'self' ||
    (holder !== undefined && names.some((each) => each.kind === 'resource' && each.name === holder))
  )
    return fieldsOf(
      source,
      holder === 'self'
        ? file
        : (names.find((each) => each.kind === 'resource' && each.defines && each.name === holder)?.file ?? file),
    );
  if (holder !== undefined) return [];
  return [
    ...scope.map((label): Proposal => ({
      label,
      kind: 'field',
      detail: 'variable',
      documentation: '',
      insert: label,
    })),
    ...[...functionsThere()].map(([label, { signature, says }]): Proposal => ({
      label,
      kind: 'function',
      detail: signature,
      documentation: says,
      insert: `${label}(`,
    })),
  ];
}

/** Lists the fields of a file's resource, with their types. */
function fieldsOf(source: PackSource, path: string): Proposal[] {
  const data = source.files.find((each) => each.path === path)?.data;
  const fields = record(record(data)['fields']);
  return [['id', 'string'] as const, ...Object.entries(fields)].map(([label, type]) => ({
    label,
    kind: 'field',
    detail: typeof type === 'string' ? type : JSON.stringify(type),
    documentation: '',
    insert: label,
  }));
}

/** Returns documentation of the element at an offset, as Markdown; undefined if there is none. */
export function explained(
  source: PackSource,
  file: string,
  kind: FileKind,
  text: string,
  offset: number,
): string | undefined {
  const here = packNames(source).filter((each) => each.file === file && each.from <= offset && offset <= each.to);
  const cursor = cursorAt(text, offset);
  const parts: string[] = [];
  for (const each of here.slice(0, 1)) {
    const defined = packNames(source).find(
      (other) => other.defines && other.kind === each.kind && other.name === each.name,
    );
    parts.push(`**${each.name}**: ${each.kind}${defined && defined.file !== file ? `, ${defined.file}` : ''}`);
    const said = defined && record(source.files.find((other) => other.path === defined.file)?.data)['description'];
    if (typeof said === 'string') parts.push(said);
  }
  const word = wordAt(text, offset);
  const called = functionsThere().get(word.text);
  if (called && text[word.to] === '(') parts.push(`**${called.signature}**`, called.says);
  const field = /\bself\.\w*$/.test(text.slice(0, word.to))
    ? fieldsOf(source, file).find(({ label }) => label === word.text)
    : undefined;
  if (field) parts.push(`**${field.label}**: \`${field.detail}\``);
  if (cursor?.onKey) {
    const info = keyAt(kind, cursor.path);
    if (info && (info.description !== '' || info.detail !== ''))
      parts.push(
        `**${info.name}**${info.detail === '' ? '' : `: ${info.detail}`}`,
        ...(info.description === '' ? [] : [info.description]),
      );
  }
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function wordAt(text: string, offset: number): { readonly text: string; readonly to: number } {
  const from = offset - (/\w*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
  const to = offset + (/^\w*/.exec(text.slice(offset))?.[0].length ?? 0);
  return { text: text.slice(from, to), to };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
