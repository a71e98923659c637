import type { Request } from 'express';
import { Upload } from './whole-body.js';
import { pathOf, queryOf, UNSIGNED_HEADER } from '../http/index.js';
import { Rejection, type SignedCall } from '../program/index.js';
import type { Engine, OperationResponse } from '../runtime/index.js';
import { ExpressionFailure } from '../values/index.js';
import type { Visit } from './visit.js';

/**
 * Verifies the signature of a call.
 * @param key the call's key; null if the call needs none
 * @returns the error response if the signature is wrong; null if it is valid or not required
 */
export function signatureProblem(engine: Engine, visit: Visit, key: string | null): OperationResponse | null {
  const { pack, runtime } = engine;
  const { req, request, operation } = visit;
  if (operation === null || req.headers[UNSIGNED_HEADER] !== undefined) return null;
  const signatures = key === null ? pack.signatures.filter((each) => each.keyless) : pack.signatures;
  if (signatures.length === 0) return null;
  const call = signedCall(visit, key ?? '', pack.model.env.fromMs(Date.now()));
  try {
    runtime.reader.within(visit.chosen.tenant, () => {
      for (const signature of signatures) signature.verify(runtime.reader, request, call);
    });
    return null;
  } catch (error) {
    if (error instanceof Rejection) return engine.error(error.error, error.args, request);
    // Expressions fail on invalid input, such as a malformed time: the signature is then invalid.
    if (error instanceof ExpressionFailure) return engine.error('api_key_invalid', { key: key ?? '' }, request);
    throw error;
  }
}

function signedCall({ req }: Visit, key: string, time: SignedCall['time']): SignedCall {
  const body: unknown = req.body;
  const bytes: Buffer = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const query = queryOf(req.originalUrl);
  return {
    method: req.method,
    path: pathOf(req.originalUrl),
    query,
    parameters: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    headers: textsOf(req.headers),
    key,
    // A getter, since few signatures need the whole body, which may be large.
    get body() {
      return { base64: body instanceof Upload ? body.text : bytes.toString('base64') };
    },
    get text() {
      return bytes.toString();
    },
    time,
  };
}

function textsOf(headers: Request['headers']): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) made[name] = typeof value === 'string' ? value : value.join(',');
  return made;
}
