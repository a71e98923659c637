import { Exit, Failure, type Output } from '../command/output.js';
import type { ServeOptions } from './serve-options.js';

/** A company in the start message; a key is null if it was shown before and only its hash is stored. */
interface AnnouncedCompany {
  readonly url: string;
  readonly key: string | null;
  readonly vendors: Readonly<Record<string, { readonly url: string; readonly key: string | null }>>;
}

/** Prints the addresses of a company and its packs, their keys, and the certificate that clients have to trust. */
export function announceCompany(
  { url, key, vendors }: AnnouncedCompany,
  { json, quiet }: ServeOptions,
  certificate: string | null,
  output: Output,
): void {
  const shown = Object.entries(vendors).map(([name, each]) => [name, { url: each.url, key: each.key }] as const);
  const trust = certificate === null ? {} : { cert: certificate };
  if (json) return output.print(JSON.stringify({ url, key, vendors: Object.fromEntries(shown), ...trust }));
  if (quiet) return;
  const known = (text: string | null): string => text ?? 'as it was printed at the first start';
  output.print(`company ${url}  ${known(key)}`);
  for (const [name, each] of shown) output.print(`${name} ${each.url}  ${known(each.key)}`);
  if (certificate !== null) output.print(`cert ${certificate}`);
}

/** Creates the failure for packs that can't form a company; undefined for another error. */
export function companyFailure(error: unknown): Failure | undefined {
  if (!(error instanceof RangeError)) return undefined;
  return new Failure(Exit.cannotRun, 'company_invalid', error.message);
}
