import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { installation } from '../../command/installation.js';

export const FOLDER = `${installation()}/test/packs/payments/billing/scenarios`;

/** Parameters in which `$name.path` refers to an earlier response, and `@2025-01-31T10:00:00Z` is converted to Unix seconds. */
export type StepParams = Readonly<Record<string, unknown>>;

/** A step of a scenario: a call, an advance of the clock, an external event or an override, and the expected effects. */
export interface ScenarioStep {
  /** A method of the official client, such as `subscriptions.create`. */
  readonly call?: string;
  /** The object (or objects) whose ids are the first argument. */
  readonly id?: string | readonly string[];
  readonly with?: StepParams;
  /** Name by which later steps refer to the response. */
  readonly as?: string;
  /** Duration by which, or instant to which, the step advances the clock. */
  readonly move?: string;
  /** Name of the external event that the step triggers; `with` contains its parameters. */
  readonly cause?: string;
  /** Override of a subscription's field that the step sets. */
  readonly pin?: { readonly id: string; readonly path: string; readonly value: unknown };
  /** Members that the response must have. */
  readonly then?: unknown;
  /** Members that the error must have; the call must fail. */
  readonly fails?: unknown;
  /** Statuses of named subscriptions that have changed. */
  readonly statuses?: Readonly<Record<string, string>>;
  /** `<time> <types>` for each moment at which events were emitted. */
  readonly events?: readonly string[];
}

/** An invoice in the final state of a scenario. */
export interface InvoiceSummary {
  readonly reason: string | null;
  readonly status: string | null;
  readonly total: number;
  /** Amount due, if it differs from the total. */
  readonly due?: number;
  readonly paid?: number;
  readonly discount?: number;
  readonly tax?: number;
  readonly lines: readonly (readonly [number, string | null])[];
}

export interface BillingScenario {
  readonly name: string;
  /** The scenario's purpose, and the source of the rule. */
  readonly about?: string;
  /** Start of the world; 1 January 2025 by default. */
  readonly start?: string;
  readonly given?: {
    /** The test card of the customer named `customer`; null for none. */
    readonly card?: string | null;
    readonly customer?: StepParams;
    /** Products with a monthly price in US cents, or with whole price parameters. */
    readonly prices?: Readonly<Record<string, number | StepParams>>;
    readonly coupons?: Readonly<Record<string, StepParams>>;
    readonly taxes?: Readonly<Record<string, StepParams>>;
  };
  readonly steps: readonly ScenarioStep[];
  /** All final invoices, oldest first. */
  readonly invoices?: readonly InvoiceSummary[];
}

export interface Chapter {
  readonly title: string;
  readonly file: string;
  readonly scenarios: readonly BillingScenario[];
}

/** Reads the table of scenarios, one file per chapter. */
export function chapters(): readonly Chapter[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => ({ file, ...(parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Omit<Chapter, 'file'>) }));
}
