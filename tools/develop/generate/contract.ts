/** Writes the contract of the control API for the package, from the table of its calls. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractText } from '../../../engine/control/index.js';
import { installation } from '../../command/installation.js';

const file = join(installation(), 'schemas', 'control-plane.openapi.json');
writeFileSync(file, `${JSON.stringify(JSON.parse(contractText()), null, 2)}\n`);
