import type { Pack } from './types.js';

/** Maximum length of a description that is used as a title. */
const LONGEST = 64;

/** Returns the title of an external event: the pack's description, or its name if that is too long. */
export function causeTitle(pack: Pack, cause: string): string {
  const { description = '' } = pack.causes.find((each) => each.cause === cause)?.variants.at(0) ?? {};
  const title = description.split(/[.:;](?:\s|$)/, 1)[0];
  return title !== '' && title.length <= LONGEST ? title : sentence(wordsOf(cause));
}

/** Returns the title of an object, from the name of its collection. */
export function objectTitle(pack: Pack, collection: string | undefined): string {
  const { title = collection ?? 'object' } = pack.resources.find((each) => each.collection === collection) ?? {};
  return wordsOf(/[a-z][A-Z]/.test(title) ? title.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase() : title);
}

/** Converts a name of the pack to words. */
export function wordsOf(name: string): string {
  return name.replaceAll(/[._]+/g, ' ').trim();
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
