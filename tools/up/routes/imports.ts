import type { Code } from './code.js';

/** What an imported name refers to: a member of another file, or with `*` the whole file. */
export interface ImportedName {
  readonly file: string;
  readonly member: string;
}

const SCRIPT =
  /(?:import|export)\s{1,9}(?:type\s{1,9})?([\w$*{][^;'"`]{0,2000}?)\s{0,9}from\s{0,9}["']([^"'\n]{1,200})["']|(?:const|let|var)\s{1,9}([\w$]{1,60}|\{[^}=;]{0,1000}\})\s{0,9}=\s{0,9}(?:await\s{1,9})?(?:require|import)\(\s{0,9}["']([^"'\n]{1,200})["']\s{0,9}\)(?:\.([\w$]{1,60}))?/g;
const PYTHON = /^[ \t]{0,80}from[ \t]{1,9}([\w.]{1,200})[ \t]{1,9}import[ \t]{1,9}(\([^)]{0,4000}\)|[^\n(]{1,500})/gm;
const PYTHON_WHOLE = /^[ \t]{0,80}import[ \t]{1,9}([\w.]{1,200})(?:[ \t]{1,9}as[ \t]{1,9}(\w{1,60}))?/gm;

/** Finds the names that a JavaScript or Python file imports from the application's other files; `*1`, `*2`, … import everything from one. */
export function importsOf(code: Code, file: string): ReadonlyMap<string, ImportedName> {
  return file.endsWith('.py') ? importsOfPython(code, file) : importsOfScript(code, file);
}

function importsOfScript(code: Code, file: string): ReadonlyMap<string, ImportedName> {
  const found = new Map<string, ImportedName>();
  for (const [, bound, from, assigned, required, picked] of code.text(file).matchAll(SCRIPT)) {
    const target = code.moduleOfScript(file, from ?? required);
    if (target === null) continue;
    const names = bound ?? assigned;
    const braced = /\{([^}]*)\}/.exec(names)?.[1] ?? '';
    const before = names.replace(/\{[^}]*\}/, '').replaceAll(',', ' ');
    const whole = /\*\s*as\s+([\w$]+)/.exec(before)?.[1];
    if (whole !== undefined) found.set(whole, { file: target, member: '*' });
    else if (before.trim() === '*') found.set(`*${found.size}`, { file: target, member: '*' });
    else if (before.trim() !== '')
      found.set(before.trim(), { file: target, member: picked ?? (bound ? 'default' : '*') });
    for (const [local, member] of pairs(braced, /\s+as\s+|\s*:\s*/)) found.set(local, { file: target, member });
  }
  return found;
}

function importsOfPython(code: Code, file: string): ReadonlyMap<string, ImportedName> {
  const found = new Map<string, ImportedName>();
  const text = code.text(file);
  for (const [, from, names] of text.matchAll(PYTHON)) {
    const target = code.moduleOfPython(file, from);
    for (const [local, member] of pairs(names.replace(/[()\\]/g, ' '), /\s+as\s+/)) {
      const inner = code.moduleOfPython(file, from.endsWith('.') ? from + member : `${from}.${member}`);
      if (inner !== null) found.set(local, { file: inner, member: '*' });
      else if (target !== null) found.set(local, { file: target, member });
    }
  }
  for (const [, name, alias] of text.matchAll(PYTHON_WHOLE)) {
    const target = code.moduleOfPython(file, name);
    if (target !== null) found.set(alias ?? name, { file: target, member: '*' });
  }
  return found;
}

/** Parses a list of imported names, such as `a, b as c`: local name and exported name. */
function pairs(list: string, between: RegExp): readonly (readonly [local: string, member: string])[] {
  return list.split(',').flatMap((each) => {
    const [member, local = member] = each
      .trim()
      .replace(/^type\s+/, '')
      .split(between);
    return /^[\w$]+$/.test(member) ? [[local, member] as const] : [];
  });
}
