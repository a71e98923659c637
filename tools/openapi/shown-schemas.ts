import { isObject, type Json } from '../../engine/values/index.js';
import { Document, isJson, listOr, METHODS, type Node, objectOr } from './document.js';
import { plain } from './types.js';

/** Adds schemas, derived from examples, to bodies for which the document has only examples. */
export function withShownSchemas(document: Document): Document {
  const paths = Object.fromEntries(
    Object.entries(objectOr(document.root['paths'])).map(([path, given]) => {
      const item = document.at(given);
      const calls = METHODS.filter((method) => method in item).map((method) => [
        method,
        operation(document, objectOr(item[method])),
      ]);
      return [path, { ...item, ...Object.fromEntries(calls) }];
    }),
  );
  return new Document({ ...document.root, paths }, document.original, document.warnings);
}

function operation(document: Document, given: Node): Node {
  const responses = Object.entries(objectOr(given['responses'])).map(([status, each]) => [
    status,
    status.startsWith('2') ? body(document, each) : each,
  ]);
  return {
    ...given,
    ...(given['requestBody'] === undefined ? {} : { requestBody: body(document, given['requestBody']) }),
    ...(given['responses'] === undefined ? {} : { responses: Object.fromEntries(responses) }),
  };
}

/** Adds a schema to each media type of a body that has none with members. */
function body(document: Document, given: unknown): unknown {
  const holder = document.at(given);
  const content = Object.entries(document.at(holder['content']));
  const shown = content.map(([type, each]) => [type, isJson(type) ? media(document, each) : each] as const);
  return shown.every(([, each], at) => each === content[at][1])
    ? given
    : { ...holder, content: Object.fromEntries(shown) };
}

function media(document: Document, given: unknown): unknown {
  const own = document.at(given);
  if (own['schema'] !== undefined && saysMore(plain(document, own['schema']).schema)) return given;
  const named = Object.values(objectOr(own['examples'])).map((each) => document.at(each)['value']);
  const [example] = [own['example'], ...named].filter((each) => typeof each === 'object' && each !== null);
  return example === undefined ? given : { ...own, schema: schemaOf(example as Json) };
}

/** Whether a schema declares any member or another type than object. */
function saysMore(schema: Node): boolean {
  if (schema['type'] !== undefined && schema['type'] !== 'object') return true;
  return (
    ['properties', 'items', 'oneOf', 'anyOf', 'enum', 'const'].some((key) => key in schema) ||
    Object.keys(objectOr(schema['additionalProperties'])).length > 0
  );
}

/** Derives a schema from an example: all members are optional and have the example's types. */
function schemaOf(value: Json): Node {
  if (value === null) return {};
  if (Array.isArray(value))
    return { type: 'array', items: listOr(value).length === 0 ? {} : schemaOf(value[0] as Json) };
  if (isObject(value))
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(value).map(([name, each]) => [name, schemaOf(each)])),
    };
  return { type: typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value };
}
