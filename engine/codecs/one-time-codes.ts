import { createHmac } from 'node:crypto';

/** Alphabet of base32 (RFC 4648, 6), the format of authenticator apps' secrets. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Computes a one-time code from a secret and a counter (HOTP, RFC 4226, 5.3), with HMAC-SHA1 like authenticator apps. With the
 * number of half minutes since 1970 as the counter, it's the code of RFC 6238 (TOTP).
 * @param secret in base32, in any case; padding and blanks are ignored
 * @param digits number of digits, 6 to 8
 */
export function oneTimeCode(secret: string, counter: number, digits: number): string {
  const moving = Buffer.alloc(8);
  moving.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(counter))));
  const mac = createHmac('sha1', bytesOfBase32(secret)).update(moving).digest();
  const truncated = mac.readUInt32BE(mac[mac.length - 1] & 15) & 0x7fff_ffff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

function bytesOfBase32(text: string): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of text.toUpperCase()) {
    const value = BASE32.indexOf(letter);
    if (value < 0) continue;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}
