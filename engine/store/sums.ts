import { createHash } from 'node:crypto';
import { StoreError } from './store.js';

/** Bytes of a checksum: 64 bits of a SHA-256, which also finds damage that leaves a CRC as it was. */
const SUM_BYTES = 8;

/**
 * How a body is written: as text or compressed, both from before checksums, or with a checksum before it. The later numbers take two
 * bytes, so that no flipped bit makes one of the others of them.
 */
const PLAIN = 0;
const BROTLI = 1;
const SUMMED_PLAIN = 0x5350;
const SUMMED_BROTLI = 0x5342;

/** A body of a block or a piece, as a row has it. */
export interface RowBody {
  readonly codec: number;
  readonly body: Uint8Array;
}

/** The checksum of values that belong together, as hexadecimal text. */
export function sumOf(values: readonly (string | number | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(values))
    .digest('hex')
    .slice(0, 2 * SUM_BYTES);
}

/**
 * A body with its checksum.
 * @param place what it belongs to, as `placeOf` writes it: a body that ends up elsewhere is found too
 */
export function summed(body: Uint8Array, isCompressed: boolean, place: string): RowBody & { readonly body: Buffer } {
  return { codec: isCompressed ? SUMMED_BROTLI : SUMMED_PLAIN, body: Buffer.concat([bodySum(body, place), body]) };
}

export function placeOf(table: 'block' | 'piece', world: number, number: number): string {
  return `${table} ${number} of world w${world}`;
}

/**
 * The bytes of a body whose checksum is right, and whether they are compressed. Bodies from before checksums are taken as they are.
 * @throws StoreError `damaged`; `format` for one that a later version wrote
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
