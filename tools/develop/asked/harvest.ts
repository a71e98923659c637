import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { routeShape } from '../../../engine/program/index.js';

/**
 * The requests in a tool's code: calls as `GET /path`, and GraphQL fields and arguments as `Type.field` and
 * `Type.field(argument)`.
 */
interface Asked {
  readonly calls: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

/** The vendor's own API, used to recognise calls in code. */
export interface VendorApi {
  readonly schema: GraphQLSchema;
  /** Documented operations of the API, such as `GET /repos/{owner}/{repo}`. */
  readonly operations: readonly string[];
  /** Routes by method names of the vendor's client, such as `issues.addLabels`. */
  readonly methods: ReadonlyMap<string, string>;
}

const VERBS = /^(get|head|post|put|patch|delete)/i;
/** Matches the beginning of a GraphQL document, at the start of a text or line. */
const DOCUMENT =
  /(?:^|[`'"(\n\s])((?:query|mutation|fragment)\b[^{}'"`;=]{0,400}\{|\{\s*(?:viewer\b|(?:repository|nodes?|search|organization)\s*\())/g;

/** Extracts the requests from the code of a tool: its own files, or a bundle that includes its libraries. */
export function harvest(texts: Iterable<string>, api: VendorApi): Asked {
  const shapes = new Map(api.operations.map((each) => [routeForm(each), each]));
  const calls = new Set<string>();
  const fields = new Set<string>();
  for (const text of texts) {
    for (const call of callsIn(text, api, shapes)) calls.add(call);
    for (const document of documentsIn(text)) for (const field of fieldsOf(document, api.schema)) fields.add(field);
  }
  return { calls, fields };
}

/** Normalizes an operation's route: removes parameter names and query, and merges both names of a range (`{}...{}`) into one. */
export function routeForm(operation: string): string {
  return routeShape(operation.replace(/\{\?[^{}]*\}/g, '')).replace('{}...{}', '{}');
}

function* callsIn(text: string, api: VendorApi, shapes: ReadonlyMap<string, string>): Generator<string> {
  // Finds methods of the vendor's client that the code calls or passes to a paging function.
  for (const [, group, method] of text.matchAll(/\.(?=([a-z][A-Za-z]+)\.([a-z][A-Za-z]+)\b)/g)) {
    const route = api.methods.get(`${group}.${method}`);
    if (route !== undefined) yield shapes.get(routeForm(route)) ?? route;
  }
  // Finds routes passed to a function, such as `request('GET /user')`. The client's own route tables are in brackets and don't match.
  for (const [, verb, path] of text.matchAll(/\(\s*[`'"](GET|POST|PUT|PATCH|DELETE) (\/[^`'"\s]*)[`'"]/g)) {
    const found = matched(verb, path, shapes);
    if (found !== undefined) yield found;
  }
  const urls =
    /(?:\.?\b([a-z]\w*)\(\s*|[=:]\s*)[`'"](?:\$\{[^`{}]*\}\/?)?(\/?(?:repos|orgs|users?|search|installation|app)\/[^`'"\s]*|\/?user)[`'"]/g;
  for (const [, named = '', path] of text.matchAll(urls)) {
    if (!path.includes('${') && named === '') continue;
    const verb = VERBS.exec(named)?.[1].toUpperCase();
    const found = matched(verb, path, shapes);
    if (found !== undefined) yield found;
  }
}

/** Finds the documented operation for a path that is written with `${...}` or `{...}`. */
function matched(verb: string | undefined, written: string, shapes: ReadonlyMap<string, string>): string | undefined {
  const bare = written
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
    .replace(/[?#].*$/, '')
    .replace(/\{[^{}]*\}/g, '{}');
  const path = `/${bare.replace(/^\/|\/$/g, '')}`;
  const method = verb === 'HEAD' ? 'GET' : verb;
  // Also tries `repos/${repository}/pulls`, where one variable contains owner and repository.
  for (const each of [path, path.replace(/^\/repos\/\{\}/, '/repos/{}/{}')]) {
    const methods = method === undefined ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : [method];
    const found = methods.map((one) => shapes.get(`${one} ${each}`)).filter((one) => one !== undefined);
    if (found.length > 0) return found[0];
  }
  return undefined;
}

function* documentsIn(source: string): Generator<DocumentNode> {
  // Searches for GraphQL in whole files, string literals, single-line strings of bundles, and Python format strings with doubled braces.
  const whole = parsed(source);
  if (whole !== undefined) {
    yield whole;
    return;
  }
  const texts = [
    source,
    source.replaceAll('\\n', '\n').replaceAll('\\"', '"'),
    source.replaceAll('{{', '{').replaceAll('}}', '}'),
  ];
  for (const text of new Set(texts)) {
    for (const match of text.matchAll(DOCUMENT)) {
      const from = match.index + match[0].length - match[1].length;
      const part = balanced(text, from);
      const document = part === undefined ? undefined : parsed(filled(part, text));
      if (document !== undefined) yield document;
    }
  }
}

/** Returns the text from a position to the closing brace that matches the next opening one. */
function balanced(text: string, from: number): string | undefined {
  let depth = 0;
  for (let at = from; at < text.length && at < from + 20_000; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return text.slice(from, at + 1);
  }
  return undefined;
}

/** Inserts named texts into a document: `${fields}` of `const fields = ...`. */
function filled(document: string, code: string): string {
  return document.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    const found = new RegExp(`\\b${name}\\s*=\\s*(?:/\\*.*?\\*/\\s*)?\`([^\`$]*)\``).exec(code);
    return found === null ? whole : found[1];
  });
}

/** Parses a document and tries fillers for its computed parts: a name, a field, or nothing. */
function parsed(text: string): DocumentNode | undefined {
  for (const filler of ['__typename', 'x', '"x"', '1', '']) {
    try {
      return parse(text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, filler), { noLocation: true });
    } catch {
      // The text with this filler isn't a valid document: tries the next one.
    }
  }
  return undefined;
}

function fieldsOf(document: DocumentNode, schema: GraphQLSchema): Set<string> {
  const found = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field({ name, arguments: given = [] }) {
        const parent = info.getParentType();
        if (!parent || !info.getFieldDef() || name.value.startsWith('__')) return;
        const field = `${getNamedType(parent).name}.${name.value}`;
        found.add(field);
        for (const { name: argument } of given) found.add(`${field}(${argument.value})`);
      },
    }),
  );
  return found;
}
