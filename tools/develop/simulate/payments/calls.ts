import type { Json } from '../../../../engine/values/index.js';
import type { SimulatedCall } from '../kit.js';

/** Members of a form body. */
export type FormBody = Readonly<Record<string, Json>>;

export const post = (path: string, body?: FormBody): SimulatedCall => ({ method: 'POST', path: `/v1/${path}`, body });
export const remove = (path: string): SimulatedCall => ({ method: 'DELETE', path: `/v1/${path}` });
