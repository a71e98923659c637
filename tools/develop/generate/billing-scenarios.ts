import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { installation } from '../../command/installation.js';

export const FOLDER = `${installation()}/test/packs/payments/billing/scenarios`;

/** Values in which `$name.path` stands for what an earlier step returned, and `@2025-01-31T10:00:00Z` for Unix seconds. */
export type StepParams = Readonly<Record<string, unknown>>;

/** A step, and its expected effects. */
export interface ScenarioStep {
  /** A method of the official client, such as `subscriptions.create`. */
  readonly call?: string;
  /** The object (or objects) whose id comes first. */
  readonly id?: string | readonly string[];
  readonly with?: StepParams;
  /** The name that later steps use for the response. */
  readonly as?: string;
  /** A move of the clock: a duration, or an instant. */
  readonly move?: string;
  /** A world event, with its parameters in `with`. */
  readonly cause?: string;
  /** A pin of a subscription. */
  readonly pin?: { readonly id: string; readonly path: string; readonly value: unknown };
  /** Members that the response must have. */
  readonly then?: unknown;
  /** Members that the error must have; the call must fail. */
  readonly fails?: unknown;
  /** Statuses of named subscriptions that are new. */
  readonly statuses?: Readonly<Record<string, string>>;
  /** `<time> <types>` for each moment at which events were sent. */
  readonly events?: readonly string[];
}

/** An invoice as the end of a scenario shows it. */
export interface InvoiceSummary {
  readonly reason: string | null;
  readonly status: string | null;
  readonly total: number;
  /** Only if it differs from the total. */
  readonly due?: number;
  readonly paid?: number;
  readonly discount?: number;
  readonly tax?: number;
  readonly lines: readonly (readonly [number, string | null])[];
}

export interface BillingScenario {
  readonly name: string;
  /** What the scenario is for, and the source of the rule. */
  readonly about?: string;
  /** Start of the world; 1 January 2025 by default. */
  readonly start?: string;
  readonly given?: {
    /** The test card of the customer, who is called `customer`; null: none. */
    readonly card?: string | null;
    readonly customer?: StepParams;
    /** Monthly prices in US cents of products of that name, or whole parameters. */
    readonly prices?: Readonly<Record<string, number | StepParams>>;
    readonly coupons?: Readonly<Record<string, StepParams>>;
    readonly taxes?: Readonly<Record<string, StepParams>>;
  };
  readonly steps: readonly ScenarioStep[];
  /** Every invoice of the world at the end, oldest first. */
  readonly invoices?: readonly InvoiceSummary[];
}

export interface Chapter {
  readonly title: string;
  readonly file: string;
  readonly scenarios: readonly BillingScenario[];
}

/** The table of scenarios: one file a chapter. */
export function chapters(): readonly Chapter[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => ({ file, ...(parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Omit<Chapter, 'file'>) }));
}
