const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Whether a text is a valid header name (RFC 9110, 5.1). */
export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}
