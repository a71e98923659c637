/**
 * The library for a vendor's web pages, from a pack's `browser.yaml`. The engine serves this folder and the pack's description (`install({...})`) as
 * one plain script: there are no modules, so all files share one scope. It names no vendor.
 */

/** Defines the library's global function in the page. */
function install(library: LibraryDescription): void {
  const { base, path } = placeOf(document.currentScript, library.script);
  const { keyPrefix } = library;
  function start(key: unknown): object {
    if (typeof key !== 'string' || keyPrefix === null || !key.startsWith(keyPrefix))
      throw new Error(`${library.global}(key) needs a key that begins with ${keyPrefix}`);
    return client(library, base, key);
  }
  const version = library.versions[path];
  const defined = keyPrefix === null ? client(library, base, '') : start;
  Object.assign(window, { [library.global]: version === undefined ? defined : Object.assign(defined, { version }) });
}

/** Derives the address of the sandbox from that of the script, and returns it with the script's path. */
function placeOf(element: unknown, paths: readonly string[]): { readonly base: string; readonly path: string } {
  const address = element instanceof HTMLScriptElement ? new URL(element.src) : new URL(location.href);
  const whole = address.pathname.replace(/\/$/, '');
  const path = paths.find((each) => whole.endsWith(each)) ?? '';
  return { base: address.origin + (path === '' ? '' : whole.slice(0, -path.length)), path };
}

/** Creates the result of the library's function: an object with the methods of the description. */
function client(library: LibraryDescription, base: string, key: string): object {
  const calls: Record<string, (...given: unknown[]) => unknown> = {};
  for (const name of library.ignores) calls[name] = () => undefined;
  for (const [name, instead] of Object.entries(library.unsupported))
    calls[name] = () => {
      throw new Error(`${name} is not emulated by this sandbox: ${instead}`);
    };
  for (const [name, promises] of Object.entries(library.objects)) calls[name] = () => substitute(promises);
  const { elements } = library;
  if (elements) calls[elements.method] = (given) => new ElementGroup(elements, isMap(given) ? given : {});
  for (const [name, method] of Object.entries(library.methods))
    calls[name] = (...given) => {
      const call = new Call(library, base, key);
      return method.opens ? call.opened(method, method.opens, given) : call.run(method, given);
    };
  for (const [name, session] of Object.entries(library.sessions))
    calls[name] = (options) => {
      const run = (method: MethodDescription, given: readonly unknown[], named: Values): Promise<unknown> =>
        new Call(library, base, key).run(method, given, named);
      const again = library.methods[session.again];
      if (!elements || !again) throw new Error(`${name} needs elements`);
      return new Session(session, run, elements, again, isMap(options) ? options : {}).object();
    };
  return calls;
}

/** Creates an object whose methods resolve to constants, and that accepts listeners. */
function substitute(promises: Values): object {
  const object: Values = {};
  for (const name of ['on', 'off', 'once']) object[name] = () => object;
  for (const [name, value] of Object.entries(promises)) object[name] = () => Promise.resolve(value);
  return object;
}
