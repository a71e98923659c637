import type { Json } from '../../../../engine/values/index.js';
import type { Made } from '../kit.js';

/** Members of a form. */
export type Body = Readonly<Record<string, Json>>;

export const post = (path: string, body?: Body): Made => ({ method: 'POST', path: `/v1/${path}`, body });
export const remove = (path: string): Made => ({ method: 'DELETE', path: `/v1/${path}` });
