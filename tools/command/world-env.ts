interface AddressedPart {
  readonly url: string;
  readonly key: string;
}

/** A world, with the address and key of each pack of a company. */
export interface AddressedWorld extends AddressedPart {
  readonly vendors?: Readonly<Record<string, AddressedPart>>;
}

/** Returns environment variables with a world's address: SANDBOX_URL and SANDBOX_KEY, and SANDBOX_<NAME>_URL and _KEY for each pack. */
export function envOfWorld({ url, key, vendors = {} }: AddressedWorld): Readonly<Record<string, string>> {
  const own = Object.entries(vendors).flatMap(([name, part]) => [
    [variableOf(name, 'URL'), part.url],
    [variableOf(name, 'KEY'), part.key],
  ]);
  return { SANDBOX_URL: url, SANDBOX_KEY: key, ...(Object.fromEntries(own) as object) };
}

/** Returns the name of an environment variable: `SANDBOX_URL`, or `SANDBOX_MAIL_URL` for a vendor of a company. */
export function variableOf(vendor: string | undefined, what: 'URL' | 'KEY' | 'MCP_URL'): string {
  return vendor === undefined ? `SANDBOX_${what}` : `SANDBOX_${vendor.toUpperCase().replace(/\W/g, '_')}_${what}`;
}
