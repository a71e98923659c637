import { isObject, type Json, toText } from '../values/index.js';

/** The members by which a map describes an event; a map with other members is the event's data. */
const FIELDS: ReadonlySet<string> = new Set(['event', 'id', 'data']);

/**
 * Encodes a server-sent event (HTML, 9.2).
 * @param event its data, or `{event, id, data}`; data other than text are written as JSON
 */
export function eventText(event: Json): string {
  const isNamed = isObject(event) && Object.hasOwn(event, 'data') && Object.keys(event).every((key) => FIELDS.has(key));
  const { event: name, id, data } = isNamed ? event : { event: null, id: null, data: event };
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
  return [
    ...(name == null ? [] : [`event: ${oneLine(toText(name))}`]),
    ...(id == null ? [] : [`id: ${oneLine(toText(id))}`]),
    ...text.split(LINE_END).map((line) => `data: ${line}`),
    '\n',
  ].join('\n');
}

/** Splits a stream's text into events. */
export function eventTexts(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n\n)/);
}

/** Line ends in a stream of server-sent events. */
const LINE_END = /\r\n|\r|\n/;

function oneLine(text: string): string {
  return text.split(LINE_END).join(' ');
}
