const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** Whether a text may be the name of a header (RFC 9110, 5.1). */
export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}

/** A text as the value of a header: what cannot stand there (line ends, other alphabets) becomes a question mark. */
export function headerText(text: string): string {
  return text.replace(UNSENDABLE, '?');
}
