import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installation } from '../../command/installation.js';
import { functionReference } from '../../reference/functions.js';
import { BILLING, generatedPages, pagesFolder, PACKS } from './doc-pages.js';
import { manifests } from './manifests.js';
import { removeMade } from '../../commands/docs.js';

/** Writes the pages of docs/reference that are generated, schemas/functions.json and the manifests for kubectl. */
const root = installation();
for (const folder of PACKS.map(pagesFolder)) removeMade(join(root, folder));
rmSync(join(root, BILLING), { recursive: true, force: true });
for (const [file, text] of await generatedPages()) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
const language = readFileSync(join(root, 'docs', 'reference', 'pack-language.md'), 'utf8');
writeFileSync(join(root, 'schemas', 'functions.json'), `${JSON.stringify(functionReference(language), null, 2)}\n`);
writeFileSync(join(root, 'tools', 'container', 'kubernetes.yaml'), manifests());
