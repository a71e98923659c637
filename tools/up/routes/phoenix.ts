import { type Code, type DeclaredRoute, joined } from './code.js';

const SCOPE = /^scope[\s(]+(?:path:\s*)?"([^"\n]{0,200})"/;
const ROUTE = /^(?:post|match\s+:\*,|forward)[\s(]+"([^"\n]{1,200})"/;
/** Matches a plug of the endpoint that declares its own path, such as a vendor client's webhook plug. */
const PLUG = /^[ \t]*plug[ (]{1,9}[\w.]{0,100}Webhook[\w.]{0,100},\s{0,80}(?:at|path):\s*"([^"\n]{1,200})"/gm;

/** Finds Phoenix's routes: `post` in the scopes of a router, and webhook plugs of the endpoint. */
export function routesOfPhoenix(code: Code): readonly DeclaredRoute[] {
  return code.files
    .filter((file) => file.endsWith('.ex'))
    .flatMap((file) => {
      const text = code.text(file);
      if (/\buse Phoenix\.Endpoint\b/.test(text))
        return [...text.matchAll(PLUG)].map(([, path]) => ({ path: joined(path), file, isWhole: true }));
      return /\buse [\w.]+, :router\b|\buse Phoenix\.Router\b/.test(text) ? routesIn(text, file) : [];
    });
}

/** Finds the routes of a router. A scope ends where the indentation decreases. */
function routesIn(text: string, file: string): readonly DeclaredRoute[] {
  const open: { readonly indent: number; readonly path: string }[] = [];
  return text.split('\n').flatMap((line): readonly DeclaredRoute[] => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed === 'end') return [];
    const indent = line.search(/\S/);
    while (open.length > 0 && indent <= open[open.length - 1].indent) open.pop();
    const scope = SCOPE.exec(trimmed)?.[1];
    if (scope !== undefined) open.push({ indent, path: scope });
    const path = ROUTE.exec(trimmed)?.[1];
    return path === undefined ? [] : [{ path: joined(...open.map((each) => each.path), path), file, isWhole: true }];
  });
}
