import { DeliveryFaults } from './delivery-faults.js';
import { Faults } from './faults.js';
import type { IdempotencyRecord } from './idempotency.js';
import { Pins } from './pins.js';
import type { RateCount } from './rate.js';
import { Register } from './register.js';

/** What a reset may leave as it is. */
export type RetentionKind = 'durations';

/** What a world holds beside its objects: what tests decided, and what is remembered of calls. */
export abstract class ControlData {
  pins: Pins;
  faults = new Faults('faults');
  deliveryFaults = new DeliveryFaults('delivery_faults');
  /** Waits in milliseconds that a test decided; Infinity: it never ends. */
  durations = new Register<number>('durations');
  idempotency = new Register<IdempotencyRecord>('idempotency');
  /** Where the clocks of time owners are, in milliseconds. */
  clocks = new Register<number>('clocks');
  /** The last number of each sequence, also where its object is gone. */
  sequences = new Register<number>('sequences');
  /** What is remembered of calls that limits count. */
  rates = new Register<RateCount>('rate_limits');

  /** @param names those of the collections, by the numbers of their resources */
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
