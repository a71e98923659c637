import { DeliveryFaults } from './delivery-faults.js';
import { Faults } from './faults.js';
import { Pins } from './pins.js';
import type { RateCount } from './rate.js';
import { Register } from './register.js';

/** The response to a call with an idempotency key, which later calls with the key get. */
export interface IdempotencyRecord {
  /** Id of the request that ran the operation. */
  readonly request: string | null;
  readonly fingerprint: string;
  readonly route: string;
  readonly status: number;
  readonly body: string;
  /** Media type of the stored body, if it isn't JSON. */
  readonly content?: { readonly type: string; readonly binary: boolean };
  /** Simulated time of the response, in milliseconds. */
  readonly at: number;
}

/** Kinds of control data that a reset can keep. */
export type RetentionKind = 'durations';

/** A world's data besides objects: what tests set (pins, faults, durations), and counts and records of calls. */
export abstract class ControlData {
  pins: Pins;
  faults = new Faults('faults');
  deliveryFaults = new DeliveryFaults('delivery_faults');
  /** Lengths of named durations that tests override, in milliseconds; Infinity: the duration never ends. */
  durations = new Register<number>('durations');
  idempotency = new Register<IdempotencyRecord>('idempotency');
  /** Current times of time owners' clocks, in milliseconds of simulated time, by the clock's name. */
  clocks = new Register<number>('clocks');
  /** The highest number that each sequence has given, even if the numbered object was deleted since. */
  sequences = new Register<number>('sequences');
  /** Counts of calls for rate limits, by limit and caller. */
  rates = new Register<RateCount>('rate_limits');

  /** @param names names of the collections, by resource number */
  constructor(protected readonly names: readonly string[]) {
    this.pins = new Pins(names);
  }

  get registers(): readonly Register<unknown>[] {
    const { pins, faults, durations, idempotency, deliveryFaults, rates, clocks, sequences } = this;
    return [pins, faults, durations, idempotency, deliveryFaults, rates, clocks, sequences];
  }

  protected emptyRegisters(keep: readonly string[]): void {
    this.pins = new Pins(this.names);
    this.faults = new Faults('faults');
    this.deliveryFaults = new DeliveryFaults('delivery_faults');
    if (!keep.includes('durations')) this.durations = new Register<number>('durations');
    this.idempotency = new Register<IdempotencyRecord>('idempotency');
    this.rates = new Register<RateCount>('rate_limits');
    this.clocks = new Register<number>('clocks');
    this.sequences = new Register<number>('sequences');
  }
}
