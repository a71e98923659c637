/** Members of a form, those inside others in brackets. */
export function formOf(body: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  const add = (key: string, value: unknown): void => {
    if (value !== null && typeof value === 'object')
      for (const [inner, item] of Object.entries(value)) add(`${key}[${inner}]`, item);
    else if (value !== undefined) pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(value ?? ''))}`);
  };
  for (const [key, value] of Object.entries(body)) add(key, value);
  return pairs.join('&');
}
