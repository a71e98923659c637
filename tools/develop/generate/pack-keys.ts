import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { functionReference } from '../../reference/functions.js';
import { keyReference } from '../../reference/keys.js';

const reference = join(installation(), 'docs', 'reference');
writeFileSync(join(reference, 'pack-keys.md'), keyReference());
writeFileSync(
  join(installation(), 'schemas', 'functions.json'),
  `${JSON.stringify(functionReference(readFileSync(join(reference, 'pack-language.md'), 'utf8')), null, 2)}\n`,
);
