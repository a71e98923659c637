import { ANY, type Type } from '../expression/index.js';
import { type FlowFile, inside, parseSchema, type Place } from '../model/index.js';
import { lazy, type Program } from '../program/program.js';
import { bind, type Binding, type Compiler, rootScope } from './context.js';
import { compileSteps } from './steps/index.js';

/** A named step list with arguments. */
export interface Flow {
  readonly name: string;
  readonly place: Place;
  readonly args: ReadonlyMap<string, { readonly type: Type; readonly required: boolean }>;
  readonly returns: Type;
  /** Compiled when first run (or checked). */
  readonly program: () => Program & { readonly bindings: ReadonlyMap<string, Binding> };
}

/** Reads the head of a flow; its steps are compiled when first used. */
export function linkFlow(file: FlowFile, place: Place, compiler: Compiler): Flow {
  const args = new Map(
    Object.entries(file.args ?? {}).map(([name, type]) => {
      const at = inside(place, 'args', name);
      const optional =
        typeof type === 'string'
          ? type.endsWith('?')
          : type !== null && (type['nullable'] === true || 'default' in type);
      return [name, { type: argumentType(type, at, compiler), required: !optional }] as const;
    }),
  );
  const returns = file.returns === undefined ? ANY : argumentType(file.returns, inside(place, 'returns'), compiler);
  const program = lazy(() => {
    const scope = rootScope();
    const context = { compiler, scope };
    const bindings = new Map([...args].map(([name, { type }]) => [name, bind(context, name, type)] as const));
    const run = compileSteps(file.do, inside(place, 'do'), { compiler, scope: scope.child() });
    return { size: scope.layout.size, slots: {}, run, bindings };
  });
  return { name: file.flow, place, args, returns, program };
}

function argumentType(type: FlowFile['returns'], place: Place, compiler: Compiler): Type {
  const name = typeof type === 'string' ? type.replace(/\?$/, '') : undefined;
  const resource = name === undefined ? undefined : compiler.env.resources.get(name);
  if (resource) return resource.type;
  return parseSchema(type ?? 'any', place, compiler.model.context).expr;
}
