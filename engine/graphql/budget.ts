import { graphqlLibrary } from '../codecs/index.js';
import { LIMITS } from '../limits.js';
import { turns } from '../runtime/index.js';
import { jsonLength } from '../values/index.js';
import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

/** Number of values above which a document is large. Large documents are executed one after another. */
const LARGE_VALUES = 5_000;
const LARGE_CHARACTERS = 256 * 1024;

/** Resolves once the most recent large document is done. */
let lastLarge: Promise<void> = Promise.resolve();

/**
 * The budget of one GraphQL document: values and characters of its response, and bytes that its operations return. Other calls
 * run in between.
 */
export class DocumentBudget {
  /** Why the document was rejected; null: it is within its budget. */
  exceeded: string | null = null;
  #values = 0;
  #characters = 0;
  #readBytes = 0;
  /** Resolves once earlier large documents are done; null: it isn't large. */
  #turn: Promise<void> | null = null;
  #done: () => void = () => undefined;
  readonly #giveWay = turns();

  /** Counts values of a GraphQL response, which are limited. @throws GraphQLError */
  async values(count: number): Promise<void> {
    this.#values += count;
    if (this.#values > LIMITS.graphqlValues.value)
      this.#exceed(`The response has more than ${LIMITS.graphqlValues.value} values`);
    await this.#wait();
  }

  /** Counts a field. @param leaf its value; undefined if it has fields of its own @throws GraphQLError */
  async field(leaf: unknown): Promise<void> {
    const most = LIMITS.response.value;
    this.#characters += leaf === undefined || leaf === null ? 4 : jsonLength(leaf, most);
    if (this.#characters > most) this.#exceed(`The response has more than ${most} characters`);
    await this.values(1);
  }

  /** Counts the response of an operation, in bytes. @throws GraphQLError */
  async read(bytes: number): Promise<void> {
    this.#readBytes += bytes;
    if (this.#readBytes > LIMITS.graphqlRead.value)
      this.#exceed(`The operations of the document return more than ${LIMITS.graphqlRead.value} bytes`);
    await this.#wait();
  }

  /** Ends the turn of a large document. Called once the response is sent or aborted. */
  end(): void {
    this.#done();
  }

  /** Records why the document exceeds its budget. @throws GraphQLError always */
  #exceed(why: string): never {
    this.exceeded ??= `Resource limits for this query exceeded: ${why}`;
    throw new (graphqlLibrary().GraphQLError)(this.exceeded);
  }

  async #wait(): Promise<void> {
    if (this.#turn === null && this.#isLarge) {
      this.#turn = lastLarge;
      const done = new Promise<void>((resolve) => (this.#done = resolve));
      lastLarge = lastLarge.then(() => done);
    }
    if (this.#turn !== null) await this.#turn;
    await this.#giveWay();
  }

  get #isLarge(): boolean {
    return this.#values > LARGE_VALUES || this.#characters + this.#readBytes > LARGE_CHARACTERS;
  }
}

/** Why a document has too many or too deep fields; null: it doesn't. Runs before anything else reads its fields. */
export function tooMuch({ definitions }: DocumentNode): string | null {
  const { Kind } = graphqlLibrary();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  let count = 0;
  const visit = ({ selections }: SelectionSetNode, depth: number, within: ReadonlySet<string>): string | null => {
    if (depth > LIMITS.graphqlDepth.value) return `Fields are nested deeper than ${LIMITS.graphqlDepth.value} levels`;
    for (const each of selections) {
      if (++count > LIMITS.graphqlFields.value) return `There are more than ${LIMITS.graphqlFields.value} fields`;
      if (each.kind === Kind.FIELD) {
        // Skips introspection, since its fields call no operations.
        if (each.name.value.startsWith('__') || !each.selectionSet) continue;
        const found = visit(each.selectionSet, depth + 1, within);
        if (found !== null) return found;
        continue;
      }
      const name = each.kind === Kind.FRAGMENT_SPREAD ? each.name.value : null;
      const set = each.kind === Kind.INLINE_FRAGMENT ? each.selectionSet : fragments.get(each.name.value)?.selectionSet;
      // Skips circular fragments, since validation reports them.
      if (!set || (name !== null && within.has(name))) continue;
      const found = visit(set, depth, name === null ? within : new Set([...within, name]));
      if (found !== null) return found;
    }
    return null;
  };
  for (const each of definitions)
    if (each.kind === Kind.OPERATION_DEFINITION) {
      const found = visit(each.selectionSet, 1, new Set());
      if (found !== null) return found;
    }
  return null;
}
