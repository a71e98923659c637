import type { Operation, Program } from '../../engine/program/index.js';
import { diagram } from './diagram.js';
import { code, table } from './types.js';

/** A call that the vendor has, as one of its clients names it. */
export interface VendorCall {
  /** What the client groups it under, such as `paymentIntents`. */
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** How the pack answers a call of the vendor. */
export type CallState = 'done' | 'outside' | 'missing';

/** Where a call arrives in the pack. */
export function stateOf(pack: Program, call: VendorCall): { readonly state: CallState; readonly by: string } {
  const operation = operationOf(pack, call);
  if (operation) return { state: 'done', by: operation.key };
  const page = call.method === 'GET' ? pack.pages.find((each) => leadsTo(each.path, call.path)) : undefined;
  if (page) return { state: 'done', by: `page ${page.name}` };
  const match = pack.routes.match(call.method, call.path);
  return match.kind === 'unsupported'
    ? { state: 'outside', by: match.unsupported.error }
    : { state: 'missing', by: '' };
}

/**
 * A pack at a glance, in Markdown: the vendor's calls and what becomes of them, further calls, states, world events, what it
 * leaves out; then `notes` as they are.
 */
export function overview(pack: Program, { calls = [], notes = '' }: OverviewParts = {}): string {
  const { settings } = pack.model;
  const states = calls.map((call) => ({ ...call, ...stateOf(pack, call) }));
  const done = states.filter(({ state }) => state === 'done').length;
  const lines = [
    `# ${settings.title}`,
    '',
    `Pack ${code(settings.name)} ${settings.version}.${settings.faithfulTo === '' ? '' : ` Faithful to: ${settings.faithfulTo}.`}`,
    `\`sandbox docs ${settings.name}\` lists everything: fields, parameters, errors, pins.`,
    '',
    ...chapter("The vendor's calls", [
      ...(calls.length === 0 ? [] : [`${done} of ${calls.length} are done.`, '']),
      ...table(
        ['Call of the client', 'On the wire', 'State', 'Operation'],
        states.map(({ group, name, method, path, state, by }) => [
          `${group}.${name}`,
          code(`${method} ${path}`),
          state,
          by,
        ]),
      ),
    ]),
    ...chapter(
      calls.length === 0 ? 'Calls' : 'Further calls',
      table(['On the wire', 'Operation'], further(pack, calls)),
    ),
    ...chapter(
      'States',
      pack.resources.flatMap(({ def }) =>
        def.file.machine ? [`### ${def.name}`, '', ...diagram(def.file.machine)] : [],
      ),
    ),
    ...chapter('World events', table(['Cause', 'Happens to', ''], causes(pack))),
    ...chapter(
      'Outside',
      table(
        ['At or below', ''],
        [...pack.unsupported]
          .sort((a, b) => a.path.localeCompare(b.path))
          .map(({ path, args }) => [code(path), Object.values(args).map(String).join(', ')]),
      ),
    ),
    notes,
  ];
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

export interface OverviewParts {
  readonly calls?: readonly VendorCall[];
  readonly notes?: string;
}

function chapter(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

function operationOf({ operations }: Program, { method, path }: VendorCall): Operation | undefined {
  return operations.find(({ routes }) => routes.some((route) => route.method === method && leadsTo(route.path, path)));
}

/** Whether a route of the pack is this path of the vendor's, whatever names their segments have. */
function leadsTo(route: string, path: string): boolean {
  const ours = route.split('/');
  const theirs = path.split('/');
  return (
    ours.length === theirs.length &&
    ours.every((segment, index) => segment === theirs[index] || theirs[index].startsWith('{'))
  );
}

function further({ operations }: Program, calls: readonly VendorCall[]): string[][] {
  return operations.flatMap(({ routes, key }) =>
    routes
      .filter((route) => !calls.some((call) => call.method === route.method && leadsTo(route.path, call.path)))
      .map(({ method, path }) => [code(`${method} ${path}`), key]),
  );
}

function causes({ causes }: Program): string[][] {
  return [...causes.values()].flatMap(({ name, variants }) =>
    variants.map(({ description, subject }) => [code(name), subject?.resource.name ?? '', description]),
  );
}
