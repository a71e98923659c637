import { isObject, type Json, toText } from '../values/index.js';

/** What an event may consist of. */
const FIELDS: ReadonlySet<string> = new Set(['event', 'id', 'data']);

/**
 * A server-sent event as it goes over the wire (HTML, 9.2).
 * @param event its data, or `{event, id, data}`; data that are no text are written as JSON
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

/** Events one after another, as text. */
export function eventTexts(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n\n)/);
}

/** What ends a line of a stream. */
const LINE_END = /\r\n|\r|\n/;

function oneLine(text: string): string {
  return text.split(LINE_END).join(' ');
}
