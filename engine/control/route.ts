import type { Request, Response } from 'express';
import type { JsonObject } from '../values/index.js';
import type { ControlContext } from './context.js';
import type { ContractSchema } from './schema.js';
import { type BodyShape, readShape, type ReadValue, shapeSchema } from './shape.js';

/** The result of a control API call. */
export type ControlResponse<T = unknown> =
  | { readonly body: T }
  /** JSON in chunks. `portable`: the world's address stays a placeholder, so that any sandbox can replay the file. */
  | { readonly chunks: Iterable<string>; readonly portable?: true }
  /** Content other than JSON. */
  | { readonly text: string; readonly type: string }
  /** A response that stays open, such as an event stream. */
  | { readonly stream: (req: Request, res: Response) => void };

/** A parsed and checked call. */
interface ControlCall<B extends BodyShape, Q extends BodyShape> {
  /** The name in the path. */
  readonly id: string;
  readonly query: ReadValue<Q>;
  readonly body: ReadValue<B>;
  /** The whole parsed body, for calls that accept further keys. */
  readonly given: JsonObject;
  /** Arguments that the ledger records for the call: its route, and its body unless that may be large. */
  readonly why: JsonObject;
}

/** Tags of calls, in the order of the contract. */
export const TAGS = [
  'about',
  'world',
  'faults',
  'events',
  'clock',
  'webhooks',
  'pins',
  'traces',
  'worlds',
  'history',
] as const;

/** The description of a call, from which the contract is written. */
interface CallContract<B extends BodyShape, Q extends BodyShape, T> {
  /** Name of the call: `operationId`. */
  readonly id: string;
  readonly tag: (typeof TAGS)[number];
  /** What the call does, in one sentence. */
  readonly about: string;
  /** Description of the name in the path. */
  readonly names?: string;
  readonly query?: Q;
  readonly body?: B;
  /** Schema of the body, if its keys alone don't define it. */
  readonly bodySchema?: ContractSchema<unknown>;
  /** Whether the body may have further keys, which the handler checks. */
  readonly anyKeys?: boolean;
  /** Whether the body may be as large as a seed. */
  readonly large?: boolean;
  /** Whether the call is rejected while memory is short, since it allocates much. */
  readonly heavy?: boolean;
  /** Status of a successful response; 200 by default. */
  readonly status?: 200 | 201;
  readonly response: ContractSchema<T>;
  /** Media type of the response; JSON by default. */
  readonly type?: string;
  /** Statuses of errors other than 400 and 401, and 413 and 415 of a body, which are added automatically. */
  readonly errors?: readonly (403 | 404 | 409 | 422 | 507)[];
}

/** One route of the control API. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path of the route, in Express's syntax. */
  readonly path: string;
  readonly contract: CallContract<BodyShape, BodyShape, unknown>;
  /** The schema of the call's body; null: the call has no body. */
  readonly bodySchema: ContractSchema<unknown> | null;
  /** Serves a call of the route. @throws ControlRejection */
  run(
    context: ControlContext,
    id: string,
    query: JsonObject,
    body: JsonObject,
  ): ControlResponse | Promise<ControlResponse>;
}

type None = Record<never, never>;

/**
 * Declares a route, such as `GET /faults`; its handler gets the parsed body and query, and returns what its schema describes.
 */
export function route<T, B extends BodyShape = None, Q extends BodyShape = None>(
  line: `${'GET' | 'POST' | 'DELETE'} /${string}`,
  contract: CallContract<B, Q, T>,
  run: (
    context: ControlContext,
    call: ControlCall<B, Q>,
  ) => ControlResponse<NoInfer<T>> | Promise<ControlResponse<NoInfer<T>>>,
): ControlRoute {
  const [method, path] = line.split(' ') as [ControlRoute['method'], string];
  const { query = {} as Q, body = {} as B, anyKeys = false, large = false } = contract;
  return {
    method,
    path,
    contract,
    bodySchema: contract.bodySchema ?? (contract.body ? shapeSchema(contract.body) : null),
    run: (context, id, asked, given) =>
      run(context, {
        id,
        query: readShape(query, asked),
        body: readShape(body, anyKeys ? {} : given),
        given,
        why: { route: id === '' ? line : line.replace(':id', id), ...(large ? {} : { body: given }) },
      }),
  };
}
