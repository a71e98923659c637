import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The header with which one replica hands a call on to another: `<world> <wall time> <signature>`. */
export const forwardedHeader = 'x-sandbox-forwarded';
/** A replica that is handed a call for a world that it does not have says so: the call was not done. */
export const notHereHeader = 'x-sandbox-not-here';
/** Where a replica is asked to release a world. */
export const releasePath = '/__replica__/let-go';
/** Where a replica is asked to begin a world that another one has registered; the signed query says with what. */
const beginPath = '/__replica__/begin';
/** What that is signed in: a replica of a version that begins no worlds for others must not take it for a call of the world. */
export const beginHeader = 'x-sandbox-begin';

/** What a world begins with that is no fork. */
export interface PlainBeginning {
  readonly seed: string;
  readonly t0: number | undefined;
}

export function beginUrl({ seed, t0 }: PlainBeginning): string {
  return `${beginPath}?${new URLSearchParams({ seed, ...(t0 === undefined ? {} : { t0: String(t0) }) }).toString()}`;
}

/** Undefined: the URL asks for something else. */
export function askedBeginning(url: string): PlainBeginning | undefined {
  const [path, query] = url.split('?');
  if (path !== beginPath) return undefined;
  const given = new URLSearchParams(query);
  const t0 = given.get('t0');
  return { seed: given.get('seed') ?? '', t0: t0 === null ? undefined : Number(t0) };
}

/** Milliseconds for which a signature holds. */
const maxAgeMs = 120_000;

/** Calls between replicas of one database, which hold its secret: no other program can forward calls. */
export class Peers {
  /** @param clock the real time that all of them share, in milliseconds */
  constructor(
    private readonly secret: string,
    private readonly clock: { readonly nowMs: number },
  ) {}

  /** What a call for a world is sent with. */
  sign(world: string, method: string, url: string): string {
    const at = Math.floor(this.clock.nowMs);
    return `${world} ${at} ${this.#signature(world, at, method, url)}`;
  }

  /** The world for which a call was forwarded; undefined: it was not; null: the signature is forged. */
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
