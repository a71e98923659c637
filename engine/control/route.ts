import type { Request, Response } from 'express';
import type { JsonObject } from '../values/index.js';
import type { ControlContext } from './context.js';
import type { ContractSchema } from './schema.js';
import { type BodyShape, readShape, type ReadValue, shapeSchema } from './shape.js';

/** What a call of the control API returns. */
export type ControlResponse<T = unknown> =
  | { readonly body: T }
  /** JSON, in pieces. `portable`: it names the sandbox's address as worlds keep it, so that it is read the same at another one. */
  | { readonly chunks: Iterable<string>; readonly portable?: true }
  /** Something else than JSON. */
  | { readonly text: string; readonly type: string }
  /** The response continues as things happen. */
  | { readonly stream: (req: Request, res: Response) => void };

/** A call, read and checked. */
interface ControlCall<B extends BodyShape, Q extends BodyShape> {
  /** The name in the path. */
  readonly id: string;
  readonly query: ReadValue<Q>;
  readonly body: ReadValue<B>;
  /** The whole body, for calls with keys of their own. */
  readonly given: JsonObject;
  /** What the ledger records of the call. */
  readonly why: JsonObject;
}

/** Subjects of calls, in the order of the contract. */
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

/** What a row of the table says of its call; the contract is written from it. */
interface CallContract<B extends BodyShape, Q extends BodyShape, T> {
  /** Name of the call: `operationId`. */
  readonly id: string;
  readonly tag: (typeof TAGS)[number];
  /** One sentence. */
  readonly about: string;
  /** What the name in the path is. */
  readonly names?: string;
  readonly query?: Q;
  readonly body?: B;
  /** The body, where its keys alone do not say what it may be. */
  readonly bodySchema?: ContractSchema<unknown>;
  /** The body has further keys, which the handler checks. */
  readonly anyKeys?: boolean;
  /** The body may be as large as a seed. */
  readonly large?: boolean;
  /** It makes so much that it does not begin while memory is short. */
  readonly heavy?: boolean;
  /** 200 unless given. */
  readonly status?: 200 | 201;
  readonly response: ContractSchema<T>;
  /** Media type of the response; JSON unless given. */
  readonly type?: string;
  /** Statuses of errors beside 400 and 401, and 413 and 415 of a body, which follow by themselves. */
  readonly errors?: readonly (403 | 404 | 409 | 422 | 507)[];
}

/** A row of the control API's table. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As Express writes it. */
  readonly path: string;
  readonly contract: CallContract<BodyShape, BodyShape, unknown>;
  /** Null: there is no body. */
  readonly bodySchema: ContractSchema<unknown> | null;
  /** @throws ControlRejection */
  run(
    context: ControlContext,
    id: string,
    query: JsonObject,
    body: JsonObject,
  ): ControlResponse | Promise<ControlResponse>;
}

type None = Record<never, never>;

/** Declares a row of the table, such as `GET /faults`; its handler sees what its shapes read, and returns what its schema says. */
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
