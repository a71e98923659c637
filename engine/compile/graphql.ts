import { graphqlLibrary, jmespathProblem } from '../codecs/index.js';
import { type GraphqlFile, inside, type SourceLocation } from '../model/index.js';
import {
  type GraphqlField,
  type GraphqlPlan,
  type Operation,
  pagingSchemas,
  resourceSchema,
} from '../program/index.js';
import { suggest } from '../pack/index.js';
import { isObject, type Json } from '../values/index.js';
import type { Compiler } from './context.js';

type FieldFile = NonNullable<GraphqlFile['fields']>[string][string];

/** Types whose members the endpoint makes itself. */
const MADE = /(?:Connection|Edge)$|^PageInfo$/;

/** Reads graphql.yaml. Problems are reported. */
export function linkGraphql(
  { path = '/graphql', schema, types = {}, node, fields = {}, error, invalid }: GraphqlFile,
  place: SourceLocation,
  operations: readonly Operation[],
  { model, diagnostics, passed }: Compiler,
): GraphqlPlan {
  const byKey = new Map(operations.map((each) => [each.key, each]));
  const byName = new Map(model.resources.map((each) => [each.name, each]));
  const linkedTypes = Object.entries(types).flatMap(([type, name]) => {
    const resource = byName.get(name);
    if (!resource) diagnostics.unknown(inside(place, 'types', type), 'resource', name, byName.keys());
    if (!resource) return [];
    const { prefix } = resource.file.id ?? {};
    const retrieve = operations.find((each) => each.resource === resource && each.kind === 'retrieve') ?? null;
    return [[type, { resource, prefix: typeof prefix === 'string' ? prefix : '', retrieve }] as const];
  });
  const linkedFields = Object.entries(fields).flatMap(([type, members]) =>
    Object.entries(members).flatMap(([name, file]): [string, GraphqlField][] => {
      const linked = linkField(file, inside(place, 'fields', type, name));
      return linked ? [[`${type}.${name}`, linked]] : [];
    }),
  );
  if (error !== undefined) checkPath(error, inside(place, 'error'));
  if (invalid !== undefined) checkPath(invalid, inside(place, 'invalid'));
  if (!passed) checkSchema();
  const linkedNode = node === undefined ? null : linkField(node, inside(place, 'node'));
  return {
    path,
    schema,
    types: new Map(linkedTypes),
    node: linkedNode !== null && 'operation' in linkedNode ? linkedNode : null,
    fields: new Map(linkedFields),
    error: error ?? null,
    invalid: invalid ?? null,
  };

  function linkField(file: FieldFile, at: SourceLocation): GraphqlField | null {
    const { value, operation: key, of, named = {}, again = false, absent = false, with: given = {}, next = {} } = file;
    const { show, items, more, pages } = file;
    for (const [name, text] of Object.entries({ value, of, show, items, more }))
      if (text !== undefined) checkPath(text, inside(at, name));
    if ((value === undefined) === (key === undefined)) {
      diagnostics.problem(at, 'graphql', 'a field has either `value` or `operation`', { at: 'key' });
      return null;
    }
    if (value !== undefined) return { value };
    const operation = byKey.get(key ?? '');
    if (!operation) {
      diagnostics.unknown(inside(at, 'operation'), 'operation', key ?? '', byKey.keys());
      return null;
    }
    const known = new Set([
      ...operation.params().keys(),
      ...operation.routes[0].names,
      ...pagingSchemas(operation, model).keys(),
    ]);
    if (again && of === undefined)
      diagnostics.problem(inside(at, 'again'), 'graphql', '`again` needs `of`: what is read again');
    for (const slot of ['of', 'named'] as const)
      if (file[slot] !== undefined && node === undefined)
        diagnostics.problem(
          inside(at, slot),
          'graphql',
          `\`${slot}\` needs a \`node\`: the operation that finds the object of an id`,
        );
    for (const [name, text] of Object.entries(named)) checkPath(text, inside(at, 'named', name));
    for (const [slot, params] of Object.entries({ with: given, next }))
      for (const [name, text] of Object.entries(params)) {
        if (!known.has(name)) diagnostics.unknown(inside(at, slot, name), 'parameter', name, known, 'key');
        checkPath(text, inside(at, slot, name));
      }
    for (const name of operation.routes[0].names)
      if (given[name] === undefined)
        diagnostics.problem(inside(at, 'operation'), 'graphql', `nothing gives '${name}' of the path of ${key}`);
    if (pages !== undefined && !known.has(pages)) diagnostics.unknown(inside(at, 'pages'), 'parameter', pages, known);
    const texts = { of: of ?? null, show: show ?? null, items: items ?? null, more: more ?? null };
    return { operation, absent, again, named, with: given, ...texts, pages: pages ?? null, next };
  }

  function checkPath(text: string, at: SourceLocation): void {
    const problem = jmespathProblem(text);
    if (problem !== undefined) diagnostics.problem(at, 'graphql', `not a JMESPath expression: ${problem}`);
  }

  /** The schema can be read, what is bound is in it, and each of its fields comes from something. */
  function checkSchema(): void {
    const { buildSchema, GraphQLError, isObjectType, validateSchema } = graphqlLibrary();
    const at = inside(place, 'schema');
    const wrong = (message: string, offset = 0, suggestion?: string): void =>
      diagnostics.problem(at, 'graphql', message, { offset, suggestion });
    let built;
    try {
      built = buildSchema(schema);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      wrong(thrown.message, thrown instanceof GraphQLError ? thrown.positions?.[0] : 0);
      return;
    }
    for (const { message, positions } of validateSchema(built)) wrong(message, positions?.[0]);
    const objects = new Map(Object.entries(built.getTypeMap()).filter(([name]) => !name.startsWith('__')));
    for (const name of Object.keys(types))
      if (!objects.has(name)) diagnostics.unknown(inside(place, 'types', name), 'type', name, objects.keys(), 'key');
    for (const [name, members] of Object.entries(fields)) {
      const type = objects.get(name);
      if (!isObjectType(type)) {
        diagnostics.unknown(inside(place, 'fields', name), 'type', name, objects.keys(), 'key');
        continue;
      }
      const declared = Object.keys(type.getFields());
      for (const member of Object.keys(members))
        if (!declared.includes(member))
          diagnostics.problem(inside(place, 'fields', name, member), 'graphql', `${name} has no field '${member}'`, {
            at: 'key',
            suggestion: suggest(member, declared),
          });
    }
    const roots = [built.getQueryType(), built.getMutationType()];
    for (const [name, type] of objects) {
      if (!isObjectType(type) || MADE.test(name)) continue;
      const resource = byName.get(types[name] ?? '');
      const isRoot = roots.includes(type);
      if (!resource && !isRoot) continue;
      const members = resource ? membersOf(resourceSchema(resource, model.settings.time)) : [];
      for (const [field, { astNode }] of Object.entries(type.getFields())) {
        if (fields[name]?.[field] !== undefined || (isRoot && field === 'node')) continue;
        if (members.includes(field) || members.includes(snakeOf(field))) continue;
        const near = suggest(snakeOf(field), members);
        wrong(`nothing gives '${name}.${field}'`, astNode?.name.loc?.start, near);
      }
    }
  }
}

function membersOf(schema: Json): string[] {
  const properties = isObject(schema) ? schema['properties'] : null;
  return isObject(properties) ? Object.keys(properties) : [];
}

function snakeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
