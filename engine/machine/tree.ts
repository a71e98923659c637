/** What a guard answers now. */
export type Ask = (guard: string) => boolean;

/** A guard's name and what it answered, in the order in which the responses were needed. */
export type Answers = readonly (readonly [guard: string, answer: boolean])[];

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
    const answers: [string, boolean][] = [];
    while (node && !node.leaf) {
      const answer = ask(node.guard);
      answers.push([node.guard, answer]);
      node = answer ? node.yes : node.no;
    }
    return node ? node.value : this.#explore(answers, ask);
  }

  #explore(known: Answers, ask: Ask): T {
    const answers = new Map(known);
    const value = this.oracle((guard) => {
      const found = answers.get(guard);
      if (found !== undefined) return found;
      const answer = ask(guard);
      answers.set(guard, answer);
      return answer;
    });
    this.#root = grown(this.#root, [...answers], 0, value);
    return value;
  }
}

function grown<T>(node: StateNode<T> | undefined, answers: Answers, depth: number, value: T): StateNode<T> {
  if (depth === answers.length) return node ?? { leaf: true, value };
  const [guard, answer] = answers[depth];
  const made: StateNode<T> = node ?? { leaf: false, guard };
  if (made.leaf || made.guard !== guard) throw new Error(`the order of guards is not stable at '${guard}'`);
  const branch = answer ? 'yes' : 'no';
  made[branch] = grown(made[branch], answers, depth + 1, value);
  return made;
}
