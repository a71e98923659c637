import { StoreError } from './store.js';

export function missingWorld(id: string): StoreError {
  return new StoreError('missing', `there is no world ${id}`);
}

/** What PostgreSQL or the way to it reports, as an error of the store. */
export function asFault(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const reason = message === undefined || message === '' ? String(code ?? error) : String(message);
  // Of PostgreSQL's classes of errors that of disks and connections without room.
  return new StoreError(code === '53100' ? 'full' : 'failed', `PostgreSQL: ${reason}`);
}
