import { type Json, type JsonObject, lazy } from '../values/index.js';
import { ANY, functions, type Holder, specials, type Type } from '../expression/index.js';
import {
  type FlowFile,
  type OwnFlowFile,
  inside,
  keyIn,
  parseSchema,
  type SourceLocation,
  type TypeFile,
} from '../model/index.js';
import type { FileKind, PackSource } from '../pack/index.js';
import { type Execution, Rejection } from '../program/index.js';
import { bind, type Compiler, type Flow, held, resourceOf, rootScope, type RunFlow, stepContext } from './context.js';
import { compileSteps } from './steps/index.js';

/** Kinds of files that may have a section `flows`. */
const WITH_SECTION: ReadonlySet<FileKind> = new Set(['flow', 'resource', 'causes', 'magic']);

/** The location of a flow's name: the value of `flow`, or the key in a section `flows`. */
export function flowName({ place }: Pick<Flow, 'place'>): SourceLocation {
  return isInSection(place) ? keyIn(place) : inside(place, 'flow');
}

/** Whether a flow is in the section `flows` of the file that runs it. */
export function isInSection(place: SourceLocation): boolean {
  return place.path.length > 0;
}

/** Links all flows of a pack: the files of `flows/`, and the sections `flows` of other files. */
export function linkFlows(source: PackSource, compiler: Compiler): Map<string, Flow> {
  const flows = new Map<string, Flow>();
  for (const flow of declaredFlows(source, compiler)) {
    const other = flows.get(flow.name);
    for (const each of other ? [other, flow] : [])
      compiler.diagnostics.problem(flowName(each), 'duplicate-flow', `two flows are called '${flow.name}'`);
    flows.set(flow.name, flow);
  }
  return flows;
}

function* declaredFlows(source: PackSource, compiler: Compiler): Generator<Flow> {
  for (const file of source.files) {
    if (file.kind === 'flow') {
      const flow = file.data as FlowFile;
      yield linkFlow(flow.flow, flow, { file, path: [] }, compiler);
    }
    if (!WITH_SECTION.has(file.kind)) continue;
    for (const [name, body] of Object.entries(
      (file.data as { readonly flows?: Readonly<Record<string, OwnFlowFile>> }).flows ?? {},
    ))
      yield linkFlow(name, body, { file, path: ['flows', name] }, compiler);
  }
}

/** Reads name, arguments and result of a flow; its steps are compiled on first use. */
function linkFlow(name: string, file: FlowFile | OwnFlowFile, place: SourceLocation, compiler: Compiler): Flow {
  const { env } = compiler;
  if (file.returns !== undefined && (functions.has(name) || specials.has(name)))
    compiler.diagnostics.warning(
      flowName({ place }),
      'hidden-name',
      `expressions cannot call flow ${name}: '${name}' is a function of the language`,
    );
  const args = lazy(
    () =>
      new Map(
        Object.entries<TypeFile>(file.args ?? {}).map(([name, written]) => {
          const at = inside(place, 'args', name);
          compiler.diagnostics.hides(at, name);
          const optional =
            typeof written === 'string' ? written.endsWith('?') : written.nullable === true || 'default' in written;
          const type = argumentType(written, at, compiler);
          return [name, { type, required: !optional, resource: resourceOf(type, env) }] as const;
        }),
      ),
  );
  const returns = lazy(() =>
    file.returns === undefined ? ANY : argumentType(file.returns, inside(place, 'returns'), compiler),
  );
  const resource = lazy(() => resourceOf(returns(), env));
  if (!compiler.passed) {
    args();
    returns();
  }
  const program = lazy((): RunFlow => {
    const scope = rootScope(`flow ${name}`, place, env);
    const context = stepContext(compiler, scope);
    const parameters = [...args()].map(([arg, { type }]) => bind(context, arg, type).js);
    const inner = scope.child();
    const steps = compileSteps(file.do, inside(place, 'do'), {
      ...context,
      scope: inner,
      result: returns(),
      returns: (value) => held(resource(), value, inner),
    });
    return scope.unit.function(['x', ...parameters], [...steps, 'return null;']);
  });
  const { depth = null } = file;
  if (depth !== null && !compiler.model.errors.has(depth.error))
    compiler.diagnostics.unknown(inside(place, 'depth', 'error'), 'error', depth.error, compiler.model.errors.keys());
  else if (depth !== null) compiler.used.errors.add(depth.error);
  const run = depth === null ? program : lazy(() => bounded(program(), depth));
  return new LinkedFlow(name, place, file.do, file.returns !== undefined, depth, run, { args, returns, resource });
}

/** Limits how deep a flow may run itself. */
function bounded(run: RunFlow, { most, error }: NonNullable<Flow['depth']>): RunFlow {
  let level = 0;
  return (...given) => {
    if (level >= most) throw new Rejection(error, { most });
    level++;
    try {
      return run(...given);
    } finally {
      level--;
    }
  };
}

/** A flow whose head is read on first use. A class, since V8 is slow to read object literals with getters. */
class LinkedFlow implements Flow {
  run: RunFlow = (...given) => (this.run = this.program())(...given);

  constructor(
    readonly name: string,
    readonly place: SourceLocation,
    readonly steps: Flow['steps'],
    readonly hasResult: boolean,
    readonly depth: Flow['depth'],
    readonly program: () => RunFlow,
    private readonly head: { readonly [K in 'args' | 'returns' | 'resource']: () => Flow[K] },
  ) {}

  get args(): Flow['args'] {
    return this.head.args();
  }

  get returns(): Type {
    return this.head.returns();
  }

  get resource(): number | undefined {
    return this.head.resource();
  }
}

function argumentType(type: FlowFile['returns'], place: SourceLocation, compiler: Compiler): Type {
  const name = typeof type === 'string' ? type.replace(/\?$/, '') : undefined;
  const resource = name === undefined ? undefined : compiler.env.resources.get(name);
  if (resource) return resource.type;
  return parseSchema(type ?? 'any', place, compiler.model.context).expr;
}

/** Runs a flow with arguments by name; other names are ignored. */
export function callFlow(flow: Flow, execution: Execution, args: JsonObject): Json {
  const given: (Json | Holder)[] = [];
  for (const [name, { resource }] of flow.args) {
    const value = args[name] ?? null;
    given.push(resource === undefined ? value : execution.holder(resource, value));
  }
  execution.enter();
  const ended = flow.run(execution, ...given);
  execution.leave();
  return flow.resource === undefined ? (ended as Json) : ((ended as Holder | null)?.value ?? null);
}
