import type { Json } from '../../engine/values/index.js';
import { listOr, type Node, textOr } from './document.js';
import { schemaTypeName } from './types.js';

/** The time of generated examples, as a pack returns it. */
export const SAMPLE_TIME = '2025-01-01T00:00:00.000Z';
const SAMPLE_SECONDS = 1_735_689_600;

const CREATED = /creat|added|inserted|^date$|^time(?:stamp)?$/i;
const CHANGED = /updat|modif|chang/i;
const TIME =
  /(?:_at|[a-z]At|_on|_date|[a-z]Date|_time|[a-z]Time|_?utc|[a-z]UTC)$|^(?:created|updated|modified|date|timestamp)$/i;

/** A time field: `made` and `changed` are set by the engine; the name of `other` doesn't show when it is set. */
interface TimeField {
  readonly moment: 'made' | 'changed' | 'other';
  readonly type: 'timestamp' | 'string' | 'integer';
  /** A template of the current simulated time in the documented format. */
  readonly now: string;
  readonly sample: Json;
}

/** Recognises a time field by its name, type and examples. */
export function timeField(name: string, schema: Node, shown: Json | undefined): TimeField | undefined {
  const isTime = schema['format'] === 'date-time';
  if (!isTime && !TIME.test(name)) return undefined;
  const moment = CHANGED.test(name) ? 'changed' : CREATED.test(name) && TIME.test(name) ? 'made' : 'other';
  const example = [shown, schema['example'], listOr(schema['examples'])[0], schema['default']].find((each) =>
    ['string', 'number'].includes(typeof each),
  );
  const kind = schemaTypeName(schema);
  if (kind === 'integer' || (kind === 'number' && typeof example === 'number' && example > 1e9)) {
    if (typeof example === 'number' && example < 1e9) return undefined;
    const isFine = typeof example === 'number' && example > 1e12;
    return {
      moment,
      type: 'integer',
      now: isFine ? '${unix(now) * 1000}' : '${unix(now)}',
      sample: isFine ? SAMPLE_SECONDS * 1000 : SAMPLE_SECONDS,
    };
  }
  if (schemaTypeName(schema) !== 'string' || listOr(schema['enum']).length > 0) return undefined;
  if (isTime) return { moment, ...ISO };
  // Without examples, ISO 8601 is assumed, as most vendors use it.
  const isPlain = example === undefined && moment !== 'other' && /_at$|At$|^(?:created|updated)$/.test(name);
  const form = schema['format'] === 'date' ? DATE : isPlain ? ISO : formOf(textOr(example));
  return form && { moment, ...form };
}

type Form = Omit<TimeField, 'moment'>;
const ISO: Form = { type: 'timestamp', now: '${now}', sample: SAMPLE_TIME };
const DATE: Form = { type: 'string', now: "${format_time(now, 'YYYY-MM-DD')}", sample: '2025-01-01' };

/** The format of a time; undefined for other texts. */
function formOf(text: string): Form | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$/.test(text)) return ISO;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return DATE;
  const [, fraction, zone = ''] =
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( ?(?:Z|UTC|[+-]00(?::?00)?))?$/.exec(text) ?? [];
  if (/^\d{4}-\d\d-\d\d \d/.test(text)) {
    const digits = fraction === undefined ? '' : `.${'0'.repeat(fraction.length - 1)}`;
    return {
      type: 'string',
      now: `\${format_time(now, 'YYYY-MM-DD HH:mm:ss') + '${digits}${zone}'}`,
      sample: `2025-01-01 00:00:00${digits}${zone}`,
    };
  }
  if (/^\/Date\(\d+(?:\+0000)?\)\/$/.test(text)) {
    const end = text.includes('+') ? '+0000)/' : ')/';
    return { type: 'string', now: `/Date(\${unix(now) * 1000}${end}`, sample: `/Date(${SAMPLE_SECONDS}000${end}` };
  }
  if (/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+]0000$/.test(text))
    return {
      type: 'string',
      now: "${format_time(now, 'ddd, DD MMM YYYY HH:mm:ss') + ' +0000'}",
      sample: 'Wed, 01 Jan 2025 00:00:00 +0000',
    };
  return undefined;
}

/** Replaces creation times in an example with templates of simulated time. @param value a template */
export function withTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([name, each]) => {
      const type = typeof each === 'number' ? 'number' : typeof each === 'string' ? 'string' : undefined;
      const time = type === undefined ? undefined : timeField(name, { type }, each);
      return [name, time === undefined || time.moment === 'other' ? withTimes(each) : time.now];
    }),
  );
}
