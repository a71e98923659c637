import { createRequire } from 'node:module';

type Library = typeof import('graphql');

let loaded: Library | undefined;

/** Returns the GraphQL library, which is loaded on first use, since most packs have no GraphQL. */
export function graphqlLibrary(): Library {
  return (loaded ??= createRequire(import.meta.url)('graphql') as Library);
}
