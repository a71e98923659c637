import type { Operation } from '../program/index.js';
import type { Engine } from './engine.js';

/** How commands of callers who disconnect from a stream begin; the key of the operation follows. */
export const DISCONNECTED = 'stream closed ';

/**
 * Runs what a pack does when the caller of a stream disconnects before its end. Its entry holds what came from outside.
 * @param self id of the object that the response was about
 * @param sent how many events had gone out
 */
export function disconnect(engine: Engine, operation: Operation, self: string | null, sent: number): void {
  const { key, resource, stream } = operation;
  engine.command(
    `${DISCONNECTED}${key}`,
    'outside',
    (x) => stream?.closed?.()(x, self === null ? null : (x.row(resource.index, self) ?? null), sent),
    { object: self, sent },
  );
}
