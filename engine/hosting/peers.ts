import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Header of calls that one replica forwards to another: `<world> <wall time> <signature>`. */
export const forwardedHeader = 'x-sandbox-forwarded';
/** Response header of a replica that doesn't have the world of a forwarded call: the call was not executed. */
export const notHereHeader = 'x-sandbox-not-here';
/** Path of the request that asks a replica to release a world. */
export const releasePath = '/__replica__/let-go';
/** Path of the request that asks a replica to begin a world registered elsewhere; the signed query contains its options. */
const beginPath = '/__replica__/begin';
/** Header that signs a request to begin a world; its own name, so that older replicas don't take it for a call of the world. */
export const beginHeader = 'x-sandbox-begin';

/** The start of a world that isn't a fork. */
export interface PlainBeginning {
  readonly seed: string;
  readonly t0: number | undefined;
}

export function beginUrl({ seed, t0 }: PlainBeginning): string {
  return `${beginPath}?${new URLSearchParams({ seed, ...(t0 === undefined ? {} : { t0: String(t0) }) }).toString()}`;
}

/** Parses the URL with which another replica begins a world; undefined: it is another request. */
export function askedBeginning(url: string): PlainBeginning | undefined {
  const [path, query] = url.split('?');
  if (path !== beginPath) return undefined;
  const given = new URLSearchParams(query);
  const t0 = given.get('t0');
  return { seed: given.get('seed') ?? '', t0: t0 === null ? undefined : Number(t0) };
}

/** Lifetime of a signature, in milliseconds. */
const maxAgeMs = 120_000;

/** Signs calls between replicas of one database with its secret: no other program can forward calls. */
export class Peers {
  /** @param clock real time shared by all replicas, in milliseconds */
  constructor(
    private readonly secret: string,
    private readonly clock: { readonly nowMs: number },
  ) {}

  /** The signature header for a call of a world. */
  sign(world: string, method: string, url: string): string {
    const at = Math.floor(this.clock.nowMs);
    return `${world} ${at} ${this.#signature(world, at, method, url)}`;
  }

  /** The world of a forwarded call; undefined: not forwarded; null: the signature is invalid. */
  worldOf({ headers, method = '', url = '' }: IncomingMessage, signed = forwardedHeader): string | undefined | null {
    const header = headers[signed];
    if (header === undefined) return undefined;
    const [world, at, signature = ''] = String(header).split(' ');
    const expected = Buffer.from(this.#signature(world, Number(at), method, url));
    const given = Buffer.from(signature);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs && Math.abs(this.clock.nowMs - Number(at)) < maxAgeMs ? world : null;
  }

  #signature(world: string, at: number, method: string, url: string): string {
    return createHmac('sha256', this.secret).update(`${world} ${at} ${method} ${url}`).digest('base64url');
  }
}
