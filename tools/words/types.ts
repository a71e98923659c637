import { packView } from '../../engine/control/index.js';
import type { Program } from '../../engine/program/index.js';

/** A type, as the control API's view of a pack declares it. */
interface Shape {
  readonly type: string;
  readonly nullable?: boolean;
  readonly required?: boolean;
  readonly values?: readonly unknown[];
  readonly constant?: unknown;
  readonly items?: Shape;
  readonly of?: Shape;
  readonly fields?: Readonly<Record<string, Shape>>;
  readonly options?: readonly Shape[];
}

/** The members of the control API's view of a pack from which types are generated. */
interface View {
  readonly name: string;
  readonly resources: readonly {
    readonly name: string;
    readonly collection: string;
    readonly operations: readonly { readonly operation: string }[];
    readonly pins: readonly { readonly path: string; readonly members: boolean }[];
    readonly branches: readonly string[];
  }[];
  readonly causes: readonly {
    readonly cause: string;
    readonly variants: readonly {
      readonly description: string;
      readonly subject: { readonly param: string } | null;
      readonly params: Readonly<Record<string, Shape>>;
    }[];
  }[];
  readonly scenarios: readonly { readonly name: string }[];
  readonly magic_values: readonly { readonly values: readonly string[] }[];
  readonly durations: readonly { readonly name: string }[];
  readonly events: readonly string[];
  readonly errors: readonly string[];
}

/** Converts a pack's name to a TypeScript name: `task-automation` becomes `TaskAutomation`. */
export function typeName(pack: string): string {
  const name = pack.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return /^[A-Za-z]/.test(name) ? name : `Pack${name}`;
}

/** Formats the names of a pack as a TypeScript interface that implements `Words`. */
export function wordsInterface(pack: Program): string {
  const view = packView(pack) as unknown as View;
  const lines = [
    `/** Names that the pack ${view.name} declares. */`,
    `export interface ${typeName(view.name)} {`,
    '  readonly causes: {',
    ...view.causes.flatMap(({ cause, variants }) => [
      `    /** ${[...new Set(variants.map(({ description }) => commented(description)))].join(' Or: ')} */`,
      `    readonly ${JSON.stringify(cause)}: ${variants.map((variant) => paramsOf(variant)).join(' | ')};`,
    ]),
    '  };',
    '  readonly operations: {',
    ...view.resources.map(({ collection, operations }) => {
      const names = operations.map(({ operation }) => operation.slice(operation.indexOf('.') + 1));
      return `    readonly ${JSON.stringify(collection)}: ${union(names)};`;
    }),
    '  };',
    member(
      'durations',
      view.durations.map(({ name }) => name),
    ),
    member(
      'scenarios',
      view.scenarios.map(({ name }) => name),
    ),
    `  readonly pins: ${[...new Set(view.resources.flatMap(pinsOf))].join(' | ') || 'never'};`,
    member(
      'branches',
      view.resources.flatMap(({ branches }) => branches),
    ),
    member(
      'testValues',
      view.magic_values.flatMap(({ values }) => values),
    ),
    member('events', view.events),
    member('errors', view.errors),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function member(name: string, values: readonly string[]): string {
  return `  readonly ${name}: ${union(values)};`;
}

function union(values: readonly unknown[]): string {
  return [...new Set(values.map((each) => JSON.stringify(each)))].join(' | ') || 'never';
}

function paramsOf({ subject, params }: View['causes'][number]['variants'][number]): string {
  const named = Object.entries(params).map(([name, shape]) => `${key(name, shape.required)}: ${typeOf(shape)}`);
  const members = [...(subject ? [`${key(subject.param, true)}: string`] : []), ...named];
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${members.join('; ')} }`;
}

/** Lists the paths of pins, with and without the resource's name. A path to any member of an object ends with a star. */
function pinsOf({ name, pins }: View['resources'][number]): string[] {
  return pins
    .map(({ path }) => path)
    .filter((path) => path !== 'branch')
    .flatMap((path) => [path, `${name}.${path}`])
    .map((path) => (path.includes('*') ? `\`${path.replaceAll('*', '${string}')}\`` : JSON.stringify(path)));
}

function key(name: string, required = false): string {
  return `readonly ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}`;
}

function typeOf(shape: Shape): string {
  const type = plainTypeOf(shape);
  return shape.nullable && type !== 'unknown' ? `${type} | null` : type;
}

function plainTypeOf({ type, values = [], constant, items, of, fields, options = [] }: Shape): string {
  switch (type) {
    case 'string':
    case 'reference':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'timestamp':
      return 'string | number';
    case 'enum':
      return union(values);
    case 'const':
      return JSON.stringify(constant);
    case 'array':
      return `readonly (${items ? typeOf(items) : 'unknown'})[]`;
    case 'map':
      return `Readonly<Record<string, ${of ? typeOf(of) : 'unknown'}>>`;
    case 'object':
      return fields
        ? `{ ${Object.entries(fields)
            .map(([name, each]) => `${key(name, each.required)}: ${typeOf(each)}`)
            .join('; ')} }`
        : 'Readonly<Record<string, unknown>>';
    case 'one_of':
      return options.map(typeOf).join(' | ') || 'unknown';
    default:
      return 'unknown';
  }
}

function commented(text: string): string {
  return text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();
}
