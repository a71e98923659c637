import {
  attributesOf,
  type Diagnostics,
  inside,
  keyIn,
  parseSchema,
  type SourceLocation,
  type ResourceChangeFile,
  type Schema,
  type SchemaContext,
  type TypeFile,
} from '../../model/index.js';

/** The fields of a resource after a version's change. Problems are reported at the change. */
export function changedFields(
  before: ReadonlyMap<string, Schema>,
  change: ResourceChangeFile,
  place: SourceLocation,
  context: SchemaContext,
): ReadonlyMap<string, Schema> {
  const { diagnostics } = context;
  const fields = new Map(before);
  (change.remove ?? []).forEach((path, index) =>
    removeField(fields, path, 'field', inside(place, 'remove', index), diagnostics),
  );
  for (const [old, name] of Object.entries(change.rename ?? {})) {
    const at = inside(place, 'rename', old);
    const schema = diagnostics.find(keyIn(at), 'field', old, fields);
    if (schema)
      if (schema.in_shapes === true) inShapes(old, at, diagnostics);
      else if (fields.has(name)) taken(name, at, diagnostics);
      else {
        fields.delete(old);
        const isComputed = !isOwn(schema) && schema.view !== undefined;
        if (isComputed)
          diagnostics.problem(at, 'renamed-view', `'${old}' is computed: remove it, and add '${name}' with its view`);
        // A field that a version declared keeps its own view; others get one that reads the field under its old name.
        const own = isOwn(schema) ? schema : { ...schema, view: isComputed ? null : `\${self.${old}}`, place: at };
        fields.set(name, own);
      }
  }
  for (const [path, file] of Object.entries(change.add ?? {}))
    put(fields, path, file, 'add', inside(place, 'add', path), context);
  for (const [path, file] of Object.entries(change.change ?? {}))
    put(fields, path, file, 'change', inside(place, 'change', path), context);
  return fields;
}

/** Whether a field was declared by a version, so that its view is the version's own. */
export function isOwn(schema: Schema): boolean {
  return schema.place.file.kind === 'version';
}

/** Removes the field at a dotted path, through lists too. */
export function removeField(
  fields: Map<string, Schema>,
  path: string,
  what: 'field' | 'parameter',
  place: SourceLocation,
  diagnostics: Diagnostics,
): void {
  edit(fields, path.split('.'), what, place, diagnostics, (inner, name) => {
    if (!inner.delete(name)) diagnostics.unknown(place, what, name, inner.keys());
  });
}

function put(
  fields: Map<string, Schema>,
  path: string,
  file: TypeFile,
  how: 'add' | 'change',
  place: SourceLocation,
  context: SchemaContext,
): void {
  const { diagnostics } = context;
  const parsed = parseSchema(file, place, context);
  // A constant needs no `view`, since its value is known.
  const schema = parsed.kind === 'const' && parsed.view === undefined ? { ...parsed, view: parsed.constant } : parsed;
  if (schema.view === undefined)
    diagnostics.problem(keyIn(place), 'no-view', `'${path}' needs a \`view\`: nothing is stored for a version`);
  edit(fields, path.split('.'), 'field', place, diagnostics, (inner, name) => {
    if (how === 'add' && inner.has(name)) taken(name, place, diagnostics);
    else if (how === 'change' && !inner.has(name)) diagnostics.unknown(keyIn(place), 'field', name, inner.keys());
    else if (inner.get(name)?.in_shapes === true) inShapes(name, place, diagnostics);
    else inner.set(name, schema);
  });
}

/** Reports a change to a field that a shape of the resource returns: a version may only remove such a field. */
function inShapes(name: string, place: SourceLocation, diagnostics: Diagnostics): void {
  const message = `a shape of the resource returns '${name}': a version may remove it, and neither rename nor change it`;
  diagnostics.problem(keyIn(place), 'field-of-shape', message);
}

function taken(name: string, place: SourceLocation, diagnostics: Diagnostics): void {
  diagnostics.problem(keyIn(place), 'duplicate-field', `the version before has a field '${name}' already`);
}

/** Applies a change to the fields that contain the last name of a path; copies the types above them. */
function edit(
  fields: Map<string, Schema>,
  [name, ...below]: readonly string[],
  what: 'field' | 'parameter',
  place: SourceLocation,
  diagnostics: Diagnostics,
  change: (fields: Map<string, Schema>, name: string) => void,
): void {
  if (below.length === 0) return change(fields, name);
  const schema = fields.get(name);
  if (!schema) return diagnostics.unknown(place, what, name, fields.keys());
  const inner = (of: Schema): Schema => {
    if (of.kind === 'array') return { ...of, items: inner(of.items) };
    if (of.kind !== 'object') {
      diagnostics.problem(place, 'no-fields', `'${name}' declares no ${what}s`);
      return of;
    }
    const copy = new Map(of.fields);
    edit(copy, below, what, place, diagnostics, change);
    return { ...of, fields: copy };
  };
  fields.set(name, { ...inner(schema), ...attributesOf(schema) });
}
