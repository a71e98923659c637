import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Copies the documents to where the site is built from. */

const site = dirname(fileURLToPath(import.meta.url));
rmSync(join(site, 'pages'), { recursive: true, force: true });
cpSync(join(site, '..', 'docs'), join(site, 'pages'), { recursive: true });
