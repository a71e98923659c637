import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../installation.js';
import { keyReference } from './keys.js';

writeFileSync(join(installation(), 'docs', 'reference', 'pack-keys.md'), keyReference());
