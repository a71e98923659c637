import type { PackSource } from '../../engine/pack/index.js';

/** Finds names of machine states in texts and expressions of a pack. */

/** A state that a text or expression of the pack names. */
export interface StateUse {
  readonly name: string;
  /** Offset of the state in the text. */
  readonly at: number;
  /** Path of the file that declares the state's machine. */
  readonly owner: string;
}

interface Machine {
  readonly file: string;
  readonly resource: string;
  /** Name of the collection in seed data; undefined if the file doesn't declare one. */
  readonly collection: unknown;
  /** The field that contains the state. */
  readonly field: string;
  readonly states: ReadonlySet<string>;
}

/** Matches `holder.field == 'state'`, `holder.field in ['state', ...]`; ends before the states. */
const COMPARED = /\b(\w+)\.(\w+)\s*(?:[=!]=\s*(?=['"])|in\s+(?=\[))/g;
/** Matches `find(resource, {'field': 'state'})`. */
const FILTERED = /\b(?:find|all|count)\(\s*(\w+)\s*,\s*\{[^}]*?['"](\w+)['"]\s*:\s*(?=['"])/g;

type Data = Readonly<Record<string, unknown>>;

export class Machines {
  readonly #all: readonly Machine[];

  constructor(private readonly source: PackSource) {
    this.#all = source.all('resource').flatMap(({ path, data }) => {
      const { resource, collection, machine, fields } = object(data);
      const states = new Set(Object.keys(object(object(machine)['states'])));
      const field = Object.entries(object(fields)).find(([, type]) => object(type)['machine'] === true)?.[0];
      return states.size === 0 || field === undefined || typeof resource !== 'string'
        ? []
        : [{ file: path, resource, collection, field, states }];
    });
  }

  /**
   * Finds the states that a value contains.
   * @param raw as written, including quotes
   * @param path keys from the top of the file, joined by `/`
   */
  usesIn(raw: string, file: string, path: string): StateUse[] {
    const [, seeded, member] = /(?:^|\/)resources\/(\w+)\/\d+\/(\w+)$/.exec(path) ?? [];
    const kept = this.#all.find(({ collection, field }) => collection === seeded && field === member);
    if (kept !== undefined && file.startsWith('seeds/')) {
      const name = raw.replace(/^["']|["']$/g, '');
      return kept.states.has(name) ? [{ name, at: raw.indexOf(name), owner: kept.file }] : [];
    }
    const own = this.#all.find((each) => each.file === file);
    if (own !== undefined && (path.startsWith(`fields/${own.field}/enum/`) || /^pins\/.*\/at(?:\/\d+)?$/.test(path))) {
      const name = raw.replace(/^["']|["']$/g, '');
      return own.states.has(name) ? [{ name, at: raw.indexOf(name), owner: own.file }] : [];
    }
    const self = own ?? this.#subjectAt(file, path);
    return [...raw.matchAll(COMPARED), ...raw.matchAll(FILTERED)].flatMap((match) => {
      const [all, holder, field] = match;
      const from = match.index + all.length;
      const end = raw[from] === '[' ? raw.indexOf(']', from) : raw.indexOf(raw[from], from + 1);
      if (end < 0) return [];
      return [...raw.slice(from, end + 1).matchAll(/['"](\w+)['"]/g)].flatMap(({ 1: name, index }) => {
        const machine = this.#meant(holder, field, name, self);
        return machine === undefined ? [] : [{ name, at: from + index + 1, owner: machine.file }];
      });
    });
  }

  /** Finds the machine that `holder.field == 'name'` refers to; for a variable of a step, the only machine with such a state. */
  #meant(holder: string, field: string, name: string, self: Machine | undefined): Machine | undefined {
    const fitting = this.#all.filter((each) => each.field === field && each.states.has(name));
    if (holder === 'self') return fitting.find((each) => each === self);
    const named = this.#all.find(({ resource }) => resource === holder);
    if (named !== undefined) return fitting.find((each) => each === named);
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  /** Finds the machine of `self` at a path of causes.yaml. */
  #subjectAt(file: string, path: string): Machine | undefined {
    const data = this.source.files.find((each) => each.path === file && each.kind === 'causes')?.data;
    const [section, cause, variants, number] = path.split('/');
    if (data === undefined || section !== 'causes') return undefined;
    const said = object(object(object(data)['causes'])[cause]);
    const listed =
      variants === 'variants' && Array.isArray(said['variants']) ? object(said['variants'][Number(number)]) : said;
    return this.#all.find(({ resource }) => resource === object(listed['subject'])['resource']);
  }
}

function object(value: unknown): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};
}
