import { RULE_KINDS } from '../../engine/model/index.js';
import type { FileKind, PackSource } from '../../engine/pack/index.js';

/** Completions for names of a pack at paths where the schema only requires a text. */

type Data = Readonly<Record<string, unknown>>;
type Names = (source: PackSource, path: readonly (string | number)[], file: string) => readonly string[];

/** Paths of parameters of operations, where a name needs no colon. */
export const PARAMETERS = /^operations\/[^/]+\/params\/$/;

const ANYWHERE = ['now', 'vars', 'request', 'base_url', 'socket_url'];

/** Names of all operations as `collection.name`, for the keys that refer to operations: limits, versions and the client. */
const operations: Names = (source) =>
  resources(source).flatMap((each) => operationsOf(each).map((name) => `${collectionOf(each)}.${name}`));
const collections: Names = (source) => resources(source).map(collectionOf);
const resourceNames: Names = (source) => resources(source).map(({ resource }) => String(resource));
const errors: Names = (source) => Object.keys(object(object(source.one('errors')?.data)['errors']));
const durations: Names = (source) => Object.keys(object(pack(source)['durations']));
const keys: Names = (source) => Object.keys(object(object(pack(source)['auth'])['others']));
const pages: Names = (source) => source.all('page').map(({ data }) => String(object(data)['page']));

/** Fields of the resource at a path of a version (`changes/N/resources/NAME/...`), or of the tokens. */
const changedFields: Names = (source, path) => fieldsOf(source, String(path[3]));
const tokenFields: Names = (source) =>
  fieldsOf(source, String(object(object(pack(source)['auth'])['tokens'])['resource']));
/** Lists the parameters of the operation at `changes/N/operations/NAME/...`, or of a method of the library. */
const changedParameters: Names = (source, path) => parametersOf(source, String(path[3]));
const sentParameters: Names = (source, path) => {
  const methods = object(object(source.one('browser')?.data)['methods']);
  return parametersOf(source, String(object(methods[String(path[1])])['operation']));
};

/** Lists names that an operation can use without a colon: parameters of other operations, and fields. */
const ownParameters: Names = (source, _path, file) => {
  const own = object(source.files.find((each) => each.path === file)?.data);
  const operations = Object.values(object(own['operations']));
  return [
    ...operations.flatMap((each) => Object.keys(object(object(each)['params']))),
    ...Object.keys(object(own['fields'])),
  ];
};

/** Paths of names in rules between parameters, and of a rule's table or error. */
const RULE = /(?:^|\/)rules\/\d+\//;
const RULE_PATHS = new RegExp(String.raw`(?:^|\/)rules\/\d+\/(?:(?:given|${RULE_KINDS.join('|')})(?:\/\d+|\/)?|by)$`);

/** Lists names for a rule: fields of its object type, else parameters of its operation, its resource and all others. */
const ruleParameters: Names = (source, path, file) => {
  const data = object(source.files.find((each) => each.path === file)?.data);
  const within = path.slice(0, path.indexOf('rules')).reduce<unknown>((value, key) => object(value)[String(key)], data);
  const { fields, params } = object(within);
  const own = Object.keys(within === data ? {} : object(fields ?? params));
  return own.length > 0 ? own : [...Object.keys(object(data['params'])), ...ownParameters(source, path, file)];
};
const tables: Names = (source) => source.all('table').map(({ data }) => String(object(data)['table']));

/** Paths of names by kind of file; a path with an empty end is a key that is being typed. */
const PLACES: readonly { readonly file: FileKind; readonly at: RegExp; readonly names: Names }[] = [
  { file: 'pack', at: /^rate_limits\/[^/]+\/(?:operations|except)(?:\/\d+)?$/, names: operations },
  { file: 'pack', at: /^rate_limits\/[^/]+\/error$/, names: errors },
  { file: 'pack', at: /^(?:rate_limits\/[^/]+\/window|idempotency\/retention)$/, names: durations },
  { file: 'pack', at: /^auth\/tokens\/resource$/, names: resourceNames },
  { file: 'pack', at: /^auth\/tokens\/field$/, names: tokenFields },
  { file: 'pack', at: /^client\/calls\/$/, names: operations },
  { file: 'pack', at: /^client\/resources\/$/, names: collections },
  { file: 'resource', at: /^seeded\/after(?:\/\d+)?$/, names: resourceNames },
  { file: 'resource', at: PARAMETERS, names: ownParameters },
  { file: 'resource', at: /^operations\/[^/]+\/keys(?:\/\d+)?$/, names: keys },
  ...(['resource', 'types'] as const).flatMap((file) => [
    { file, at: RULE_PATHS, names: ruleParameters },
    { file, at: new RegExp(`${RULE.source}error$`), names: errors },
    { file, at: new RegExp(`${RULE.source}table$`), names: tables },
  ]),
  { file: 'scenarios', at: /^scenarios\/\d+\/operations(?:\/\d+)?$/, names: operations },
  { file: 'browser', at: /^methods\/[^/]+\/operation$/, names: operations },
  { file: 'browser', at: /^methods\/[^/]+\/page$/, names: pages },
  { file: 'browser', at: /^methods\/[^/]+\/sends\/$/, names: sentParameters },
  { file: 'browser', at: /^key$/, names: keys },
  { file: 'mcp', at: /^tools\/\d+\/operation$/, names: operations },
  { file: 'version', at: /^changes\/\d+\/resources\/$/, names: resourceNames },
  {
    file: 'version',
    at: /^changes\/\d+\/resources\/[^/]+\/(?:remove(?:\/\d+)?|(?:rename|change)\/)$/,
    names: changedFields,
  },
  { file: 'version', at: /^changes\/\d+\/operations\/$/, names: operations },
  {
    file: 'version',
    at: /^changes\/\d+\/operations\/[^/]+\/(?:remove(?:\/\d+)?|(?:rename|refuse|move\/[^/]+\/to)\/)$/,
    names: changedParameters,
  },
  { file: 'version', at: /^changes\/\d+\/operations\/[^/]+\/refuse\/[^/]+$/, names: errors },
];

/** Variables that expressions have at some paths, besides those that all have. */
const SCOPES: readonly { readonly at: RegExp; readonly file: FileKind; readonly names: readonly string[] }[] = [
  {
    file: 'pack',
    at: /^rate_limits\/[^/]+\/headers\//,
    names: ['limit', 'used', 'remaining', 'reset', 'reset_in', 'retry_after', 'window'],
  },
  { file: 'pack', at: /^rate_limits\/[^/]+\/(?:when|per)$/, names: ['params'] },
  { file: 'pack', at: /^delivery\/endpoint\/register/, names: ['url', 'events', 'description'] },
  { file: 'pack', at: /^delivery\/endpoint\//, names: ['endpoint', 'event'] },
  {
    file: 'pack',
    at: /^delivery\/transports\//,
    names: ['endpoint', 'event', 'timestamp', 'body', 'secret', 'signature', 'signatures'],
  },
  { file: 'pack', at: /^events\//, names: ['type', 'object', 'snapshot', 'previous', 'version'] },
  { file: 'resource', at: /^seeded\//, names: ['self', 'given'] },
];
const LIST = [
  'data',
  'has_more',
  'url',
  'total_count',
  'next_cursor',
  'next_token',
  'page',
  'pages',
  'size',
  'offset',
  'next_url',
  'prev_url',
  'first_url',
  'last_url',
  'link',
];

/** Lists the names that can be at a path. @param own the path of the file */
export function choices(source: PackSource, kind: FileKind, path: readonly (string | number)[], own: string): string[] {
  const place = path.join('/');
  return [
    ...new Set(
      PLACES.filter(({ file, at }) => file === kind && at.test(place)).flatMap(({ names }) => names(source, path, own)),
    ),
  ];
}

/** Lists the variables that an expression at a path may use. */
export function variables(kind: FileKind, path: readonly (string | number)[]): string[] {
  const place = path.join('/');
  if (/(?:^|\/)lists\/(?:envelope|headers)/.test(place)) return [...LIST, ...ANYWHERE];
  const found = SCOPES.filter(({ file, at }) => file === kind && at.test(place)).flatMap(({ names }) => names);
  return [...(found.length > 0 ? found : ['params', 'self']), ...ANYWHERE];
}

function resources(source: PackSource): Data[] {
  return source.all('resource').map(({ data }) => object(data));
}

function pack(source: PackSource): Data {
  return object(source.one('pack')?.data);
}

function collectionOf({ collection, resource }: Data): string {
  return typeof collection === 'string' ? collection : String(resource);
}

function operationsOf({ operations: said }: Data): string[] {
  return Array.isArray(said) ? said.map(String) : Object.keys(object(said));
}

function fieldsOf(source: PackSource, name: string): string[] {
  return Object.keys(object(resources(source).find(({ resource }) => resource === name)?.['fields']));
}

function parametersOf(source: PackSource, operation: string): string[] {
  const [collection, name] = operation.split('.');
  const found = resources(source).find((each) => collectionOf(each) === collection);
  return Object.keys(object(object(object(found?.['operations'])[name])['params']));
}

function object(value: unknown): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};
}
