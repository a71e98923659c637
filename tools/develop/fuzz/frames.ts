import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { isObject, type Json } from '../../../engine/values/index.js';
import type { Dice } from '../simulate/dice.js';
import { odd } from './oddities.js';

/** A WebSocket connection of a listener (RFC 6455), with the frames that it sends. */
export interface SocketCall {
  readonly kind: 'socket';
  readonly path: string;
  readonly protocol: string | null;
  /** Bytes after the handshake in base64: frames, or invalid data. */
  readonly frames: string;
  /** Additional members of the listener's replies. */
  readonly reply: Json;
  /** Name of the company's pack to connect to. */
  readonly vendor?: string;
}

/** WebSocket opcodes; all others are reserved. */
const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];
/** Milliseconds for which a connection stays open, and after which the next calls follow. */
const [OPEN_MS, WAITED_MS] = [300, 40];
/** Types of replies in vendors' protocols. */
const REPLY_TYPES = ['response', 'webhook_response', 'ack', 'event_ack', 'events_api', ''];

interface FrameOptions {
  readonly isLast?: boolean;
  readonly isMasked?: boolean;
  /** Value of the header's reserved bits. */
  readonly reserved?: number;
  /** Declared payload length; the actual length by default. */
  readonly length?: number;
}

function frame(
  opcode: number,
  payload: string | Buffer,
  { isLast = true, isMasked = true, reserved = 0, length }: FrameOptions = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const size = length ?? bytes.length;
  const head = [(isLast ? 0x80 : 0) | (reserved << 4) | opcode];
  const mask = isMasked ? 0x80 : 0;
  if (size < 126) head.push(mask | size);
  else if (size < 65_536) head.push(mask | 126, size >> 8, size & 0xff);
  else {
    const long = Buffer.alloc(8);
    long.writeBigUInt64BE(BigInt(size));
    head.push(mask | 127, ...long);
  }
  // Masks with zeros, which leaves the payload unchanged.
  return Buffer.concat([Buffer.from(head), Buffer.alloc(isMasked ? 4 : 0), bytes]);
}

/** Frames that a listener sends after its handshake: replies to deliveries, and invalid ones. @param ids returns an id of any kind */
export function framesOf(dice: Dice, id: () => string): Buffer {
  return Buffer.concat(Array.from({ length: 1 + dice.below(4) }, () => dice.one(KINDS)(dice, id)));
}

/** Generates members for a listener's replies, with random values. */
export function replyOf(dice: Dice): Json {
  return {
    type: dice.one(REPLY_TYPES),
    status: odd(dice),
    headers: odd(dice),
    http_headers: odd(dice),
    body: odd(dice),
  };
}

const KINDS: readonly ((dice: Dice, id: () => string) => Buffer)[] = [
  (dice, id) => frame(TEXT, JSON.stringify({ ...withId(id()), ...(replyOf(dice) as object) })),
  (dice) => frame(TEXT, JSON.stringify(odd(dice))),
  (_dice, id) => frame(BINARY, JSON.stringify(withId(id()))),
  (_dice, id) => {
    const text = JSON.stringify(withId(id()));
    const ends = [text.slice(0, 5), text.slice(5, 9), text.slice(9)];
    return Buffer.concat(
      ends.map((part, index) => frame(index === 0 ? TEXT : CONTINUATION, part, { isLast: index === ends.length - 1 })),
    );
  },
  () => frame(CONTINUATION, 'of nothing'),
  () => Buffer.concat([frame(TEXT, 'a', { isLast: false }), frame(TEXT, 'b')]),
  () => frame(PING, 'x'.repeat(125)),
  () => frame(PING, 'x'.repeat(126)),
  () => Buffer.concat(Array.from({ length: 200 }, () => frame(PONG, ''))),
  (dice) => {
    const code = Buffer.alloc(2);
    code.writeUInt16BE(dice.one([1000, 1001, 1005, 1006, 999, 4000, 65_535]));
    return frame(CLOSE, code);
  },
  () => frame(CLOSE, 'x'),
  () => frame(TEXT, '{}', { isMasked: false }),
  (dice) => frame(TEXT, '{}', { reserved: 1 + dice.below(7) }),
  (dice) => frame(dice.one([3, 7, 11, 15]), 'x'),
  (dice) => frame(TEXT, '{}', { length: dice.one([65_536, 2 ** 31, 2 ** 53 - 1]) }),
  () => frame(TEXT, Buffer.from([0xff, 0xfe, 0xc0])),
  () => frame(TEXT, '['.repeat(100_000)),
  () => frame(TEXT, JSON.stringify({ body: 'x'.repeat(1_000_000) })),
  () => Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
];

/** Returns the id of a delivery under the names that listeners use in replies. */
function withId(id: string): Record<string, Json> {
  return { id, webhook_id: id, envelope_id: id };
}

/** Connects, sends the frames, and replies to each message. Never rejects. */
export function sendSocket(url: URL, call: SocketCall): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let head = '';
    let rest: Buffer = Buffer.alloc(0);
    const done = (): void => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), text: head });
    setTimeout(done, WAITED_MS);
    setTimeout(() => socket.destroy(), OPEN_MS).unref();
    socket.on('error', done);
    socket.on('close', done);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      if (head === '') {
        const end = rest.indexOf('\r\n\r\n');
        if (end === -1) return;
        head = rest.subarray(0, end).toString('latin1');
        rest = rest.subarray(end + 4);
        socket.write(Buffer.from(call.frames, 'base64'));
      }
      const { texts, left } = textsIn(rest);
      rest = left;
      for (const text of texts) socket.write(frame(TEXT, replied(text, call.reply)));
    });
    const given = [
      `GET ${call.path} HTTP/1.1`,
      `Host: ${url.host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...(call.protocol === null ? [] : [`Sec-WebSocket-Protocol: ${call.protocol}`]),
    ];
    socket.write(`${given.join('\r\n')}\r\n\r\n`);
  });
}

/** Parses a server's messages: short or long frames, never masked. */
function textsIn(bytes: Buffer): { readonly texts: readonly string[]; readonly left: Buffer } {
  const texts: string[] = [];
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = bytes[at + 1] & 0x7f;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length - at < head) break;
    const size =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    if (bytes.length - at < head + size) break;
    if ((bytes[at] & 0x0f) === TEXT) texts.push(bytes.toString('utf8', at + head, at + head + size));
    at += head + size;
  }
  return { texts, left: bytes.subarray(at) };
}

function replied(text: string, reply: Json): string {
  try {
    const message = JSON.parse(text) as Json;
    return JSON.stringify(isObject(message) && isObject(reply) ? { ...message, ...reply } : reply);
  } catch {
    return text;
  }
}
