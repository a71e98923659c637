import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Mappings from '@jridgewell/gen-mapping';

/** A location in a pack's file. */
export interface SourcePlace {
  readonly file: {
    readonly path: string;
    locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number };
  };
  readonly path: readonly (string | number)[];
}

/** A line of compiled JavaScript with its location in the pack. */
export interface TextLine {
  readonly js: string;
  readonly place?: SourcePlace;
}

/** A compiled function of a pack. */
interface GeneratedText {
  readonly name: string;
  /** The locations of the script's lines. */
  readonly places: readonly (SourcePlace | undefined)[];
  /** The JavaScript of the function, which is kept only while a debugger may show it. */
  readonly text: string | null;
}

/** Number of lines that `new Function` puts before a function's body. */
const HEAD_LINES = 2;

/** The compiled functions of a pack, for stack traces, debuggers and readers. */
export class SourceTexts {
  readonly #made = new Map<string, GeneratedText>();

  /** @param dir the pack's folder @param debug generated texts get source maps and are kept, for a debugger */
  constructor(
    private readonly dir = '',
    private readonly debug = false,
  ) {}

  /**
   * Registers a generated text.
   * @param name of the function, such as `flow renew`
   * @returns the text with the name that stack traces and debuggers show
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

  /** The texts with a name; empty without `debug`. */
  named(name: string): string[] {
    return [...this.#made.values()].flatMap((made) => (made.name === name && made.text !== null ? [made.text] : []));
  }

  /** Replaces the frames of a stack by locations in the pack's files, relative to the working directory. */
  located(stack: string): string {
    return stack.replace(/(pack:[^\s:()]+):(\d+):\d+/g, (frame, script: string, line: string) => {
      const place = this.#made.get(script)?.places[Number(line) - 1];
      if (!place) return frame;
      const { line: at, column } = place.file.locate(place.path);
      return `${relative('', join(this.dir, place.file.path)).replaceAll('\\', '/')}:${at}:${column}`;
    });
  }

  /** A source map with one mapping per line, as a data URL. */
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
