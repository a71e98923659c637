const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Whether a text may be the name of a header (RFC 9110, 5.1). */
export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}
