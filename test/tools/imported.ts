import { writeFiles } from '../../tools/commands/init-pack.js';
import { type Document, type Imported, importDocument } from '../../tools/openapi/index.js';
import { folderOfTest } from '../support/scratch-folder.js';
import { type TestSandbox, useSandboxes } from '../support/start-sandbox.js';

/** Imports a document as a pack in a folder of its own. */
export function importInto(
  document: Document,
  name = 'imported',
): { readonly pack: Imported; readonly folder: string } {
  const folder = folderOfTest();
  const pack = importDocument(document, name);
  writeFiles(folder, pack.files);
  return { pack, folder };
}

/** Sandboxes of such folders, which end after each test. */
export function useFolders(): (folder: string) => Promise<TestSandbox> {
  const { serve } = useSandboxes({ key: 'key_test', t0: '2025-01-01T00:00:00Z' });
  return (folder) => serve({ pack: folder });
}
