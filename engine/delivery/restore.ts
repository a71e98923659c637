import { type Json, type JsonObject, member, toText } from '../values/index.js';
import { type Holder } from '../expression/index.js';
import { type JournalRecord, Row } from '../world/index.js';
import { type Delivery, recordOutcome, NOTHING_KNOWN } from './delivery.js';

/** Functions that restoring deliveries needs from the world. */
interface RestoredFrom {
  /** Number of the resource of the endpoint with an id. */
  readonly resourceOf: (id: string) => number;
  /** Finds the world's event with this value; else returns the value itself as an event. */
  readonly eventOf: (value: JsonObject) => Holder;
  /** Formats simulated time. */
  readonly instant: (ms: number) => Json;
}

/** The deliveries of a journal, oldest first, in their state at its end. */
export function deliveriesOf(journal: readonly JournalRecord[], surroundings: RestoredFrom): Delivery[] {
  const deliveries = new Map<string, Delivery>();
  const news = new Set<Delivery>();
  const gaveUp = new Set<Delivery>();
  for (const record of journal) {
    switch (record.kind) {
      case 'delivery':
        deliveries.set(record.id, made(record, deliveries.size + 1, surroundings));
        break;
      case 'attempt': {
        const delivery = deliveries.get(record.delivery);
        if (!delivery) break;
        delivery.attempts.push(record.attempt);
        delivery.status = record.status;
        delivery.url = record.url;
        delivery.body = record.body;
        delivery.message = record.message;
        delivery.tries = record.tries;
        delivery.due = record.due;
        delivery.gaveUp = record.gaveUp;
        news.add(delivery);
        if (record.gaveUp) gaveUp.add(delivery);
        break;
      }
      case 'dropped': {
        const delivery = deliveries.get(record.delivery);
        if (!delivery) break;
        delivery.status = 'failed';
        delivery.due = null;
        news.add(delivery);
        break;
      }
      case 'learned':
        for (const delivery of news) {
          if (record.delivery !== null && record.delivery !== delivery.id) continue;
          recordOutcome(delivery, surroundings.instant);
          news.delete(delivery);
        }
        if (record.delivery !== null) break;
        // The steps for failed deliveries ran before the journal recorded the outcomes, so they must not run again.
        for (const delivery of gaveUp) delivery.gaveUp = false;
        gaveUp.clear();
        break;
      case 'reset':
        deliveries.clear();
        news.clear();
        gaveUp.clear();
        break;
      case 'trace':
      case 'moment':
        break;
    }
  }
  return [...deliveries.values()];
}

function made(
  record: Extract<JournalRecord, { kind: 'delivery' }>,
  number: number,
  { resourceOf, eventOf }: RestoredFrom,
): Delivery {
  const { id, event, type, endpoint, transport, addressed, made, due = made, fault = null } = record;
  return {
    id,
    event: eventOf(event),
    eventId: toText(member(event, 'id')),
    type,
    transport,
    addressed,
    made,
    number,
    attempts: [],
    endpoint: new Row({ resource: resourceOf(endpoint.id), tenant: null }, endpoint.id, 0, 0, endpoint.value),
    url: null,
    status: 'pending',
    body: null,
    message: null,
    tries: 0,
    due,
    fault,
    gaveUp: false,
    inFlight: 0,
    known: NOTHING_KNOWN,
  };
}
