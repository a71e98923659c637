import { withArticle } from '../../expression/index.js';
import { inside, keyIn, type OperationFile, type OperationKind, type SourceLocation } from '../../model/index.js';
import type { Operation } from '../../program/index.js';
import type { CompiledPack } from '../pack.js';

/** Keys that only some kinds of operations have. */
const KEYS_OF_KINDS: Readonly<Record<string, readonly OperationKind[]>> = {
  filters: ['list'],
  where: ['list', 'search'],
  sort: ['list'],
  ascending: ['list'],
  fields: ['search'],
  lists: ['list', 'search'],
};

/** Reports operations without an effect, and keys that don't apply to their kind. */
export function checkOperations(pack: CompiledPack): void {
  for (const operation of pack.operations) checkOperation(operation, pack);
}

function checkOperation(operation: Operation, { model }: CompiledPack): void {
  const { resource: def, name, kind } = operation;
  const { operations } = def.file;
  if (operations === undefined || Array.isArray(operations)) {
    const index = ((operations ?? []) as readonly string[]).indexOf(name);
    if (kind === 'action') reportIdle(operation, inside(def.place, 'operations', index), model);
    return;
  }
  const file = (operations as Readonly<Record<string, OperationFile | null>>)[name] ?? {};
  const place = inside(def.place, 'operations', name);
  for (const [key, kinds] of Object.entries(KEYS_OF_KINDS)) {
    if (key in file && !kinds.includes(kind)) {
      model.diagnostics.problem(
        keyIn(place, key),
        'key-not-read',
        `${withArticle(kind)} has no ${key}; ${kinds.join(' and ')} operations do`,
      );
    }
  }
  if (file.sort !== undefined) model.diagnostics.known(inside(place, 'sort'), 'field', file.sort, def.schema.fields);
  if (file.sort !== undefined && def.schema.fields.get(file.sort)?.view !== undefined)
    model.diagnostics.problem(inside(place, 'sort'), 'invalid-value', `'${file.sort}' is computed for the response`);
  if (kind === 'search' && !model.settings.search) {
    model.diagnostics.problem(
      keyIn(place),
      'no-search',
      'pack.yaml does not declare how searches are asked (`search:`)',
    );
  }
  if (
    OF_ONE.has(kind) &&
    !def.singleton &&
    !['do', 'return', 'content'].some((key) => key in file) &&
    !namesOne(operation)
  )
    model.diagnostics.problem(
      inside(place, 'route'),
      'no-object',
      `${withArticle(kind)} is of one object, and this route names none: write \`{id}\` in it`,
    );
  if (kind === 'action' && !['do', 'return', 'headers', 'content', 'stream'].some((key) => key in file))
    reportIdle(operation, place, model);
}

/** Kinds of operations on one object. */
const OF_ONE: ReadonlySet<OperationKind> = new Set(['retrieve', 'update', 'delete']);

/** Whether each route names the object by its id, or by all segments of its key. */
function namesOne({ routes, resource }: Operation): boolean {
  const key = resource.file.id?.key;
  return routes.some(
    ({ names }) => names.includes('id') || (key !== undefined && key.every((name) => names.includes(name))),
  );
}

const STANDARD = ['create', 'retrieve', 'update', 'delete', 'list', 'search'];

function reportIdle({ name }: Operation, place: SourceLocation, { diagnostics, env }: CompiledPack['model']): void {
  const at = typeof place.path.at(-1) === 'number' ? place : keyIn(place);
  diagnostics.warning(at, 'idle-operation', `'${name}' does nothing: it has neither steps nor a response`, {
    suggestion: env.suggest(name, STANDARD),
  });
}
