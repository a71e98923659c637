import { parentPort, workerData } from 'node:worker_threads';
import PostalMime from 'postal-mime';

/** The most headers that a mail may have: each is an object that is copied to the serving thread. */
const MOST_HEADERS = 1_000;

/** Parses the email that the thread was started with, and posts the result. */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const email = await new PostalMime({ attachmentEncoding: 'base64' }).parse(workerData as Uint8Array);
  if (email.headers.length > MOST_HEADERS) throw new Error(`a mail has at most ${MOST_HEADERS} headers`);
  port.postMessage({ ...email, headerLines: [] });
}

if (parentPort) void main(parentPort);
