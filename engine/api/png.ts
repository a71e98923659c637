import { deflateSync } from 'node:zlib';

const WIDTH = 640;
const HEIGHT = 400;
/** Height of the bar at the top in pixels, and the grey levels of bar and sheet. */
const BAR = 32;
const [BAR_GREY, SHEET_GREY] = [0xd0, 0xff];
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

let drawn: Buffer | undefined;

/** An empty window as a PNG (8 bits of grey), the same for every page: tests need only an image that opens. */
export function windowPng(): Buffer {
  return (drawn ??= draw());
}

function draw(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header[8] = 8;
  // A line of pixels begins with the number of its filter: 0, for none.
  const lines = Array.from({ length: HEIGHT }, (_, y) => [
    0,
    ...Array<number>(WIDTH).fill(y < BAR ? BAR_GREY : SHEET_GREY),
  ]);
  const data = deflateSync(Buffer.from(lines.flat()));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The checksum of PNG (ISO 3309); Node has it only since 20.15. */
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
