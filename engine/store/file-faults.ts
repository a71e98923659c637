import { ByteStoreFull } from '../values/index.js';

/** Codes of errors that hard links cause on file systems without them. */
export const NO_LINKS = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const FULL = new Set(['ENOSPC', 'EDQUOT']);

export function faultCode(error: unknown): string {
  return String((error as { readonly code?: unknown }).code);
}

export function fullOr(error: unknown): unknown {
  return FULL.has(faultCode(error)) ? new ByteStoreFull('the disk is full', { cause: error }) : error;
}

export async function withRoom(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw fullOr(error);
  }
}
