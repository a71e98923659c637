import type { TextPattern } from '../values/index.js';
import type { Content, ContentVariant } from '../program/index.js';
import type { BodyContent } from './invocation.js';

/** The media type of a body of server-sent events. */
export const EVENT_STREAM: BodyContent = { type: 'text/event-stream; charset=utf-8', binary: false };

/** Returns the headers of a body that isn't JSON. */
export function contentHeaders({ type }: BodyContent): Record<string, string> {
  return type === EVENT_STREAM.type ? { 'Content-Type': type, 'Cache-Control': 'no-cache' } : { 'Content-Type': type };
}

/**
 * Selects the variant of the content that replaces JSON; null if none applies.
 * @param accepts media ranges that the caller accepts, the best first
 * @param holds evaluates the condition of a variant
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
 * Whether a caller accepts a media type that the operation returns.
 * @param usual media type of the JSON response
 * @param known other media types for which JSON is returned
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
        // A condition decides at run time whether a variant applies, so it may fit any media range.
        variant.accept === null
          ? variant.type !== null && covers(range, variant.type)
          : fits(variant, range, content.usual),
      ) === true,
  );
}

/**
 * Returns the first media type in the Accept header that the vendor documents and the operation doesn't return; null if there
 * is none, or if the header names a type that the operation returns before that.
 * @param documented returns the documented type for a media range
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

/** Returns a media type without its parameters. */
function plain(type: string): string {
  return type.split(';')[0].trim();
}

const JSON_TYPE = 'application/json';

const ANYTHING = ['*/*'];

/** Whether a media range selects a variant. A range with a wildcard that also covers the usual type selects none. */
function fits({ accept, type }: ContentVariant, range: string, usual: string): boolean {
  if (accept === null) return true;
  if (!range.includes('*')) return accept.test(range);
  return type !== null && !covers(range, usual) && covers(range, type);
}

/** Whether a media range (RFC 9110, 12.5.1) covers a type; every `+json` type counts as JSON. */
function covers(range: string, type: string): boolean {
  const [main] = range.split('/');
  if (range === '*/*' || (range.endsWith('/*') && type.startsWith(`${main}/`))) return true;
  return range === type || (type === 'application/json' && range.endsWith('+json'));
}
