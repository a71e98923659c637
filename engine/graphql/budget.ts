import { graphqlLibrary } from '../codecs/index.js';
import { LIMITS } from '../limits.js';
import { turns } from '../runtime/index.js';
import { jsonLength } from '../values/index.js';

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
