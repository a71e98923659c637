import { rulesOf, type Schema } from '../../engine/model/index.js';

/** Formats a type: `string`, `id of order`, `one of a, b`. */
export function typeText(schema: Schema): string {
  const text = plain(schema);
  return schema.nullable && schema.kind !== 'any' ? `${text} or null` : text;
}

function plain(schema: Schema): string {
  switch (schema.kind) {
    case 'ref':
      return `id of ${schema.refs.join(' or ')}`;
    case 'enum':
      return `one of ${schema.values.map(code).join(', ')}`;
    case 'const':
      return code(JSON.stringify(schema.constant));
    case 'array':
      return `list of ${typeText(schema.items)}`;
    case 'map':
      return schema.of ? `map of ${typeText(schema.of)}` : 'map';
    case 'object':
      return `object (${[...schema.fields.keys()].map(code).join(', ')})`;
    case 'one_of':
      return schema.options.map(typeText).join(' or ');
    default:
      return schema.kind;
  }
}

/** Formats the rules of a schema, such as its limits and pattern. */
export function rulesText(schema: Schema): string {
  const rules: string[] = [];
  const { min, max, clamp, decimals, max_length, format } = rulesOf(schema);
  if (schema.required) rules.push('required');
  if (schema.unset) rules.push('may be emptied');
  if (schema.default !== undefined) rules.push(`default ${code(JSON.stringify(schema.default))}`);
  if (min !== undefined) rules.push(`at least ${min}${schema.kind === 'string' ? ' characters' : ''}`);
  if (max !== undefined) rules.push(`at most ${max}`);
  if (clamp) rules.push('moved to the bound');
  if (decimals !== undefined) rules.push(`at most ${decimals} decimals`);
  if (max_length !== undefined) rules.push(`at most ${max_length} characters`);
  if (format) rules.push(format.title);
  if (schema.effect === 'none') rules.push('without effect');
  if (schema.optional) rules.push('left out while null');
  if (schema.hidden) rules.push('never in a response');
  if (schema.view !== undefined || schema.shown !== undefined) rules.push('computed for the response');
  if (schema.on_expand) rules.push('when expanded');
  if (schema.in_shapes) rules.push('in some shapes');
  if (schema.expandable) rules.push('may be named in `expand`');
  if (schema.merge) rules.push('keys are merged');
  return rules.join(', ');
}

/** Writes a text as Markdown code. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

/** Formats a Markdown table; empty if there are no rows. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line), ''];
}
