import type { GraphQLSchema } from 'graphql';
import { graphqlLibrary, jmespathProblem } from '../codecs/index.js';
import { type GraphqlFile, inside, keyIn, type SourceLocation } from '../model/index.js';
import {
  type GraphqlField,
  type GraphqlPlan,
  type Operation,
  pagingSchemas,
  resourceSchema,
} from '../program/index.js';
import { withArticle } from '../expression/index.js';
import { suggest } from '../pack/index.js';
import { isObject, type Json } from '../values/index.js';
import type { Compiler } from './context.js';

type FieldFile = NonNullable<GraphqlFile['fields']>[string][string];

/** Types of Relay connections, whose members the engine itself provides. */
const MADE = /(?:Connection|Edge)$|^PageInfo$/;

/** Reads graphql.yaml. Problems are reported. */
export function linkGraphql(
  { path = '/graphql', schema: written, types = {}, node, fields = {}, rest, error, invalid }: GraphqlFile,
  place: SourceLocation,
  operations: readonly Operation[],
  { model, diagnostics, passed }: Compiler,
): GraphqlPlan {
  const file = model.source.one('sdl');
  const schema = written ?? file?.text ?? '';
  if ((written === undefined) === (file === undefined))
    diagnostics.problem(
      keyIn(place),
      'graphql',
      file === undefined
        ? 'the schema is missing: write it in `schema`, or put it beside this file as schema.graphql'
        : 'the schema is here and in schema.graphql: one is enough',
    );
  const byKey = new Map(operations.map((each) => [each.key, each]));
  const byName = new Map(model.resources.map((each) => [each.name, each]));
  const linkedTypes = Object.entries(types).flatMap(([type, name]) => {
    const resource = diagnostics.find(inside(place, 'types', type), 'resource', name, byName);
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
    isRestEmpty: rest === 'empty',
    error: error ?? null,
    invalid: invalid ?? null,
  };

  function linkField(file: FieldFile, at: SourceLocation): GraphqlField | null {
    const { value, operation: key, of, named = {}, again = false, absent = false, with: given = {}, next = {} } = file;
    const { show, items, filter, reverse, more, pages } = file;
    for (const [name, text] of Object.entries({ value, of, show, items, filter, reverse, more }))
      if (text !== undefined) checkPath(text, inside(at, name));
    if ((value === undefined) === (key === undefined)) {
      diagnostics.problem(keyIn(at), 'graphql', 'a field has either `value` or `operation`');
      return null;
    }
    if (value !== undefined) return { value };
    const operation = diagnostics.find(inside(at, 'operation'), 'operation', key ?? '', byKey);
    if (!operation) return null;
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
        diagnostics.known(keyIn(at, slot, name), 'parameter', name, known);
        checkPath(text, inside(at, slot, name));
      }
    for (const name of operation.routes[0].names)
      if (given[name] === undefined)
        diagnostics.problem(inside(at, 'operation'), 'graphql', `nothing gives '${name}' of the path of ${key}`);
    if (pages !== undefined) diagnostics.known(inside(at, 'pages'), 'parameter', pages, known);
    const texts = { of: of ?? null, show: show ?? null, items: items ?? null, more: more ?? null };
    for (const slot of ['filter', 'reverse'] as const)
      if (file[slot] !== undefined && items === undefined)
        diagnostics.problem(inside(at, slot), 'graphql', `\`${slot}\` needs \`items\``);
    const chosen = { filter: filter ?? null, reverse: reverse ?? null };
    return { operation, absent, again, named, with: given, ...texts, ...chosen, pages: pages ?? null, next };
  }

  function checkPath(text: string, at: SourceLocation): void {
    const problem = jmespathProblem(text);
    if (problem !== undefined) diagnostics.problem(at, 'graphql', `not a JMESPath expression: ${problem}`);
  }

  /** Checks that the schema is valid, that bound names exist in it, and that each field has a source. */
  function checkSchema(): void {
    const { buildSchema, GraphQLError, isObjectType, validateSchema } = graphqlLibrary();
    const at = file === undefined ? inside(place, 'schema') : { file, path: [] };
    const wrong = (message: string, offset = 0, suggestion?: string): void =>
      diagnostics.problem(at, 'graphql', message, { offset, suggestion });
    let built;
    try {
      built = buildSchema(schema);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      // Only syntax errors have a location; for others the first quoted name is looked up.
      const [, name = ''] = /"(\w+)/.exec(thrown.message) ?? [];
      const offset = Math.max(0, schema.search(new RegExp(`\\b${name}\\b`)));
      wrong(thrown.message, thrown instanceof GraphQLError ? thrown.positions?.[0] : offset);
      return;
    }
    for (const { message, positions } of validateSchema(built)) wrong(message, positions?.[0]);
    const objects = new Map(Object.entries(built.getTypeMap()).filter(([name]) => !name.startsWith('__')));
    for (const name of Object.keys(types)) diagnostics.known(keyIn(place, 'types', name), 'type', name, objects);
    for (const [name, members] of Object.entries(fields)) {
      const type = objects.get(name);
      if (!isObjectType(type)) {
        diagnostics.unknown(keyIn(place, 'fields', name), 'type', name, objects.keys());
        continue;
      }
      const declared = Object.keys(type.getFields());
      for (const member of Object.keys(members))
        if (!declared.includes(member))
          diagnostics.problem(keyIn(place, 'fields', name, member), 'graphql', `${name} has no field '${member}'`, {
            suggestion: suggest(member, declared),
          });
    }
    checkRetrieved(built);
    if (rest === 'empty') return;
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

  /** Reports members that show an object in place of its id although no operation retrieves such an object. */
  function checkRetrieved(built: GraphQLSchema): void {
    const { getNamedType, isObjectType } = graphqlLibrary();
    for (const [name, resourceName] of Object.entries(types)) {
      const type = built.getType(name);
      const resource = byName.get(resourceName);
      if (!isObjectType(type) || !resource) continue;
      for (const [field, { type: of }] of Object.entries(type.getFields())) {
        const target = byName.get(types[getNamedType(of).name] ?? '');
        const schema = resource.schema.fields.get(field) ?? resource.schema.fields.get(snakeOf(field));
        if (!target || schema?.kind !== 'ref' || fields[name]?.[field] !== undefined) continue;
        if (operations.some((each) => each.resource === target && each.kind === 'retrieve')) continue;
        const message = `'${name}.${field}' is the id of ${withArticle(target.title)}, which no operation retrieves: add \`retrieve\` to ${target.name}, or say in \`fields\` where it comes from`;
        diagnostics.problem(inside(place, 'types', name), 'graphql', message);
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
