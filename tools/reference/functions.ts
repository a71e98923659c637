import { functions, methods, specials } from '../../engine/expression/index.js';

/** The description of an expression function, for editors. */
export interface FunctionInfo {
  /** The call, such as `slice(xs, from, to)`; only the name if the reference has no more. */
  readonly signature: string;
  /** A description of the function, in Markdown. */
  readonly says: string;
}

/**
 * Reads the functions in the table "Standard library" of docs/reference/pack-language.md, by name. Only that table describes them; editors get it as
 * schemas/functions.json.
 */
export function functionReference(reference: string): Record<string, FunctionInfo> {
  const section = reference.slice(reference.indexOf('\n## Standard library'));
  const rows = [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, what, gives]) => ({ what, gives }));
  const found: Record<string, FunctionInfo> = {};
  const known = new Set([...functions.keys(), ...methods.keys(), ...specials.keys()]);
  for (const { what, gives } of rows)
    for (const [place, text] of [what, gives].entries())
      for (const [, code] of text.matchAll(/`([^`]+)`/g)) {
        // For a method of a value, such as `s.startsWith(p)`, the name is the part after the dot.
        const [, name] = /^(?:\w+\.)?(\w+)(?:\(|$)/.exec(code) ?? [];
        if (name === undefined || !known.has(name) || Object.hasOwn(found, name)) continue;
        if (place === 1 && !code.includes('(')) continue;
        found[name] = { signature: code, says: what === `\`${code}\`` ? gives : `${what}: ${gives}` };
      }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
