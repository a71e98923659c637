import { type Document, listOr, type Node, objectOr, textOr } from './document.js';

/** How requests are authenticated, as `auth` of pack.yaml. */
interface Auth {
  readonly file: Readonly<Record<string, unknown>>;
  /** Operations need a key by default. */
  readonly secured: boolean;
  readonly notes: readonly string[];
}

/** Reads the security schemes of a document. */
export function authOf({ root, at }: { readonly root: Node; readonly at: Document['at'] }): Auth {
  const schemes = new Set<string>();
  const places: Record<string, unknown>[] = [];
  const notes: string[] = [];
  const components = objectOr(objectOr(root['components'])['securitySchemes']);
  for (const [name, each] of Object.entries(components)) {
    const scheme = at(each);
    const http = textOr(scheme['scheme']).toLowerCase();
    const key = textOr(scheme['name']);
    if (scheme['type'] === 'http' && (http === 'bearer' || http === 'basic')) schemes.add(http);
    else if (scheme['type'] === 'http' && http !== '') places.push({ scheme: textOr(scheme['scheme']) });
    else if (scheme['type'] === 'oauth2' || scheme['type'] === 'openIdConnect') schemes.add('bearer');
    else if (scheme['type'] === 'apiKey' && scheme['in'] === 'header' && /^authorization$/i.test(key)) {
      const [, word] = /Authorization:?\s*`?(\w+(?: \w+=)?)\s?(?:[<{[y]|\w+)/.exec(textOr(scheme['description'])) ?? [];
      if (word === undefined || /^(?:bearer|basic)$/i.test(word)) schemes.add('bearer');
      else if (word.includes('=')) places.push({ header: 'Authorization', prefix: word });
      else places.push({ scheme: word });
    } else if (scheme['type'] === 'apiKey' && scheme['in'] === 'header') places.push({ header: key });
    else if (scheme['type'] === 'apiKey' && scheme['in'] === 'query') places.push({ parameter: key });
    else
      notes.push(
        `authentication '${name}' (${textOr(scheme['type'])}${scheme['in'] === undefined ? '' : ` in ${textOr(scheme['in'])}`}) is not known to packs; the key is taken as a bearer token too`,
      );
  }
  const documented = Object.keys(components).length > 0;
  const unknown = notes.length > 0;
  if (schemes.size === 0 && (places.length === 0 || unknown)) schemes.add('bearer');
  // The sandbox's own clients authenticate with a bearer token, so it is always accepted.
  schemes.add('bearer');
  const secured = documented && (listOr(root['security']).length > 0 || needsSomewhere(root));
  if (!documented) notes.push('authentication: the document names none; every call needs the key as a bearer token');
  const file = {
    schemes: [...schemes],
    key: { prefix: 'key_', random: 24 },
    ...(places.length > 0 ? { places: unique(places) } : {}),
  };
  return { file, secured, notes };
}

function needsSomewhere(root: Node): boolean {
  return Object.values(objectOr(root['paths'])).some((item) =>
    Object.values(objectOr(item)).some((operation) => listOr(objectOr(operation)['security']).length > 0),
  );
}

function unique(places: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return [...new Map(places.map((each) => [JSON.stringify(each), each])).values()];
}
