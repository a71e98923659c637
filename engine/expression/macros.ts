import { type Compiled, truth } from './compiled.js';
import { type Site } from './site.js';
import { scriptLiteral } from './javascript.js';
import { ExpressionError, type ExpressionNode } from './parse.js';
import { collect, elements, hasOwn, single } from './support.js';
import { ANY, describeType, listType, type Type } from './types.js';

type MacroCall = ExpressionNode & { op: 'call' };

/** Macros that are called on a list. */
export const MACROS: readonly string[] = ['map', 'filter', 'exists', 'exists_one', 'all'];

/** Compiles CEL's macros (`has`, `map`, `filter`, `exists`, `exists_one`, `all`, `cel.bind`); undefined for other calls. */
export function compileMacro(node: MacroCall, site: Site): Compiled | undefined {
  if (!node.of) return node.name === 'has' ? compileHas(node, site) : undefined;
  if (node.name === 'bind' && node.of.op === 'name' && node.of.name === 'cel') return compileBind(node, site);
  if (MACROS.includes(node.name) && node.args.length !== 2 && !(node.name === 'map' && node.args.length === 3)) {
    throw new ExpressionError(`${node.name}() needs a variable and an expression`, node.start);
  }
  switch (node.name) {
    case 'map':
      return node.args.length === 3
        ? loop(node, site, node.args[1], node.args[2])
        : loop(node, site, undefined, node.args[1]);
    case 'filter':
      return loop(node, site, node.args[1], node.args[0]);
    case 'exists':
    case 'exists_one':
    case 'all':
      return quantifier(node, node.name, site);
    default:
      return undefined;
  }
}

/** `has(a.b)`: whether the member is present, null or not. */
function compileHas(node: MacroCall, site: Site): Compiled {
  const [arg] = node.args;
  if (node.args.length !== 1 || arg.op !== 'member') {
    throw new ExpressionError('has() needs a member, such as has(params.amount)', node.start);
  }
  site.compile(arg);
  const target = site.compile(arg.of);
  return truth(`${site.unit.refer(hasOwn, 'hasOwn')}(${target.js}, ${scriptLiteral(arg.key)})`);
}

function compileBind(node: MacroCall, site: Site): Compiled {
  const [name, value, body] = node.args;
  if (node.args.length !== 3 || name.op !== 'name')
    throw new ExpressionError('cel.bind() needs a name, a value and an expression', node.start);
  const bound = site.compile(value);
  const inner = site.scope.child();
  const variable = inner.declareTemp(name.name, bound.type);
  const { type, js, gives } = site.within(inner).compile(body);
  return { type, js: `(${variable.js} = ${bound.js}, ${js})`, gives };
}

/** Compiles the list of a loop, declares its variable, and makes the site for its body. */
function openLoop(
  node: MacroCall,
  site: Site,
): { readonly items: Compiled; readonly variable: string; readonly inner: Site } {
  const [variable] = node.args;
  if (variable.op !== 'name' || !node.of) {
    throw new ExpressionError(`${node.name}() needs a variable and an expression`, node.start);
  }
  const items = site.compile(node.of);
  const { kind } = items.type;
  if (kind !== 'list' && kind !== 'map' && kind !== 'any' && kind !== 'object' && kind !== 'null') {
    throw new ExpressionError(`${node.name}() needs a list, not ${describeType(items.type)}`, node.of.start);
  }
  const scope = site.scope.child();
  const of: Type =
    items.type.kind === 'list' ? items.type.of : kind === 'any' || kind === 'null' ? ANY : { kind: 'string' };
  return { items, variable: scope.declare(variable.name, of).js, inner: site.within(scope) };
}

function loop(node: MacroCall, site: Site, test: ExpressionNode | undefined, body: ExpressionNode): Compiled {
  const { items, variable, inner } = openLoop(node, site);
  const keep = test === undefined ? '' : `, (${variable}) => ${inner.condition(test)}`;
  const result = inner.compile(body);
  return {
    type: listType(result.type),
    js: `${site.unit.refer(collect, 'collect')}(${items.js}, (${variable}) => ${result.js}${keep})`,
  };
}

function quantifier(node: MacroCall, name: 'exists' | 'exists_one' | 'all', site: Site): Compiled {
  const { items, variable, inner } = openLoop(node, site);
  const test = `(${variable}) => ${inner.condition(node.args[1])}`;
  if (name === 'exists_one') return truth(`${site.unit.refer(single, 'single')}(${items.js}, ${test})`);
  const method = name === 'all' ? 'every' : 'some';
  return truth(`${site.unit.refer(elements, 'elements')}(${items.js}).${method}(${test})`);
}
