/** Polynomials of checksums by name, bits reversed. */
const POLYNOMIALS = {
  crc32: 0xedb88320,
  crc32c: 0x82f63b78,
} as const;

type ChecksumName = keyof typeof POLYNOMIALS;

export const CHECKSUMS = Object.keys(POLYNOMIALS) as readonly ChecksumName[];

/** Bytes processed in one iteration, with a table for each. */
const SLICES = 8;

const tables = new Map<ChecksumName, Uint32Array>();

export function isChecksum(name: string): name is ChecksumName {
  return Object.hasOwn(POLYNOMIALS, name);
}

/** A 32-bit cyclic redundancy check (RFC 1952, 8; RFC 3720, B.4) with the interface of Node's hashes. */
export class Checksum {
  readonly #table: Uint32Array;
  #crc = 0xffffffff;

  constructor(name: ChecksumName) {
    let table = tables.get(name);
    if (table === undefined) tables.set(name, (table = tableOf(POLYNOMIALS[name])));
    this.#table = table;
  }

  update(bytes: Uint8Array): this {
    const table = this.#table;
    let crc = this.#crc;
    let at = 0;
    for (const end = bytes.length - SLICES; at <= end; at += SLICES) {
      crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
      crc =
        table[1792 + (crc & 0xff)] ^
        table[1536 + ((crc >>> 8) & 0xff)] ^
        table[1280 + ((crc >>> 16) & 0xff)] ^
        table[1024 + (crc >>> 24)] ^
        table[768 + bytes[at + 4]] ^
        table[512 + bytes[at + 5]] ^
        table[256 + bytes[at + 6]] ^
        table[bytes[at + 7]];
    }
    for (; at < bytes.length; at++) crc = table[(crc ^ bytes[at]) & 0xff] ^ (crc >>> 8);
    this.#crc = crc;
    return this;
  }

  digest(encoding: 'hex' | 'base64' | 'base64url'): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((this.#crc ^ 0xffffffff) >>> 0);
    return bytes.toString(encoding);
  }
}

function tableOf(polynomial: number): Uint32Array {
  const table = new Uint32Array(SLICES * 256);
  for (let n = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? polynomial ^ (crc >>> 1) : crc >>> 1;
    table[n] = crc;
  }
  for (let at = 256; at < table.length; at++) table[at] = table[table[at - 256] & 0xff] ^ (table[at - 256] >>> 8);
  return table;
}
