import { Worker } from 'node:worker_threads';
import type { Email } from 'postal-mime';
import { threadFile } from '../store/thread-file.js';

/** Size in bytes from which a mail is parsed in a thread. */
const THREAD_BYTES = 16 * 1024;
/** Time limit for parsing a mail, in milliseconds. Thousands of parts take longer than megabytes of files. */
const READING_MS = 30_000;
/** Memory limit for the objects of a mail while it is parsed, in MB. */
const HEAP_MB = 512;

let last: Promise<unknown> = Promise.resolve();

/**
 * Parses an email (RFC 5322, MIME). The time depends on its structure more than on its length, so all but short emails are
 * parsed in a thread, one at a time, beside other calls.
 * @throws Error if it can't be parsed, or not within half a minute
 */
export async function readMail(mail: Buffer): Promise<Email> {
  if (mail.length < THREAD_BYTES) {
    const { default: PostalMime } = await import('postal-mime');
    return new PostalMime({ attachmentEncoding: 'base64' }).parse(mail);
  }
  const reading = last.then(() => readInThread(mail));
  last = reading.catch(() => undefined);
  return reading;
}

function readInThread(mail: Buffer): Promise<Email> {
  const thread = new Worker(threadFile('./mail-thread.js', import.meta.url), {
    workerData: mail,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise<Email>((resolve, reject) => {
    const late = setTimeout(() => void thread.terminate(), READING_MS).unref();
    thread.once('message', resolve).once('error', reject);
    thread.once('exit', () => {
      clearTimeout(late);
      reject(new Error('the mail takes too long to read'));
    });
  });
}
