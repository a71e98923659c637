import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isInterfaceType, isObjectType } from 'graphql';
import { parse } from 'yaml';
import { objectOr, textOr } from '../../openapi/document.js';
import { routeForm } from './harvest.js';

/** Whether a pack serves a request of a tool: calls as `GET /path`, GraphQL fields as `Type.field` and arguments as `Type.field(argument)`. */
export function servedBy(pack: string): (asked: string) => boolean {
  const routes = new Set<string>();
  for (const file of readdirSync(join(pack, 'resources')))
    for (const operation of Object.values(objectOr(yaml(join(pack, 'resources', file))['operations']))) {
      const { route } = objectOr(operation);
      for (const each of Array.isArray(route) ? route : [route]) routes.add(routeForm(textOr(each)));
    }
  const schema = buildSchema(textOr(yaml(join(pack, 'graphql.yaml'))['schema']));
  const fields = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      fields.add(`${type.name}.${field.name}`);
      for (const { name } of field.args) fields.add(`${type.name}.${field.name}(${name})`);
    }
  }
  return (asked) => (asked.includes(' ') ? routes.has(routeForm(asked)) : fields.has(asked));
}

function yaml(file: string): Record<string, unknown> {
  return { ...objectOr(parse(readFileSync(file, 'utf8'), { merge: true, maxAliasCount: -1 })) };
}
