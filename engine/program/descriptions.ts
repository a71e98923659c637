import { isObject, type Json } from '../values/index.js';
import type { Model } from '../model/index.js';
import { fileOf, pagingSchemas } from './json-schema.js';
import type { Operation } from './operation.js';

/** Returns the display name of an operation: its own title, else one such as `Create order`. */
export function operationTitle(operation: Operation): string {
  const words = `${operation.name}_${nounOf(operation)}`.replaceAll('_', ' ');
  return fileOf(operation)?.title ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the noun for an operation's display name: the resource's name, plural for lists and searches. */
export function nounOf({ kind, name, resource }: Operation): string {
  const many = kind === 'list' || kind === 'search' || name === 'list' || name === 'search';
  return many ? resource.collection : resource.name;
}

/**
 * Returns the description of a parameter: the operation's, else that of the field with the same name, else that of the named
 * type of either. The `id` in a route and paging parameters have built-in descriptions. A parameter without effect gets a
 * sentence that says so, unless the world is realistic.
 */
export function parameterDescription(operation: Operation, name: string, model: Model): string | undefined {
  const file = fileOf(operation);
  const filter = file?.filters?.[name];
  const declared = file?.params?.[name] ?? filter;
  const compared = isObject(filter) && typeof filter['field'] === 'string' ? filter['field'] : name;
  const field = operation.resource.file.fields?.[compared];
  const isOwnId = name === 'id' && declared === undefined;
  const described =
    describedAs(declared) ??
    describedAs(field) ??
    typeDescription(declared, model) ??
    typeDescription(field, model) ??
    describedAs(pagingSchemas(operation, model).get(name)) ??
    (isOwnId ? `Id of the ${operation.resource.title}.` : undefined);
  // The vendor's description doesn't mention that the parameter has no effect here.
  const isSaid = operation.params().get(name)?.effect === 'none' && !model.realistic;
  return isSaid && described !== undefined ? `${described} Without effect here.` : described;
}

/** Reads the description in the declaration of a parameter or field. */
function describedAs(declared: Json | undefined): string | undefined {
  const description = isObject(declared) ? declared['description'] : undefined;
  return typeof description === 'string' ? description : undefined;
}

/** Returns the description in types.yaml of a declaration's named type. */
function typeDescription(declared: Json | undefined, { source }: Model): string | undefined {
  const named = isObject(declared) ? declared['type'] : declared;
  const types = source.one('types')?.data;
  return typeof named === 'string' && isObject(types) ? describedAs(types[named.replace(/\?$/, '')]) : undefined;
}
