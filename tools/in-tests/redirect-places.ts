/** The address of a pack, which gets the calls to a vendor's hosts. */
export interface RedirectTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * The vendors' host names, each with the address of its pack; `*.vendor.com` means every host below vendor.com. The redirect runs in the
 * application's process, so it doesn't share the engine's matcher.
 */
export type RedirectPlaces = readonly (readonly [string, RedirectTarget])[];

/** Finds the target of a host name; case-insensitive. @returns undefined for other hosts */
export function targetFor(places: RedirectPlaces, name: unknown): RedirectTarget | undefined {
  if (typeof name !== 'string') return undefined;
  const host = name.toLowerCase().replace(/\.$/, '');
  for (const [each, place] of places)
    if (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each) return place;
  return undefined;
}

/** Parses SANDBOX_HOSTS: `host`, which is at the given address, or `host=address`, separated by commas. */
export function placesIn(hosts: string, url: string): RedirectPlaces {
  return hosts.split(',').map((each) => {
    const [host, address = url] = each.split('=');
    return [host, targetAt(address)] as const;
  });
}

/** Parses a pack's address. @throws Error for https */
export function targetAt(url: string): RedirectTarget {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:')
    throw new Error(`redirect speaks plain HTTP: SANDBOX_URL must begin with http://, not ${protocol}//`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 80 : port) };
}
