import {
  inside,
  linkRules,
  type OperationFile,
  type ResourceDef,
  type RuleSet,
  ruleSet,
  type Schema,
  type SourceLocation,
} from '../../model/index.js';
import type { Compiler } from '../context.js';

interface OperationParams {
  readonly name: string;
  readonly file: OperationFile;
  readonly def: ResourceDef;
  readonly place: SourceLocation;
  readonly params: () => ReadonlyMap<string, Schema>;
  /** Whether the route names an object of the resource. */
  readonly hasObject: boolean;
}

/** Links the rules between an operation's parameters: its own, and those of its resource that its parameters can break. */
export function linkOperationRules(
  { name, file, def, place, params, hasObject }: OperationParams,
  { model, paramsOfVersions }: Compiler,
): RuleSet | null {
  const shared = def.file.rules ?? [];
  const own = file.rules ?? [];
  if (shared.length + own.length === 0) return null;
  const scope = {
    params: new Map([...paramsOfVersions(`${def.collection}.${name}`), ...params()]),
    self: hasObject ? def.schema.fields : null,
  };
  const inherited = linkRules(shared, inside(def.place, 'rules'), { ...scope, operation: name }, model.context);
  const rules = [...inherited, ...linkRules(own, inside(place, 'rules'), scope, model.context)];
  return inherited.length + own.length === 0
    ? null
    : ruleSet(rules, [...inherited.map(({ file: each }) => each), ...own]);
}
