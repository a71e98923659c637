import { lazy } from '../values/index.js';
import { accepts, ANY, describeType, listType, STRING } from '../expression/index.js';
import {
  anySchema,
  inside,
  parseSchema,
  type SourceLocation,
  type ResourceDef,
  type Schema,
  schemaAt,
} from '../model/index.js';
import type { PinPath, PinProblems } from '../program/index.js';
import { type Compiler, functionScope, liveParameter } from './context.js';

export function linkPins(def: ResourceDef, compiler: Compiler): PinPath[] {
  const place = inside(def.place, 'pins');
  const declared = Object.entries(def.file.pins ?? {}).map(([path, file]): PinPath => {
    const moments = new Set(toList(file.at));
    if (!compiler.passed) {
      const known = ['created', 'seed', 'always', ...(def.machine?.states ?? [])];
      for (const moment of moments) compiler.diagnostics.known(inside(place, path, 'at'), 'moment', moment, known);
    }
    const members = path.endsWith('.*');
    const keys = (members ? path.slice(0, -2) : path).split('.');
    const schema = lazy(() =>
      file.type === undefined
        ? (schemaAt(def.schema, keys) ?? anySchema(inside(place, path)))
        : parseSchema(file.type, inside(place, path, 'type'), compiler.model.context),
    );
    if (!compiler.passed) schema();
    const { problems } = file;
    return {
      path,
      keys,
      members,
      moments,
      schema,
      isField: keys[0] === 'id' || Object.hasOwn(def.file.fields ?? {}, keys[0]),
      bySteps: file.by_steps ?? false,
      problems:
        problems === undefined
          ? null
          : lazy(() => pinProblems(def, problems, inside(place, path, 'problems'), compiler)),
      description: file.description ?? '',
    };
  });
  if (!def.file.branches) return declared;
  const values = def.file.branches;
  const branch: Schema = {
    kind: 'enum',
    values,
    nullable: false,
    expr: { kind: 'string', values },
    place: inside(def.place, 'branches'),
  };
  return [
    ...declared,
    {
      path: 'branch',
      keys: ['branch'],
      members: false,
      moments: new Set(),
      schema: () => branch,
      isField: false,
      bySteps: false,
      problems: null,
      description: 'the way the machine goes',
    },
  ];
}

function pinProblems(
  def: ResourceDef,
  source: string,
  place: SourceLocation,
  { diagnostics, env }: Compiler,
): PinProblems {
  const seen = { self: liveParameter(def.type), value: ANY, path: STRING };
  const { scope, unit, parameters } = functionScope(`problems ${def.name} ${place.path[1]}`, place, env, seen);
  const compiled = diagnostics.bare(place, source, scope, env);
  if (!accepts(listType(ANY), compiled.type))
    diagnostics.problem(place, 'wrong-type', `this must be a list, it is ${describeType(compiled.type)}`);
  return unit.expression(parameters, compiled);
}

export function toList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
