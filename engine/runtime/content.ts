import type { TextPattern } from '../values/index.js';
import type { Content, ContentVariant } from '../program/index.js';
import type { BodyContent } from './invocation.js';

/** What a body is that goes out event by event. */
export const EVENT_STREAM: BodyContent = { type: 'text/event-stream; charset=utf-8', binary: false };

/** Headers that a body brings which is not the usual JSON. */
export function contentHeaders({ type }: BodyContent): Record<string, string> {
  return type === EVENT_STREAM.type ? { 'Content-Type': type, 'Cache-Control': 'no-cache' } : { 'Content-Type': type };
}

/**
 * What goes out instead of the usual JSON; null: nothing, the usual JSON does.
 * @param accepts media ranges that the caller accepts, the best first
 * @param holds whether the condition of a variant is true
 */
export function variantOf(
  { variants, usual }: Content,
  accepts: readonly string[],
  holds: (variant: ContentVariant) => boolean,
): ContentVariant | null {
  const plain = variants.find(({ accept, when }) => accept === null && when === null) ?? null;
  for (const range of accepts.length === 0 ? ANYTHING : accepts) {
    for (const variant of variants)
      if (variant !== plain && fits(variant, range, usual) && holds(variant)) return variant;
    if (covers(range, usual)) return plain;
  }
  return plain;
}

/**
 * Whether a call may have what its operation returns.
 * @param usual the type of the usual JSON
 * @param known other types that get it
 * @param accepts media ranges that the caller accepts
 */
export function isAcceptable(
  content: Content | null,
  usual: string,
  known: readonly TextPattern[],
  accepts: readonly string[],
): boolean {
  return accepts.some(
    (range) =>
      covers(range, content?.usual ?? usual) ||
      known.some((each) => each.test(range)) ||
      content?.variants.some((variant) =>
        // One with a condition may be what goes out, whatever was asked for.
        variant.accept === null
          ? variant.type !== null && covers(range, variant.type)
          : fits(variant, range, content.usual),
      ) === true,
  );
}

/**
 * The first type that a call asks for and the vendor documents, unless the operation returns it or something else comes first; null: none.
 * @param documented the documented type that a media range names
 * @param known types that get the usual JSON
 */
export function missingType(
  content: Content | null,
  known: readonly TextPattern[],
  accepts: readonly string[],
  documented: (range: string) => string | null,
): string | null {
  for (const range of accepts) {
    const isServed =
      content?.variants.some(({ accept, type }) =>
        accept === null ? type !== null && covers(range, plain(type)) : accept.test(range),
      ) === true;
    if (isServed || known.some((each) => each.test(range))) return null;
    if (documented(range) !== null) return range;
    if (range.includes('*') || covers(range, content?.usual ?? JSON_TYPE)) return null;
  }
  return null;
}

/** A media type without its parameters. */
function plain(type: string): string {
  return type.split(';')[0].trim();
}

const JSON_TYPE = 'application/json';

const ANYTHING = ['*/*'];

/** Whether a variant is what a media range asks for. What covers the usual body too does not ask for another. */
function fits({ accept, type }: ContentVariant, range: string, usual: string): boolean {
  if (accept === null) return true;
  if (!range.includes('*')) return accept.test(range);
  return type !== null && !covers(range, usual) && covers(range, type);
}

/** Whether a media range (RFC 9110, 12.5.1) covers a type; every `+json` covers JSON. */
function covers(range: string, type: string): boolean {
  const [main] = range.split('/');
  if (range === '*/*' || (range.endsWith('/*') && type.startsWith(`${main}/`))) return true;
  return range === type || (type === 'application/json' && range.endsWith('+json'));
}
