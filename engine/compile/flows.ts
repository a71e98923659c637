import { ANY, type Type } from '../expression/index.js';
import {
  type FlowBody,
  type FlowFile,
  inside,
  parseSchema,
  type Place,
  type StepFile,
  type WithFlows,
} from '../model/index.js';
import type { FileKind, PackSource } from '../pack/index.js';
import { lazy, type Routine } from '../program/index.js';
import { bind, type Binding, type Compiler, rootScope } from './context.js';
import { compileSteps } from './steps.js';

/** A named step list with arguments. */
export interface Flow {
  readonly name: string;
  /** Where its keys stand: a file of its own, or an entry of the section `flows` of the file that runs it. */
  readonly place: Place;
  readonly steps: readonly StepFile[];
  readonly args: ReadonlyMap<string, { readonly type: Type; readonly required: boolean }>;
  readonly returns: Type;
  /** Compiled when first run (or checked). */
  readonly program: () => Routine & { readonly bindings: ReadonlyMap<string, Binding> };
}

/** Files that may have a section `flows`. */
const WITH_SECTION: ReadonlySet<FileKind> = new Set(['flow', 'resource', 'causes', 'magic']);

/** Where a flow's name is written: the value of `flow`, or the key in a section `flows`. */
export function flowName({ place }: Flow): { place: Place; at: 'key' | 'value' } {
  return isInSection(place) ? { place, at: 'key' } : { place: inside(place, 'flow'), at: 'value' };
}

/** Whether a flow stands in the section `flows` of the file that runs it. */
export function isInSection(place: Place): boolean {
  return place.path.length > 0;
}

/** Links all flows of a pack: the files of `flows/`, and the sections `flows` of other files. */
export function linkFlows(source: PackSource, compiler: Compiler): Map<string, Flow> {
  const flows = new Map<string, Flow>();
  for (const flow of declaredFlows(source, compiler)) {
    const other = flows.get(flow.name);
    for (const each of other ? [other, flow] : []) {
      const { place, at } = flowName(each);
      compiler.linking.problem(place, 'duplicate-flow', `two flows are called '${flow.name}'`, { at });
    }
    flows.set(flow.name, flow);
  }
  return flows;
}

function* declaredFlows(source: PackSource, compiler: Compiler): Generator<Flow> {
  for (const file of source.files) {
    if (file.kind === 'flow') {
      const flow = file.data as unknown as FlowFile;
      yield linkFlow(flow.flow, flow, { file, path: [] }, compiler);
    }
    if (!WITH_SECTION.has(file.kind)) continue;
    for (const [name, body] of Object.entries((file.data as WithFlows).flows ?? {}))
      yield linkFlow(name, body, { file, path: ['flows', name] }, compiler);
  }
}

/** Reads the head of a flow; its steps are compiled when first used. */
function linkFlow(name: string, file: FlowBody, place: Place, compiler: Compiler): Flow {
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
  return { name, place, steps: file.do, args, returns, program };
}

function argumentType(type: FlowBody['returns'], place: Place, compiler: Compiler): Type {
  const name = typeof type === 'string' ? type.replace(/\?$/, '') : undefined;
  const resource = name === undefined ? undefined : compiler.env.resources.get(name);
  if (resource) return resource.type;
  return parseSchema(type ?? 'any', place, compiler.model.context).expr;
}
