/** For each kind of action, the verbs that mean it. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  create: ['create', 'make', 'add', 'new', 'post', 'send', 'open', 'start'],
  list: ['list', 'all', 'search', 'find', 'query', 'browse', 'get'],
  retrieve: ['retrieve', 'get', 'read', 'fetch', 'show', 'view', 'look'],
  update: ['update', 'change', 'edit', 'modify', 'set', 'patch', 'rename', 'post'],
  delete: ['delete', 'remove', 'destroy'],
};

/** Words that a search ignores. */
const EMPTY: ReadonlySet<string> = new Set(
  'a an the of for to in on and or with by s its this that is it how do doe i my what when which can be are if from'.split(
    ' ',
  ),
);

/** Returns the normalized words of a text, path or name: lower case, singular. */
export function searchWords(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((each) => each !== '' && !EMPTY.has(each))
    .map(singular);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:sses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us')
    ? word.slice(0, -1)
    : word;
}

/** The words of an item: those of its name (strong), and of its description (weak). */
interface ItemWords {
  readonly strong: readonly string[];
  readonly weak: readonly string[];
}

/**
 * Items that match words, best first: rare words count most, and items with few other words rank higher.
 * @param least the minimum share of the words that has to match, weighted by rarity
 * @param fit how well an item matches the kind of action: 0 to 2
 */
export function rank<T>(
  items: readonly T[],
  { intent, words }: { readonly intent: string; readonly words: string },
  of: (item: T) => ItemWords,
  least: number,
  fit: (item: T, verbs: ReadonlySet<string>) => number = () => 0,
): T[] {
  const asked = [...new Set(searchWords(words))];
  const first = searchWords(intent);
  const verbs = new Set([...first, ...asked].flatMap((word) => [word, ...meanings(word)]));
  const nouns = asked.filter((word) => !isVerb(word));
  const sought = nouns.length > 0 ? nouns : asked;
  const intended = first.filter((word) => !isVerb(word));
  if (sought.length === 0) return [];
  const read = items.map((item) => {
    const { strong, weak } = of(item);
    return { item, strong: new Set(strong), weak: new Set(weak) };
  });
  const weights = new Map(
    sought.map((word) => {
      const having = read.filter(({ strong, weak }) => strong.has(word) || weak.has(word)).length;
      return [word, having === 0 ? 0 : Math.log(1 + read.length / having)];
    }),
  );
  const whole = [...weights.values()].reduce((all, each) => all + each, 0);
  return read
    .flatMap(({ item, strong, weak }, at) => {
      let score = 0;
      let found = 0;
      let weight = 0;
      for (const word of sought) {
        const has = strong.has(word) ? 1 : weak.has(word) ? 0.3 : 0;
        score += has * (weights.get(word) ?? 0);
        found += has;
        weight += has > 0 ? (weights.get(word) ?? 0) : 0;
      }
      const isIntended = intended.some((word) => strong.has(word));
      if (!isIntended && (found === 0 || weight < whole * least)) return [];
      const said = first.filter((word) => strong.has(word)).length * (isIntended ? 3 : 1);
      const about = found / Math.sqrt(Math.max(strong.size, 1));
      return [{ item, at, score: score * (1 + about) + fit(item, verbs) * 0.6 + said }];
    })
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .map(({ item }) => item);
}

/** Whether the actions are reads: listing or retrieving. */
export function isReading(verbs: ReadonlySet<string>): boolean {
  return verbs.has('list') || verbs.has('retrieve');
}

function isVerb(word: string): boolean {
  return meanings(word).length > 0;
}

/** Returns the kinds of actions that a word may mean. */
function meanings(word: string): string[] {
  return Object.entries(VERBS).flatMap(([verb, words]) => (words.includes(word) ? [verb] : []));
}
