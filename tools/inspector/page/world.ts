import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { About, Pack, PackResource } from './types.js';

/** The shown world, for all parts of the page. */
export interface WorldContext {
  readonly about: About;
  readonly pack: Pack;
  /** Whether this is the first world, which can list and fork worlds. */
  readonly mayFork: boolean;
  /** Names of a company's vendors, the shown one first; empty if there is only one. */
  readonly vendors: readonly string[];
}

export const World = createContext<WorldContext | null>(null);

/** Returns the shown world. @throws Error in a component outside of the shell */
export function useWorld(): WorldContext {
  const world = useContext(World);
  if (!world) throw new Error('No world selected');
  return world;
}

export function resourceOf(pack: Pack, collection: string): PackResource | undefined {
  return pack.resources.find((each) => each.collection === collection);
}
