import type { Operation } from '../program/index.js';
import type { Engine } from './engine.js';

/** Prefix of the ledger's command names for disconnected streams, before the operation's key. */
export const DISCONNECTED = 'stream closed ';

/**
 * Runs the pack's steps for a caller that disconnects before the end of a stream. They get a ledger entry with origin
 * `outside`, since the disconnection isn't part of the world.
 * @param self id of the response's object
 * @param sent number of events that were sent
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
