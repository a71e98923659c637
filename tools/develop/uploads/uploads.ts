import { createHash } from 'node:crypto';
import { type CallAddress, callWorld } from '../kit/calls.js';

/** The result of an upload. */
export interface UploadResult {
  readonly what: string;
  readonly status: number;
  /** Whether the download returned the same bytes. */
  readonly isSame: boolean;
  readonly ms: number;
  /** Downloads the file again and returns whether it is still the same. */
  readonly again: () => Promise<boolean>;
}

type Upload = (server: CallAddress, bytes: Bytes) => Promise<{ readonly status: number; readonly back: Request }>;
type Bytes = Buffer<ArrayBuffer>;

const at = ({ url, key }: CallAddress, path: string, accept = '*/*'): Request =>
  new Request(`${url}${path}`, { headers: { authorization: `Bearer ${key}`, accept } });

/** Uploads as clients of each pack make them, each with the request that downloads the file. */
const UPLOADS: Readonly<Record<string, Readonly<Record<string, Upload>>>> = {
  'code-hosting': {
    'release asset': async (server, bytes) => {
      const release = await callWorld(server, 'POST /repos/octo/r/releases', { tag_name: `v${bytes[0]}` });
      const line = `POST /repos/octo/r/releases/${String(release.body['id'])}/assets?name=a.bin`;
      const { status, body } = await callWorld(server, line, bytes, { 'content-type': 'application/zip' });
      return { status, back: at(server, `/downloads/assets/${String(body['id'])}`) };
    },
    blob: async (server, bytes) => {
      const sent = { encoding: 'base64', content: bytes.toString('base64') };
      const { status, body } = await callWorld(server, 'POST /repos/octo/r/git/blobs', sent);
      return { status, back: at(server, `/repos/octo/r/git/blobs/${String(body['sha'])}`, 'application/json') };
    },
    contents: async (server, bytes) => {
      const path = `/repos/octo/r/contents/big-${bytes[0]}.bin`;
      const sent = { message: 'm', content: bytes.toString('base64') };
      const { status } = await callWorld(server, `PUT ${path}`, sent);
      return { status, back: at(server, path, 'application/vnd.github.raw') };
    },
  },
  'team-chat': {
    file: async (server, bytes) => {
      const asked = `/api/files.getUploadURLExternal?filename=a.bin&length=${bytes.length}`;
      const { body } = await callWorld(server, `GET ${asked}`);
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), 'a.bin');
      const { status } = await callWorld(server, `POST ${String(body['upload_url'])}`, form);
      const done = { files: [{ id: body['file_id'] }] };
      const made = await callWorld(server, 'POST /api/files.completeUploadExternal', done);
      const [file] = made.body['files'] as readonly Record<string, unknown>[];
      return { status, back: new Request(String(file['url_private']), at(server, '/')) };
    },
  },
  payments: {
    evidence: async (server, bytes) => {
      const form = new FormData();
      form.append('purpose', 'dispute_evidence');
      // Starts the file like a PDF, since packs detect the type from the first bytes.
      const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes.subarray(0, 5_000_000 - 9)]);
      pdf.copy(bytes);
      form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'evidence.pdf');
      const { status, body } = await callWorld(server, 'POST /v1/files', form);
      return { status, back: at(server, `/v1/files/${String(body['id'])}/contents`) };
    },
  },
};

export const UPLOAD_PACKS = Object.keys(UPLOADS);

/** Uploads a file of each kind that a pack accepts, downloads it, and compares the two. @param round from 0; each round uploads other bytes */
export async function* uploads(
  pack: string,
  server: CallAddress,
  size: number,
  round: number,
): AsyncGenerator<UploadResult> {
  if (pack === 'code-hosting' && round === 0)
    await callWorld(server, 'POST /user/repos', { name: 'r', auto_init: true });
  for (const [what, upload] of Object.entries(UPLOADS[pack])) {
    const bytes = Buffer.alloc(size, round + 1);
    const began = performance.now();
    const { status, back } = await upload(server, bytes);
    const again = async (): Promise<boolean> => isEqual(await fetch(back.clone()), bytes);
    const isSame = await again();
    yield { what, status, isSame, again, ms: Math.round(performance.now() - began) };
  }
}

/** Whether a response returns these bytes, or a prefix with the declared length; JSON contains them in base64. */
async function isEqual(response: Response, bytes: Bytes): Promise<boolean> {
  let body = Buffer.from(await response.arrayBuffer());
  if (response.headers.get('content-type')?.includes('json') === true) {
    const { content } = JSON.parse(body.toString('latin1')) as { readonly content?: string };
    body = Buffer.from(content ?? '', 'base64');
  }
  const wanted =
    bytes.subarray(0, 9).toString() === '%PDF-1.7\n' ? bytes.subarray(0, Math.min(bytes.length, 5_000_000)) : bytes;
  return response.ok && digest(body) === digest(wanted);
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
