import type { Operation, Program } from '../../engine/program/index.js';

/** A call of the vendor API, as named in an official client. */
export interface VendorCall {
  /** Group of calls in the client, such as `paymentIntents`. */
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** Whether the pack serves a vendor's call, doesn't emulate it on purpose, or lacks it. */
type CallState = 'done' | 'outside' | 'missing';

/** Finds the operation of the pack that serves a vendor's call, and its state. */
export function stateOf(pack: Program, call: VendorCall): { readonly state: CallState; readonly by: string } {
  const operation = operationOf(pack, call);
  if (operation) return { state: 'done', by: operation.key };
  const page = call.method === 'GET' ? pack.pages.find((each) => leadsTo(each.path, call.path)) : undefined;
  if (page) return { state: 'done', by: `page ${page.name}` };
  const match = pack.routes.match(call.method, call.path);
  return match.kind === 'unsupported'
    ? { state: 'outside', by: match.unsupported.error ?? 'unknown_route' }
    : { state: 'missing', by: '' };
}

function operationOf({ operations }: Program, { method, path }: VendorCall): Operation | undefined {
  return operations.find(({ routes }) => routes.some((route) => route.method === method && leadsTo(route.path, path)));
}

/** Whether a route of the pack equals the vendor's path, whatever the parameter names. */
export function leadsTo(route: string, path: string): boolean {
  const ours = route.split('/');
  const theirs = path.split('/');
  return (
    ours.length === theirs.length &&
    ours.every((segment, index) => segment === theirs[index] || theirs[index].startsWith('{'))
  );
}
