import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** A value that changes, and the functions to call after a change. */
export class Store {
  readonly #listeners = new Set<() => void>();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  protected changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

/** Renders a component again whenever the store changes. */
export function useStore(store: Store): number {
  const [version, setVersion] = useState(store.version);
  useEffect(() => {
    setVersion(store.version);
    return store.subscribe(() => setVersion(store.version));
  }, [store]);
  return version;
}

/** A counter that changes every five seconds while elapsed times are shown. */
class Ticks extends Store {
  #timer: ReturnType<typeof setInterval> | undefined;
  #shown = 0;

  override subscribe(listener: () => void): () => void {
    if (this.#shown++ === 0) this.#timer = setInterval(() => this.changed(), 5_000);
    const leave = super.subscribe(listener);
    return () => {
      leave();
      if (--this.#shown === 0) clearInterval(this.#timer);
    };
  }
}

export const ticks: Store = new Ticks();

/** The state of a request: its result, once available, or its error. */
export interface Asked<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly again: () => void;
}

/** Makes a request now and whenever one of `when` changes. The last result is shown until the next one arrives; outdated responses are dropped. */
export function useAsked<T>(ask: () => Promise<T>, when: readonly unknown[]): Asked<T> {
  const [state, setState] = useState<{ value?: T; error?: Error }>({});
  const [times, setTimes] = useState(0);
  // Runs before the page is painted, unlike an ordinary effect.
  useLayoutEffect(() => {
    let isCurrent = true;
    ask().then(
      (value) => isCurrent && setState({ value }),
      (error: unknown) => isCurrent && setState({ error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [...when, times]);
  return { value: state.value, error: state.error, again: () => setTimes((before) => before + 1) };
}

/** Returns a value once it hasn't changed for some time, so that not every keystroke makes a request. */
export function useSettled<T>(value: T, ms = 150): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
