import { StoreError } from './store.js';

export function missingWorld(id: string): StoreError {
  return new StoreError('missing', `there is no world ${id}`);
}

/** Converts an error of PostgreSQL or its connection to an error of the store. */
export function asFault(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const reason = message === undefined || message === '' ? String(code ?? error) : String(message);
  // 53100: disk_full, in PostgreSQL's class of insufficient resources.
  return new StoreError(code === '53100' ? 'full' : 'failed', `PostgreSQL: ${reason}`);
}
