import type { RenderedError } from '../model/index.js';
import type { Provenance, Row, StoodBack, TraceSubject } from '../world/index.js';
import { stoodBack } from './pins.js';
import type { BodyContent } from './invocation.js';
import type { UnitOfWork, Transition } from './unit-of-work.js';
import type { OperationResult } from '../program/index.js';

/** What a command did, beside its response. */
export interface Effects {
  readonly events: readonly Row[];
  readonly transitions: readonly Transition[];
  readonly magicValues: readonly string[];
  readonly stoodBack: readonly StoodBack[];
  readonly subjects: readonly TraceSubject[];
  readonly decided: readonly Provenance[];
}

/** The events of a stream that stays open, as of now. */
export interface StreamState {
  /** All of them, as they go over the wire, those that went out already included. */
  readonly text: string;
  /** No more will come. */
  readonly isOver: boolean;
}

/** The response to a call. `body` undefined: none. */
export interface OperationResponse extends Effects {
  readonly status: number;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What the body is; null: the usual JSON, or none. */
  readonly content: BodyContent | null;
  /** Computes the events of a stream that stays open anew; null: it ends behind those of `body`. */
  readonly follow?: (() => StreamState) | null;
  /** Id of the object that is answered. */
  readonly self?: string | null;
  /** The catalogue's name of the error, null for success. */
  readonly error: string | null;
  /** The operation ran (its parameters were fine); an error came from what it does. */
  readonly executed: boolean;
  /** The clock advances to this time (ms) before the response goes out; `body` is written anew then. */
  readonly advance: { readonly to: number; readonly of: string | null; readonly body: () => string } | null;
}

export const NO_EFFECTS: Effects = {
  events: [],
  transitions: [],
  magicValues: [],
  stoodBack: [],
  subjects: [],
  decided: [],
};

/** An error as the status, text and headers of a response. */
export function written(rendered: RenderedError): {
  status: number;
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
} {
  return {
    status: rendered.status,
    body: rendered.body === undefined ? undefined : JSON.stringify(rendered.body),
    headers: rendered.headers,
  };
}

/** What a command did, and the objects that its response tells of. */
export function effects(command: UnitOfWork, result: OperationResult | null): Effects {
  let rows: readonly Row[] = result?.kind === 'row' ? [result.row] : result?.kind === 'page' ? result.page.rows : [];
  if (command.exogenous.length > 0)
    rows = [...new Set([...rows, ...command.exogenous.flatMap(({ row }) => (row === null ? [] : [row]))])];
  const { resources } = command.runtime;
  // Of a page whose objects hold nothing from outside, the first stands for all: thousands of traces keep what they tell of.
  const shown = rows.filter(
    ({ resource, provenance }, at) => at === 0 || provenance !== null || resources[resource].pins.length > 0,
  );
  return {
    events: command.events,
    transitions: command.transitions,
    magicValues: command.magicValues,
    stoodBack: stoodBack(command, rows),
    subjects: shown.map((row) => ({ resource: row.resource, value: row.value, provenance: row.provenance })),
    decided: command.exogenous.filter(({ row }) => row === null).map(({ value }) => value),
  };
}
