import { writeFileSync } from 'node:fs';
import { generatedSources } from './generated.js';

for (const [path, text] of await generatedSources()) writeFileSync(path, text);
