/** A delivery of an event, as the outbox reports it: `event` is the event's id, `type` its name. */
export interface DeliveryReport {
  readonly id: string;
  readonly event: string;
  readonly type: string;
  readonly endpoint: string;
  readonly url: string | null;
  readonly status: 'pending' | 'delivered' | 'failed' | 'recorded';
  readonly attempts: readonly object[];
}

/** The parts of the outbox that the control API uses. */
export interface Deliveries {
  list(filter: {
    readonly endpoint?: string;
    readonly event?: string;
    readonly limit?: number;
  }): readonly DeliveryReport[];
  find(id: string): DeliveryReport | undefined;
  replay(deliveryId: string): Promise<DeliveryReport | undefined>;
  /** Sends deliveries that were blocked by faults which are now cleared. */
  sendUnblocked(): void;
  /** Attempts all due deliveries. @returns the number of attempts still in flight when the time limit ended */
  flush(): Promise<number>;
}
