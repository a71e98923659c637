/** A delivery of an event, as the outbox shows it: `event` is the event's id, `type` its name. */
export interface DeliveryReport {
  readonly id: string;
  readonly event: string;
  readonly type: string;
  readonly endpoint: string;
  readonly url: string | null;
  readonly status: 'pending' | 'delivered' | 'failed' | 'recorded';
  readonly attempts: readonly object[];
}

/** What the control API uses of the outbox. */
export interface Deliveries {
  list(filter: {
    readonly endpoint?: string;
    readonly event?: string;
    readonly limit?: number;
  }): readonly DeliveryReport[];
  find(id: string): DeliveryReport | undefined;
  replay(deliveryId: string): Promise<DeliveryReport | undefined>;
  /** Sends what faults held that are cleared now. */
  sendUnblocked(): void;
  /** @returns how many attempts are still in flight when it has waited long enough */
  flush(): Promise<number>;
}
