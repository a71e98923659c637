/** A change of the text that fixes a problem. */
interface Fix {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A problem with its range in the text. */
interface FixableProblem {
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly offset: number;
}

const ROUTE = /^(?:GET|POST|PUT|PATCH|DELETE) \/(?:\{\w+\+?\}|[^\s,{}[\]'"])*/;

/** Lists possible fixes of a problem: the suggested name, or quotes around a text that needs them. */
export function fixesOf(text: string, { code, message, suggestion, offset }: FixableProblem): Fix[] {
  const rest = text.slice(offset);
  if (code === 'yaml-unquoted') {
    const meant = ROUTE.exec(rest)?.[0] ?? /put '(.*)' in quotes$/.exec(message)?.[1];
    if (meant === undefined || !rest.startsWith(meant)) return [];
    const quoted = meant.includes("'") ? JSON.stringify(meant) : `'${meant}'`;
    return [{ title: `Write ${quoted}`, from: offset, to: offset + meant.length, text: quoted }];
  }
  if (suggestion === undefined) return [];
  // Replaces a whole dotted name if the suggestion contains a dot.
  const [word = ''] = (/^[=$]?[\w-]+(?:\.[\w-]+)+$|^\$\{/.test(suggestion) ? /^[\w$.-]*/ : /^[\w$-]*/).exec(rest) ?? [];
  if (word === '' || word === suggestion) return [];
  return [{ title: `Change to ${suggestion}`, from: offset, to: offset + word.length, text: suggestion }];
}
