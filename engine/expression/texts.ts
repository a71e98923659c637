import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Mappings from '@jridgewell/gen-mapping';

/** Where in a pack something is written. */
export interface SourcePlace {
  readonly file: {
    readonly path: string;
    locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number };
  };
  readonly path: readonly (string | number)[];
}

/** A line of a text with the place of the pack that it comes from. */
export interface TextLine {
  readonly js: string;
  readonly place?: SourcePlace;
}

/** What was made of a pack. */
interface GeneratedText {
  readonly name: string;
  /** Of each line of the script, the first one first. */
  readonly places: readonly (SourcePlace | undefined)[];
  /** Kept for those who look at it. */
  readonly text: string | null;
}

/** Lines that `new Function` puts before a text. */
const HEAD_LINES = 2;

/** Every text that was made of a pack: what errors, debuggers and readers see of it. */
export class SourceTexts {
  readonly #made = new Map<string, GeneratedText>();

  /**
   * @param dir the pack's folder
   * @param debug texts carry source maps and are kept, for a person who debugs
   */
  constructor(
    private readonly dir = '',
    private readonly debug = false,
  ) {}

  /**
   * Takes a text in.
   * @param name what it is, such as `flow renew`
   * @returns it with the names that stacks and debuggers show
   */
  keep(name: string, lines: readonly TextLine[]): string {
    const base = `pack:${name.replace(/[^\w.]+/g, '-')}`;
    let script = base;
    for (let n = 2; this.#made.has(script); n++) script = `${base}~${n}`;
    const text = lines.map(({ js }) => js).join('\n');
    const places = [...Array<undefined>(HEAD_LINES), ...lines.map(({ place }) => place)];
    this.#made.set(script, { name, places, text: this.debug ? text : null });
    const map = this.debug ? `\n//# sourceMappingURL=${this.#sourceMap(lines)}` : '';
    return `${text}${map}\n//# sourceURL=${script}`;
  }

  /** The texts of a name; there are some only with `debug`. */
  named(name: string): string[] {
    return [...this.#made.values()].flatMap((made) => (made.name === name && made.text !== null ? [made.text] : []));
  }

  /** A stack whose frames are places of the pack's files, relative to the working directory. */
  located(stack: string): string {
    return stack.replace(/(pack:[^\s:()]+):(\d+):\d+/g, (frame, script: string, line: string) => {
      const place = this.#made.get(script)?.places[Number(line) - 1];
      if (!place) return frame;
      const { line: at, column } = place.file.locate(place.path);
      return `${relative('', join(this.dir, place.file.path)).replaceAll('\\', '/')}:${at}:${column}`;
    });
  }

  /** One mapping per line, as a URL that holds the whole map. */
  #sourceMap(lines: readonly TextLine[]): string {
    const { addMapping, GenMapping, toEncodedMap } = createRequire(import.meta.url)(
      '@jridgewell/gen-mapping',
    ) as typeof Mappings;
    const map = new GenMapping();
    lines.forEach(({ js, place }, index) => {
      if (!place) return;
      const { line, column } = place.file.locate(place.path);
      addMapping(map, {
        generated: { line: HEAD_LINES + index + 1, column: js.length - js.trimStart().length },
        source: pathToFileURL(join(this.dir, place.file.path)).href,
        original: { line, column: column - 1 },
      });
    });
    return `data:application/json;base64,${Buffer.from(JSON.stringify(toEncodedMap(map))).toString('base64')}`;
  }
}
