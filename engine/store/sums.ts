import { createHash } from 'node:crypto';
import { StoreError } from './store.js';

/** Number of bytes of a checksum: 64 bits of a SHA-256, since a CRC may miss damage. */
const SUM_BYTES = 8;

/**
 * Codecs of stored bodies: plain or compressed, each without (older) or with a checksum before the body. The codes with
 * checksums have two bytes, so that no flipped bit turns one codec into another.
 */
const PLAIN = 0;
const BROTLI = 1;
const SUMMED_PLAIN = 0x5350;
const SUMMED_BROTLI = 0x5342;

/** The body of a block or a piece, as stored. */
export interface RowBody {
  readonly codec: number;
  readonly body: Uint8Array;
}

/** Returns one checksum of several related values, as hexadecimal text. */
export function sumOf(values: readonly (string | number | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(values))
    .digest('hex')
    .slice(0, 2 * SUM_BYTES);
}

/** Adds a checksum to a body. @param place its position, from `placeOf`, so that a misplaced body is detected */
export function summed(body: Uint8Array, isCompressed: boolean, place: string): RowBody & { readonly body: Buffer } {
  return { codec: isCompressed ? SUMMED_BROTLI : SUMMED_PLAIN, body: Buffer.concat([bodySum(body, place), body]) };
}

export function placeOf(table: 'block' | 'piece', world: number, number: number): string {
  return `${table} ${number} of world w${world}`;
}

/**
 * Verifies the checksum of a body; returns its bytes, and whether they are compressed. Bodies without checksums are accepted.
 * @throws StoreError `damaged`; `format` if a later version wrote it
 */
export function verified({ codec, body }: RowBody, place: string): { isCompressed: boolean; bytes: Uint8Array } {
  switch (codec) {
    case PLAIN:
    case BROTLI:
      return { isCompressed: codec === BROTLI, bytes: body };
    case SUMMED_PLAIN:
    case SUMMED_BROTLI: {
      const bytes = body.subarray(SUM_BYTES);
      if (!bodySum(bytes, place).equals(body.subarray(0, SUM_BYTES)))
        throw new StoreError('damaged', `the checksum of ${place} is wrong`);
      return { isCompressed: codec === SUMMED_BROTLI, bytes };
    }
    default:
      throw new StoreError('format', `${place} is written as ${codec}`);
  }
}

function bodySum(body: Uint8Array, place: string): Buffer {
  return createHash('sha256').update(`${place}\n`).update(body).digest().subarray(0, SUM_BYTES);
}
