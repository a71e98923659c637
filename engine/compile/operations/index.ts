import { lazy } from '../../values/index.js';
import type { Type } from '../../expression/index.js';
import {
  inside,
  keyIn,
  type OperationFile,
  type OperationKind,
  type PackFile,
  parseFields,
  rejectsUnknown,
  type SourceLocation,
  type ResourceDef,
} from '../../model/index.js';
import type { Operation, OperationBody, SearchPlan } from '../../program/index.js';
import { admitted, compileAccess, guarded } from '../access.js';
import { compileContent, compileStatus } from '../content.js';
import type { Compiler } from '../context.js';
import { changeIn } from '../flow-functions.js';
import { compileCookies, compileHead } from '../head.js';
import { compileStream } from '../stream.js';
import { conditional } from '../tag.js';
import { compileLongPoll } from '../wait.js';
import { linkMaxBody, linkWholeBody } from '../whole-body.js';
import { compileBody, linkTombstone } from './body.js';
import { linkInputs } from './inputs.js';
import { listsOf } from './lists.js';
import { isNamed, keyOf, linkDispatch, linkRoutes } from './routes.js';
import { linkOperationRules } from './rules.js';

const STANDARD: ReadonlySet<string> = new Set(['create', 'retrieve', 'update', 'delete', 'list', 'search']);

/** Kinds of operations that change the world even without steps. */
const CHANGES: ReadonlySet<OperationKind> = new Set(['create', 'update', 'delete']);

/** Reads an operation's head (routes, parameters); its body is compiled when first called. */
export function linkOperation(
  name: string,
  file: OperationFile,
  def: ResourceDef,
  place: SourceLocation,
  compiler: Compiler,
  { parent, tag }: Pick<Operation, 'parent' | 'tag'>,
): Operation {
  const kind: OperationKind = file.kind ?? (STANDARD.has(name) ? (name as OperationKind) : 'action');
  const routes = linkRoutes(name, kind, file, def, place, compiler);
  const idKey = keyOf(routes, def);
  const named = idKey !== null || routes.some((route) => route.names.includes('id'));
  const inputs = lazy(() => linkInputs(kind, file, def, routes, place, compiler, parent));
  const tombstone = file.deleted === 'tombstone' ? lazy(() => linkTombstone(def, compiler)) : null;
  const locals = new Map<string, Type>();
  const isIn = parent !== null && isNamed(parent, routes);
  const isList = kind === 'list' || kind === 'search';
  const hasSelf = named || def.singleton;
  const hasObject = named || def.singleton || (isList && file.do === undefined);
  const access = compileAccess(def, name, compiler, { self: hasObject, parent: isIn });
  const isRead = routes.every(({ method }) => method === 'GET');
  const body = lazy<OperationBody>(() => {
    const required = def.file.tag?.required?.includes(name) === true;
    const made = tag === null || isRead ? plainBody() : conditional(plainBody(), def, tag(), required);
    return access === null ? made : guarded(made, access());
  });
  const plainBody = (): OperationBody => {
    const { params, plan } = inputs();
    const { search } = compiler.model.settings;
    if (kind === 'list' && file.do === undefined) return { kind: 'list', plan };
    if (kind === 'search' && search && file.do === undefined) {
      const fields = parseFields(file.fields, inside(place, 'fields'), compiler.model.context);
      const searchPlan: SearchPlan = {
        def,
        fields,
        where: plan.where,
        parent: plan.parent,
        param: search.param,
        page: search.page,
        shortest: search.shortest,
        paging: plan.paging,
        names: { ...plan.names, after: [search.page] },
        envelope: plan.envelope,
        size: plan.size,
        sizeParam: plan.names.size,
      };
      return { kind: 'search', plan: searchPlan };
    }
    // Steps see the parameters of all versions; those that the call's version lacks are missing.
    const added = compiler.paramsOfVersions(`${def.collection}.${name}`);
    const seen = added.size === 0 ? params : new Map([...added, ...params]);
    const head = { name, kind, resource: def, params: seen, locals, parent, isIn };
    const run = compileBody(head, file, place, compiler, hasSelf);
    return { kind: 'steps', run };
  };
  const lists = listsOf(file, def, compiler);
  const key = `${def.collection}.${name}`;
  const owner = {
    key,
    // The result of a list's own steps is the response, as for an action.
    kind: isList && file.do !== undefined ? 'action' : kind,
    resource: def,
    parent,
    params: lazy(() => inputs().params),
    locals: () => {
      body();
      return locals;
    },
    listHeaders: isList && file.do === undefined ? lists.headers : {},
  } as const;
  return {
    name,
    kind,
    resource: def,
    key,
    routes,
    dispatch: linkDispatch(file, compiler),
    idKey,
    parent: isIn && access !== null ? admitted(parent, access) : parent,
    tag,
    status: typeof file.status === 'number' ? file.status : 200,
    statusOf: compileStatus(owner, file, place, compiler),
    keys: linkKeys(file, place, compiler),
    open: file.open === true || file.open === 'secret',
    unguarded: file.open === true,
    ofPages: false,
    rejectsUnknown: rejectsUnknown(compiler.model.settings, routes[0]?.path),
    ...linkScopes(file, place, compiler),
    tombstone,
    shape: linkShapeName(file, def, place, compiler),
    immediate: file.answer === 'at_once',
    documented: file.undocumented !== true,
    head: compileHead(owner, file, place, compiler),
    cookies: compileCookies(owner, file, place, compiler),
    content: compileContent(owner, file, place, compiler),
    whole: linkWholeBody(file, routes, place, compiler),
    maxBodyBytes: linkMaxBody(file, routes, place, compiler),
    stream: compileStream(owner, file, place, compiler),
    wait: compileLongPoll(owner, file, place, compiler),
    reads: (kind === 'retrieve' || kind === 'list' || kind === 'search') && file.do === undefined,
    changesNothing: lazy(() => !CHANGES.has(kind) && changeIn(file.do ?? [], inside(place, 'do'), compiler) === null),
    params: owner.params,
    rules: lazy(() =>
      linkOperationRules({ name, file, def, place, params: owner.params, hasObject: hasSelf }, compiler),
    ),
    body,
  };
}

/** Reads which keys besides the world's own may call an operation. */
function linkKeys(
  { keys = [] }: OperationFile,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): ReadonlySet<string> {
  const { others } = model.settings.auth;
  keys.forEach((key, index) => {
    diagnostics.known(inside(place, 'keys', index), 'key', key, others);
  });
  return new Set(keys);
}

/** Reads the scopes that a token needs for an operation: all of the first list, and any one of the second list. */
function linkScopes(
  { scopes = [], any_scope: anyScope = [] }: OperationFile,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): Pick<Operation, 'scopes' | 'anyScope'> {
  const { auth } = model.packPlace.file.data as PackFile;
  if (scopes.length + anyScope.length > 0 && auth?.tokens?.scopes === undefined)
    diagnostics.problem(
      keyIn(place, scopes.length > 0 ? 'scopes' : 'any_scope'),
      'no-scopes',
      'no key of the pack has scopes: pack.yaml has no `auth.tokens.scopes`',
    );
  return { scopes, anyScope };
}

/** The name of the shape in which an operation returns objects of its resource; null for the usual one. */
function linkShapeName(
  { shape }: OperationFile,
  { file: { shapes = {} } }: ResourceDef,
  place: SourceLocation,
  { diagnostics }: Compiler,
): string | null {
  if (shape === undefined) return null;
  const at = inside(place, 'shape');
  if (!Object.hasOwn(shapes, shape)) diagnostics.unknown(at, 'shape', shape, Object.keys(shapes));
  return shape;
}
