import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../tools/commands/init-pack.js';
import { type Document, type Imported, importDocument } from '../../tools/openapi/index.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type TestSandbox, useSandboxes } from '../support/start-sandbox.js';

/** Packs that are imported from documents, and sandboxes of them that end after each test. */

const scratch = scratchFolder();
const { serve } = useSandboxes({ key: 'key_test', t0: '2025-01-01T00:00:00Z' });
let count = 0;

/** A new folder. */
export function newFolder(): string {
  const folder = join(scratch, String(count++));
  mkdirSync(folder);
  return folder;
}

export function importInto(
  document: Document,
  name = 'imported',
): { readonly pack: Imported; readonly folder: string } {
  const folder = newFolder();
  const pack = importDocument(document, name);
  writeFiles(folder, pack.files);
  return { pack, folder };
}

export function serveFolder(folder: string): Promise<TestSandbox> {
  return serve({ pack: folder });
}
