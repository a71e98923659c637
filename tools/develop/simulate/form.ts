/** Percent-encodes a text, without unpaired surrogates. */
export function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'));
}

/** Encodes members as a form, with nested ones in brackets. */
export function formOf(body: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  const add = (key: string, value: unknown): void => {
    if (value !== null && typeof value === 'object')
      for (const [inner, item] of Object.entries(value)) add(`${key}[${inner}]`, item);
    else if (value !== undefined) pairs.push(`${encode(key)}=${encode(String(value ?? ''))}`);
  };
  for (const [key, value] of Object.entries(body)) add(key, value);
  return pairs.join('&');
}
