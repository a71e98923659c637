import type { NamedInPack } from '../codes.js';
import { keyIn, type PackFile, type SourceLocation } from '../model/index.js';
import type { Operation, VendorClient } from '../program/index.js';
import type { Compiler } from './context.js';

/** Reads `client` of pack.yaml: the method of the vendor's client for each operation; null if the pack names no client. */
export function linkClient(
  { client }: Pick<PackFile, 'client'>,
  place: SourceLocation,
  operations: readonly Operation[],
  { diagnostics }: Compiler,
): VendorClient | null {
  if (!client) return null;
  const { resources = {}, methods = {}, calls = {}, options = {} } = client;
  const check = (
    key: 'resources' | 'methods' | 'calls',
    names: object,
    what: NamedInPack,
    known: Iterable<string>,
  ): void => {
    const all = new Set(known);
    for (const name of Object.keys(names)) diagnostics.known(keyIn(place, key, name), what, name, all);
  };
  check(
    'resources',
    resources,
    'collection',
    operations.map(({ resource }) => resource.collection),
  );
  check(
    'methods',
    methods,
    'operation',
    operations.map(({ name }) => name),
  );
  check(
    'calls',
    calls,
    'operation',
    operations.map(({ key }) => key),
  );
  const found = operations.flatMap(({ key, name, resource: { collection } }): [string, string][] => {
    const usual = `${resources[collection] ?? camelCase(collection)}.${methods[name] ?? camelCase(name)}`;
    const call = calls[key] === undefined ? usual : calls[key];
    return call === null ? [] : [[key, call]];
  });
  return {
    package: client.package,
    begin: client.begin,
    object: client.object,
    calls: new Map(found),
    options: new Map(Object.entries(options).map(([header, name]) => [header.toLowerCase(), name])),
  };
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
