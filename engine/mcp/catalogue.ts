import type { JsonObject } from '../values/index.js';
import { didYouMean, suggest } from '../pack/index.js';
import type { Program } from '../program/index.js';
import { aliasTools } from './alias.js';
import { plainDiscovery } from './own.js';
import {
  type DecidingTool,
  type Details,
  generateTools,
  isOfOperation,
  type OperationTool,
  type Tool,
} from './tool.js';

/** The tools that an agent requests, in the endpoint's query or headers. */
export interface ToolFilter {
  /** Names of the requested toolsets; null: the server's default toolsets. */
  readonly toolsets: readonly string[] | null;
  /** Names of requested tools in addition to those of the toolsets. */
  readonly tools: readonly string[];
  /** Whether only tools without effects are listed. */
  readonly readOnly: boolean;
  /** Whether tools are listed with the schemas of their results. */
  readonly output: boolean;
  /** Levels of nested parameters in schemas; null: two, or one (without descriptions) if the list would be too long. */
  readonly depth: number | null;
}

/** A filter's tools, and their list as text. */
interface Selection {
  readonly tools: ReadonlyMap<string, Tool>;
  /**
   * Returns the result of `tools/list` as text.
   * @param opens whether the caller's key may use a tool
   * @param by is equal for keys that may use the same tools, for the cache; null: the text isn't cached
   * @throws WrongSelection if the agent selects no tools and the list is too long
   */
  readonly list: (opens: (tool: Tool) => boolean, by: string | null) => string;
}

/** Thrown if a filter names unknown tools or toolsets, or if a filter is required and missing. */
export class WrongSelection extends Error {}

/** Size limit in bytes of a list without a selection: about 6,000 tokens. */
const MAX_BYTES = 24 * 1024;
/** Number of selections of tools that are cached. */
const MOST_SELECTIONS = 64;
const USUAL_DEPTH = 2;
const ALL = 'all';
/** Name of the toolset whose tools find operations and call them by id. */
const DISCOVER = 'discover';

const catalogues = new WeakMap<Program, Catalogue>();

/** Returns the catalogue of a pack's tools; built for the first agent, once for all worlds. */
export function catalogueOf(program: Program): Catalogue {
  let found = catalogues.get(program);
  if (found === undefined) catalogues.set(program, (found = new Catalogue(program)));
  return found;
}

/** All tools of a pack, and the selections of agents. */
class Catalogue {
  readonly #generated: ReadonlyMap<string, OperationTool>;
  readonly #own: ReadonlyMap<string, Tool>;
  /** The discovery tools of packs whose mcp.yaml has none. */
  readonly #plain: ReadonlyMap<string, DecidingTool>;
  readonly #selections = new Map<string, Selection>();

  constructor(private readonly program: Program) {
    const generated = generateTools(program);
    this.#generated = new Map(generated.map((each) => [each.name, each]));
    this.#own = aliasTools(program, generated);
    this.#plain = new Map(plainDiscovery(program, generated).map((each) => [each.name, each]));
  }

  /** Returns the current name of a tool that was renamed; other names are returned unchanged. */
  currentName(name: string): string {
    return this.program.mcp?.renamed.get(name) ?? name;
  }

  /** Finds a tool by its name, also one that the agent hasn't selected. */
  find(name: string): Tool | undefined {
    return this.#own.get(name) ?? this.#generated.get(name) ?? this.#plain.get(name);
  }

  /** Selects tools by a filter. @throws WrongSelection for unknown names */
  select(filter: ToolFilter): Selection {
    const key = JSON.stringify(filter);
    let found = this.#selections.get(key);
    if (found === undefined) {
      found = this.#make(filter);
      if (this.#selections.size >= MOST_SELECTIONS) this.#selections.clear();
      this.#selections.set(key, found);
    }
    return found;
  }

  #make(filter: ToolFilter): Selection {
    const selected = this.#toolsOf(filter);
    const tools = new Map([...selected].filter(([, { hints }]) => !filter.readOnly || hints().readOnlyHint));
    const chosen = filter.toolsets !== null || filter.tools.length > 0 || this.#own.size > 0;
    const texts = new Map<string, string>();
    const write = (opens: (tool: Tool) => boolean): string => {
      const opened = [...tools.values()].filter(opens);
      const text = (depth: number, brief = false): string => {
        const details: Details = { depth, brief, output: filter.output };
        return JSON.stringify({ tools: opened.map((tool): JsonObject => tool.definition(details)) });
      };
      const usual = text(filter.depth ?? USUAL_DEPTH);
      if (chosen || filter.depth !== null || usual.length <= MAX_BYTES) return usual;
      const flat = text(1);
      if (flat.length <= MAX_BYTES) return flat;
      const short = text(1, true);
      if (short.length <= MAX_BYTES) return short;
      throw new WrongSelection(
        `the list of all ${opened.length} tools is too long (${Math.ceil(short.length / 1024)} KiB): choose with ` +
          `?toolsets=NAME,NAME or ?tools=NAME,NAME in the address, or ?toolsets=${ALL}. Toolsets: ${this.#toolsets().join(', ')}`,
      );
    };
    return {
      tools,
      list: (opens, by) => {
        const known = by === null ? undefined : texts.get(by);
        if (known !== undefined) return known;
        const text = write(opens);
        if (by !== null) texts.set(by, text);
        return text;
      },
    };
  }

  #toolsOf({ toolsets, tools }: ToolFilter): Map<string, Tool> {
    const made = new Map<string, Tool>();
    const usual = tools.length > 0 ? [] : (this.program.mcp?.defaults ?? []);
    const names = toolsets ?? usual;
    if (toolsets === null && usual.length === 0 && tools.length === 0)
      return new Map(this.#own.size > 0 ? this.#own : this.#generated);
    for (const name of names) for (const tool of this.#toolset(name)) made.set(tool.name, tool);
    for (const name of tools) {
      if (name === DISCOVER) {
        for (const tool of this.#discovering()) made.set(tool.name, tool);
        continue;
      }
      const tool = this.find(this.currentName(name));
      if (!tool) throw unknown('tool', name, [...this.#own.keys(), ...this.#generated.keys(), DISCOVER]);
      made.set(tool.name, tool);
    }
    return made;
  }

  /** Returns the pack's own discovery tools, or the default ones. */
  #discovering(): readonly Tool[] {
    const own = [...this.#own.values()].filter((each) => !isOfOperation(each) && each.finds);
    return own.length > 0 ? own : [...this.#plain.values()];
  }

  #toolset(name: string): readonly Tool[] {
    if (name === DISCOVER) return this.#discovering();
    if (name === ALL) return [...new Map([...this.#generated, ...this.#own]).values()];
    const { mcp } = this.program;
    const own = (mcp?.tools ?? []).filter(({ toolset }) => toolset === name).map((each) => each.name);
    const operations = mcp?.toolsets.get(name)?.operations;
    const generated = [...this.#generated.values()].filter(({ operation }) =>
      operations === undefined ? own.length === 0 && operation.resource.collection === name : operations.has(operation),
    );
    const tools = [...own, ...generated.map((each) => each.name)].flatMap((each) => this.find(each) ?? []);
    if (tools.length === 0 && mcp?.toolsets.has(name) !== true) throw unknown('toolset', name, this.#toolsets());
    return tools;
  }

  #toolsets(): string[] {
    const { mcp } = this.program;
    const own = [...(mcp?.toolsets.keys() ?? []), ...(mcp?.tools ?? []).map(({ toolset }) => toolset)];
    const collections = [...this.#generated.values()].map(({ operation }) => operation.resource.collection);
    return [...new Set([...own, ...collections, DISCOVER, ALL])];
  }
}

function unknown(what: string, name: string, known: readonly string[]): WrongSelection {
  return new WrongSelection(`there is no ${what} '${name}'${didYouMean(suggest(name, known))}`);
}
