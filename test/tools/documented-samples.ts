/**
 * Answers as documentation shows them: JSON in which `...` stands for what is left out. Among members or items it stands
 * for more of them, as a value for any value, inside a text for any characters.
 */
export type Sample =
  | { readonly kind: 'any' }
  | { readonly kind: 'exactly'; readonly value: unknown }
  | { readonly kind: 'text'; readonly shown: string }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Sample>; readonly open: boolean }
  | { readonly kind: 'list'; readonly items: readonly Sample[]; readonly open: boolean };

/** Reads the samples that stand one after another in a text. */
export function parseSamples(text: string): Sample[] {
  const reader = new Reader(text);
  const samples: Sample[] = [];
  while (!reader.atEnd) samples.push(reader.value());
  return samples;
}

/** Reads the JSON values that stand one after another in a text, with or without space between them. */
export function parseValues(text: string): unknown[] {
  const values: unknown[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token.startsWith('"')) continue;
    depth += token === '{' || token === '[' ? 1 : -1;
    if (depth > 0) continue;
    values.push(JSON.parse(text.slice(start, index + 1)));
    start = index + 1;
  }
  if (text.slice(start).trim() !== '') throw new Error(`not JSON: ${text.slice(start).trim()}`);
  return values;
}

/** Where and how a value differs from a sample; undefined when it fits. */
export function difference(sample: Sample, value: unknown, path = 'answer'): string | undefined {
  const wrong = (wanted: string): string => `${path} is ${JSON.stringify(value)}, not ${wanted}`;
  switch (sample.kind) {
    case 'any':
      return value === undefined ? `${path} is missing` : undefined;
    case 'exactly':
      return value === sample.value ? undefined : wrong(JSON.stringify(sample.value));
    case 'text':
      return typeof value === 'string' && glob(sample.shown).test(value) ? undefined : wrong(`"${sample.shown}"`);
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object');
      const extra = sample.open ? undefined : Object.keys(value).find((key) => !sample.members.has(key));
      if (extra !== undefined) return `${path}.${extra} is not shown`;
      return firstOf([...sample.members], ([key, each]) => difference(each, Reflect.get(value, key), `${path}.${key}`));
    }
    case 'list':
      return Array.isArray(value) ? listDifference(sample, value, path) : wrong('a list');
  }
}

function listDifference(
  { items, open }: Sample & { kind: 'list' },
  values: readonly unknown[],
  path: string,
): string | undefined {
  if (!open) {
    if (values.length !== items.length) return `${path} has ${values.length} items, not ${items.length}`;
    return firstOf([...items.entries()], ([index, each]) => difference(each, values[index], `${path}[${index}]`));
  }
  let from = 0;
  return firstOf([...items.entries()], ([index, each]) => {
    const at = values.findIndex((value, i) => i >= from && difference(each, value) === undefined);
    from = at + 1;
    return at < 0 ? `${path} has nothing like item ${index} of the sample: ${JSON.stringify(values)}` : undefined;
  });
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A pattern for a text as documentation shows it: `...` for any characters, and columns of a table as wide as they are. */
export function glob(shown: string): RegExp {
  return new RegExp(
    `^${shown
      .split('...')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' {2,}'))
      .join('[^]*')}$`,
    'u',
  );
}

class Reader {
  #tokens: string[];

  constructor(text: string) {
    this.#tokens = text.match(/\.\.\.|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  }

  get atEnd(): boolean {
    return this.#tokens.length === 0;
  }

  value(): Sample {
    const token = this.#take();
    if (token === '...') return { kind: 'any' };
    if (token === '{') return this.#object();
    if (token === '[') return this.#list();
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? { kind: 'text', shown: value } : { kind: 'exactly', value };
  }

  #object(): Sample {
    const members = new Map<string, Sample>();
    const open = this.#members('}', () => {
      const key: unknown = JSON.parse(this.#take());
      if (this.#take() !== ':') throw new Error(`no ':' after ${String(key)}`);
      members.set(String(key), this.value());
    });
    return { kind: 'object', members, open };
  }

  #list(): Sample {
    const items: Sample[] = [];
    const open = this.#members(']', () => items.push(this.value()));
    return { kind: 'list', items, open };
  }

  /** Reads members up to the closing bracket; true when `...` stood among them. */
  #members(end: string, read: () => void): boolean {
    let open = false;
    while (this.#tokens[0] !== end) {
      if (this.#tokens[0] === '...') {
        this.#take();
        open = true;
      } else read();
      if (this.#tokens[0] === ',') this.#take();
    }
    this.#take();
    return open;
  }

  #take(): string {
    const token = this.#tokens.shift();
    if (token === undefined) throw new Error('the sample ends too early');
    return token;
  }
}
