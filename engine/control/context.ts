import type { Request, Response } from 'express';
import type { JsonObject } from '../values/index.js';
import type { ClockControl, Engine } from '../runtime/index.js';
import type { Exchanges } from '../http/index.js';
import type { LiveStreams } from './live.js';
import type { LedgerHeader } from '../world/index.js';
import type { WorldDirectory } from './worlds.js';
import { type ReadValue, readShape, type BodyShape } from './shape.js';

/** A delivery of an event, as the outbox shows it: `event` is the event's id, `type` its name. */
export interface DeliveryReport {
  readonly id: string;
  readonly event: string;
  readonly type: string;
  readonly endpoint: string;
  readonly url: string | null;
  readonly status: string;
  readonly attempts: readonly unknown[];
}

/** What the control API wants of the outbox. */
export interface Deliveries {
  list(filter: {
    readonly endpoint?: string;
    readonly event?: string;
    readonly limit?: number;
  }): readonly DeliveryReport[];
  find(id: string): DeliveryReport | undefined;
  replay(deliveryId: string): Promise<DeliveryReport | undefined>;
  /** Sends what faults held that are cleared now. */
  letGo(): void;
  /** @returns how many attempts are still under way when it has waited long enough */
  flush(): Promise<number>;
}

/** What a world begins with, and goes back to when it is reset: a body of `POST /seed`; null: nothing. */
export interface Beginning {
  seeds: JsonObject | null;
}

/** What the control API is about. */
export interface ControlContext {
  readonly engine: Engine;
  readonly outbox: Deliveries | null;
  readonly clock: ClockControl;
  readonly beginning?: Beginning;
  /** What the world's ledger belongs to. */
  readonly header: LedgerHeader;
  readonly pack: {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly faithfulTo: string;
    readonly hosts?: readonly string[];
  };
  /** Compares the key of a call with the world's. */
  readonly guard: { check(authorization: string | undefined): { readonly ok: boolean } };
  /** Whoever looks on. */
  readonly live: LiveStreams;
  /** What the newest calls of the vendor's API brought and got. */
  readonly exchanges: Exchanges;
  /** The worlds of the server; only its first world knows them. */
  readonly worlds?: WorldDirectory;
  /** Most bytes of a body; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /** Most bytes of a seed; 64 MiB unless given. */
  readonly maxSeedBytes?: number;
}

/** What a call of the control API answers. */
export type ControlAnswer = { readonly status?: 200 | 201 } & (
  | { readonly body: unknown }
  | { readonly chunks: Iterable<string> }
  /** Something else than JSON. */
  | { readonly text: string; readonly type: string }
  /** Whoever answers goes on answering as things happen. */
  | { readonly stream: (req: Request, res: Response) => void }
);

/** A call, read and checked. */
export interface ControlCall<B extends BodyShape, Q extends BodyShape> {
  /** The name in the path. */
  readonly id: string;
  readonly query: ReadValue<Q>;
  readonly body: ReadValue<B>;
  /** The whole body, for calls with keys of their own. */
  readonly given: JsonObject;
  /** What the ledger tells of the call. */
  readonly why: JsonObject;
}

/** A row of the control API's table. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As Express writes it. */
  readonly path: string;
  readonly query: BodyShape;
  /** Null: any keys, checked by the handler. */
  readonly body: BodyShape | null;
  /** The body may be as large as a seed. */
  readonly large: boolean;
  /** @throws Refusal */
  run(id: string, query: JsonObject, body: JsonObject): ControlAnswer | Promise<ControlAnswer>;
}

type None = Record<never, never>;

/** Declares a row of the table, such as `GET /faults`; its handler sees what its shapes read. */
export function route<B extends BodyShape = None, Q extends BodyShape = None>(
  line: `${'GET' | 'POST' | 'DELETE'} /${string}`,
  shapes: { readonly body?: B; readonly query?: Q; readonly anyKeys?: boolean; readonly large?: boolean },
  run: (call: ControlCall<B, Q>) => ControlAnswer | Promise<ControlAnswer>,
): ControlRoute {
  const [method, path] = line.split(' ') as [ControlRoute['method'], string];
  const query = shapes.query ?? ({} as Q);
  const body = shapes.body ?? ({} as B);
  return {
    method,
    path,
    query,
    body: shapes.anyKeys ? null : body,
    large: shapes.large ?? false,
    run: (id, asked, given) =>
      run({
        id,
        query: readShape(query, asked),
        body: readShape(body, shapes.anyKeys ? {} : given),
        given,
        why: { route: id === '' ? line : line.replace(':id', id), ...(shapes.large ? {} : { body: given }) },
      }),
  };
}
