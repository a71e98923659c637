import { access, bare, objectLiteral } from '../expression/index.js';
import { type ResourceDef, storedFields } from '../model/index.js';
import type { RenderedShape } from '../program/index.js';
import type { Layout } from '../world/index.js';
import { type Compiler, rootScope } from './context.js';

/** Compiles writing an object field by field in one order, so that V8 gives all objects of a resource one layout. */
export function linkShape(def: ResourceDef, compiler: Compiler): RenderedShape {
  const { unit } = rootScope(`objects of ${def.name}`, def.place, compiler.env);
  const fields = storedFields(def);
  const of = unit.identifier('object');
  return {
    blank: unit.function([], [`return ${bare(objectLiteral(fields.map((name) => [name, 'null'])))};`]),
    copy: unit.function([of], [`return ${bare(objectLiteral(fields.map((name) => [name, `${of}${access(name)}`])))};`]),
  };
}

/** Compiles how a stored object is kept as its differences from another object, with one layout for all objects. */
export function linkLayout(def: ResourceDef, compiler: Compiler): Layout {
  const { unit } = rootScope(`differences of ${def.name}`, def.place, compiler.env);
  const fields = storedFields(def);
  const [of, values, places, held] = ['object', 'values', 'places', 'held'].map((name) => unit.identifier(name));
  const count = unit.identifier('count');
  return {
    size: fields.length,
    values: unit.function([of], [`return [${fields.map((name) => `${of}${access(name)}`).join(', ')}];`]),
    object: unit.function(
      [values],
      [`return ${bare(objectLiteral(fields.map((name, at) => [name, `${values}[${at}]`])))};`],
    ),
    differing: unit.function(
      [of, values, places, held],
      [
        `let ${count} = 0;`,
        ...fields.map((name, at) => {
          const own = `${of}${access(name)}`;
          return `if (${own} !== ${values}[${at}]) { ${places}[${count}] = ${at}; ${held}[${count}++] = ${own}; }`;
        }),
        `return ${count};`,
      ],
    ),
  };
}
