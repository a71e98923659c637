/** What a guard answers now. */
export type Ask = (guard: string) => boolean;

/** A guard's name and what it answered, in the order in which the responses were needed. */
export type GuardValues = readonly (readonly [guard: string, holds: boolean])[];

type StateNode<T> =
  | { readonly leaf: true; readonly value: T }
  | { readonly leaf: false; readonly guard: string; yes?: StateNode<T>; no?: StateNode<T> };

/**
 * Remembers a decision that depends on nothing but the responses of guards. What the oracle says for a path of responses is
 * kept, so a known path costs one question per guard and nothing else.
 */
export class DecisionTree<T> {
  #root?: StateNode<T>;

  constructor(private readonly oracle: (ask: Ask) => T) {}

  /** The decision for these responses; every guard is asked at most once, in the oracle's order. */
  decide(ask: Ask): T {
    let node = this.#root;
    if (node?.leaf) return node.value;
    const values: [string, boolean][] = [];
    while (node && !node.leaf) {
      const value = ask(node.guard);
      values.push([node.guard, value]);
      node = value ? node.yes : node.no;
    }
    return node ? node.value : this.#explore(values, ask);
  }

  #explore(known: GuardValues, ask: Ask): T {
    const values = new Map(known);
    const value = this.oracle((guard) => {
      const found = values.get(guard);
      if (found !== undefined) return found;
      const value = ask(guard);
      values.set(guard, value);
      return value;
    });
    this.#root = grown(this.#root, [...values], 0, value);
    return value;
  }
}

function grown<T>(node: StateNode<T> | undefined, values: GuardValues, depth: number, value: T): StateNode<T> {
  if (depth === values.length) return node ?? { leaf: true, value };
  const [guard, holds] = values[depth];
  const made: StateNode<T> = node ?? { leaf: false, guard };
  if (made.leaf || made.guard !== guard) throw new Error(`the order of guards is not stable at '${guard}'`);
  const branch = holds ? 'yes' : 'no';
  made[branch] = grown(made[branch], values, depth + 1, value);
  return made;
}
