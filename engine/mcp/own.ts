import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import { jmespath } from '../codecs/index.js';
import {
  type OwnArgument,
  type OwnKind,
  type OwnTool,
  type Program,
  type ToolArgument,
  fileOf,
  operationTitle,
  parameterDescription,
  ruleTexts,
} from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { Discovery, type Entry } from './discover.js';
import { queryWorld } from './query.js';
import { argumentSchema, type DecidingTool, type Decision, type Hints, type OperationTool } from './tool.js';
import { rank, searchWords } from './words.js';

/** Number of operations that a search finds by default, and at most. */
const [USUAL_FOUND, MOST_FOUND] = [5, 20];

const text = (description: string): OwnArgument['schema'] => ({ type: 'string', description });
const ID: OwnArgument = {
  to: 'id',
  schema: text('The id of the operation, as search_operations finds it'),
  optional: false,
  values: {},
};
const PARAMETERS: OwnArgument = {
  to: 'parameters',
  schema: { type: 'object', description: 'Its parameters by name, those in its path included' },
  optional: true,
  values: {},
};

/** The default tools with which agents find and call operations. */
const PLAIN: readonly (readonly [string, OwnKind, string, Readonly<Record<string, OwnArgument>>])[] = [
  [
    'search_operations',
    'search',
    'Find operations of the API by words. Returns their ids, methods and paths.',
    {
      words: {
        to: 'words',
        schema: text('What to do with what, such as "create an order"'),
        optional: false,
        values: {},
      },
      limit: {
        to: 'limit',
        schema: { type: 'integer', minimum: 1, maximum: MOST_FOUND, default: USUAL_FOUND },
        optional: true,
        values: {},
      },
    },
  ],
  ['describe_operation', 'details', 'Describe the parameters of an operation.', { operation: ID }],
  ['call_read', 'read', 'Call an operation that reads (GET).', { operation: ID, parameters: PARAMETERS }],
  ['call_write', 'write', 'Call an operation that changes something.', { operation: ID, parameters: PARAMETERS }],
];

/** Builds the default discovery tools. @param generated the tools of all operations */
export function plainDiscovery(program: Program, generated: readonly OperationTool[]): DecidingTool[] {
  const version = program.mcp?.version ?? null;
  return PLAIN.map(([name, does, description, params]) => {
    const plan: OwnTool = {
      kind: 'own',
      name,
      does,
      description,
      title: null,
      toolset: 'discover',
      hints: {},
      inContext: false,
      params: new Map(Object.entries(params)),
      show: null,
      constant: null,
    };
    return { ...ownTool(program, plan, generated), version };
  });
}

const discoveries = new WeakMap<Program, Discovery>();

/** Compiles a tool of mcp.yaml that searches, describes or calls operations by id, or returns a constant. */
export function ownTool(program: Program, plan: OwnTool, generated: readonly OperationTool[]): DecidingTool {
  const { name, title, description, does, params, hints, inContext, show } = plan;
  const discovery = (): Discovery => {
    let found = discoveries.get(program);
    if (found === undefined) discoveries.set(program, (found = new Discovery(program, generated)));
    return found;
  };
  const effects: Hints = {
    readOnlyHint: does !== 'write',
    destructiveHint: does === 'write',
    idempotentHint: does !== 'write',
    ...hints,
  };
  return {
    name,
    inContext,
    version: null,
    finds:
      ['search', 'details', 'read', 'write'].includes(does) || (does === 'constant' && !inContext && params.size === 0),
    hints: () => effects,
    definition: () => {
      const context: Iterable<readonly [string, ToolArgument]> = inContext ? (program.mcp?.context ?? []) : [];
      return {
        name,
        title: title ?? name,
        description: description ?? '',
        inputSchema: argumentSchema(new Map<string, ToolArgument>([...params, ...context])),
        annotations: { title: title ?? name, ...effects, openWorldHint: true },
      };
    },
    decide: (args, engine) => {
      const problem = wrongArgument(params, args);
      if (problem !== undefined) return { problem };
      const decision = decide(plan, given(params, args), discovery, program, engine);
      return show === null || !('value' in decision) ? decision : { value: jmespath(show, decision.value) };
    },
  };
}

/** Groups a call's arguments by their role in the tool; texts with the same role are joined by spaces. */
function given(params: OwnTool['params'], args: JsonObject): JsonObject {
  const made: Record<string, Json> = {};
  for (const [name, { to, values }] of params) {
    const { [name]: said = null } = args;
    const value = typeof said === 'string' ? (values[said] ?? said) : said;
    const before = made[to];
    if (value !== null)
      made[to] = typeof before === 'string' && typeof value === 'string' ? `${before} ${value}` : value;
  }
  return made;
}

function decide(
  { does, constant }: OwnTool,
  args: JsonObject,
  discovery: () => Discovery,
  program: Program,
  engine: Engine,
): Decision {
  const { words = '', intent = '', limit, id = '' } = args;
  const most = typeof limit === 'number' ? Math.min(Math.max(Math.trunc(limit), 1), MOST_FOUND) : USUAL_FOUND;
  switch (does) {
    case 'search':
      return { value: discovery().search(String(intent), String(words), most) };
    case 'details': {
      const entry = discovery().find(String(id));
      return entry ? { value: discovery().details(entry) } : { problem: filled(discovery().plan.unknown, { id }) };
    }
    case 'read':
    case 'write':
      return called(does, args, discovery());
    case 'documents':
      return { value: searchDocuments(program, String(words), most) };
    case 'query':
      return queryWorld(program, engine, args);
    case 'constant':
      return { value: constant };
  }
}

/** Finds the operation with the id in `args` and its parameters; a problem for an unknown id or wrong parameters. */
function called(does: 'read' | 'write', args: JsonObject, discovery: Discovery): Decision {
  const { plan } = discovery;
  const { id = '', parameters = {} } = args;
  const entry = discovery.find(String(id));
  if (!entry || (entry.tool === null && entry.rejects === null && entry.returns === null))
    return { problem: filled(plan.unknown, { id }) };
  const reads = entry.method === 'GET' || entry.tool?.hints().readOnlyHint === true;
  if (reads !== (does === 'read') && !(does === 'write' && entry.method !== 'GET'))
    return { problem: `${entry.id} is a ${entry.method} operation: use the tool that ${reads ? 'reads' : 'writes'}` };
  const values = isObject(parameters) ? parameters : {};
  const failed = (error: Json): string => filled(plan.failed, { message: messageOf(error, plan.message), id });
  const { tool, rejects, returns, names } = entry;
  if (rejects !== null) return { problem: filled(plan.failed, { message: filled(rejects, values), id }) };
  if (tool === null) return { value: returns };
  const missing = discovery.missing(entry, values);
  if (missing) return { problem: filled(plan.missing, { ...missing, id }) };
  if (does === 'write' && plan.confirm) {
    const token = tokenFor(entry, values);
    if (approval(args['approval'] ?? null) !== token)
      return { value: { needs_confirmation: { approval_token: token, operation: entry.id, parameters: values } } };
  }
  const own = Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]));
  return { tool, args: own, failed: plan.message === null ? null : failed };
}

/** Computes the token that confirms a call with exactly these parameters. */
function tokenFor({ id }: Entry, values: JsonObject): string {
  return `appr_${createHash('sha256')
    .update(`${id} ${JSON.stringify(values)}`)
    .digest('hex')
    .slice(0, 24)}`;
}

/** Reads the confirmation token from an argument: a text, or the first text in a map. */
function approval(value: Json): string {
  if (typeof value === 'string') return value;
  const found = isObject(value) ? Object.values(value).find((each) => typeof each === 'string') : undefined;
  return typeof found === 'string' ? found : '';
}

function messageOf(error: Json, path: string | null): string {
  const found = path === null ? error : jmespath(path, error);
  return typeof found === 'string' ? found : JSON.stringify(found ?? error);
}

function filled(template: string, values: JsonObject): string {
  return template.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const { [name]: value = '' } = values;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** Returns the name of the first argument that is missing or has the wrong type; undefined: none. */
function wrongArgument(params: OwnTool['params'], args: JsonObject): string | undefined {
  for (const [name, { schema, optional }] of params) {
    const { [name]: value = null } = args;
    if (value === null) {
      if (!optional) return `missing argument '${name}'`;
      continue;
    }
    const { type, enum: values } = schema;
    if (typeof type === 'string' && !isOfType(value, type)) return `'${name}' must be of the type ${type}`;
    if (Array.isArray(values) && !values.includes(value))
      return `'${name}' must be one of ${values.map(String).join(', ')}`;
  }
  return undefined;
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

/** A description in the pack that agents can search. */
interface Document {
  readonly name: string;
  readonly title: string;
  readonly content: string;
}

/** Length limit of a text in a search result, in characters. */
const LONGEST = 2_000;

const read = new WeakMap<Program, readonly Document[]>();

/** Searches the descriptions of a pack's resources, operations and errors. */
function searchDocuments(program: Program, words: string, limit: number): Json {
  let documents = read.get(program);
  if (documents === undefined) read.set(program, (documents = documentsOf(program)));
  const found = rank(
    documents,
    { intent: '', words },
    ({ title, content }) => ({ strong: searchWords(title), weak: searchWords(content) }),
    0.4,
  );
  return {
    results: found
      .slice(0, limit)
      .map(({ name, title, content }) => ({ name, title, content: content.slice(0, LONGEST) })),
  };
}

function documentsOf({ model, operations, resources }: Program): Document[] {
  const ofOperations = operations.map((operation): Document => {
    const said = [...operation.params().keys()].flatMap((name) => {
      const description = parameterDescription(operation, name, model);
      return description === undefined ? [] : `${name}: ${description}`;
    });
    const rules = ruleTexts(operation).map(({ text }) => `${text}.`);
    const calls = operation.routes.map(({ method, path }) => `${method} ${path.replaceAll('+}', '}')}`);
    const content = [fileOf(operation)?.description ?? '', ...calls, ...said, ...rules]
      .filter((each) => each !== '')
      .join('\n');
    return { name: operation.resource.collection, title: operationTitle(operation), content };
  });
  const ofResources = resources.map(({ def: { collection, title, file } }): Document => {
    const fields = Object.entries(file.fields ?? {}).flatMap(([name, field]) => {
      const description = isObject(field) ? field['description'] : undefined;
      return typeof description === 'string' ? `${name}: ${description}` : name;
    });
    return { name: collection, title, content: fields.join('\n') };
  });
  return [...ofResources, ...ofOperations];
}
