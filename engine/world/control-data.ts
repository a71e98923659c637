import { DeliveryFaults } from './delivery-faults.js';
import { Faults } from './faults.js';
import type { IdempotencyRecord } from './idempotency.js';
import { Pins } from './pins.js';
import type { RateCount } from './rate.js';
import { Register } from './register.js';

/** Control data that a reset may keep. */
export type RetentionKind = 'durations';

/** A world's data besides objects: overrides by tests, and records of calls. */
export abstract class ControlData {
  pins: Pins;
  faults = new Faults('faults');
  deliveryFaults = new DeliveryFaults('delivery_faults');
  /** Overridden waits in milliseconds; Infinity: never ends. */
  durations = new Register<number>('durations');
  idempotency = new Register<IdempotencyRecord>('idempotency');
  /** Times of the clocks of time owners, in milliseconds. */
  clocks = new Register<number>('clocks');
  /** The last number of each sequence, even if its object was deleted. */
  sequences = new Register<number>('sequences');
  /** Counts of calls for rate limits. */
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
