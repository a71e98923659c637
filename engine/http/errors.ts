/** Why a request couldn't be handled: an error of the caller, or a defect of the sandbox. */
export type RequestError =
  | { readonly kind: 'body_too_large' }
  | { readonly kind: 'bad_path' }
  | { readonly kind: 'unreadable'; readonly status: number; readonly reason: string }
  | { readonly kind: 'defect' };

/** Classifies an error of Express, the body reader or a handler. */
export function requestError(error: unknown): RequestError {
  const { type, status } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly type?: unknown;
    readonly status?: unknown;
  };
  if (type === 'entity.too.large') return { kind: 'body_too_large' };
  if (error instanceof URIError) return { kind: 'bad_path' };
  if (typeof status === 'number' && status < 500)
    return { kind: 'unreadable', status, reason: error instanceof Error ? error.message : 'the body cannot be read' };
  return { kind: 'defect' };
}
