/**
 * Lists the files that a server of this package reads and loads, for tools that copy only referenced files: those of Next.js and Nitro follow
 * `require` and paths below __dirname, one per statement. Never called.
 */
// Uses `require`, because tracing tools follow nothing else.
/* oxlint-disable typescript/no-require-imports */
import path = require('node:path');

export function traced(): void {
  path.join(__dirname, '../../app');
  path.join(__dirname, '../../primed');
  path.join(__dirname, '../../engine/control');
  path.join(__dirname, '../../../packs');
  path.join(__dirname, '../../../schemas');
  require('./engine.cjs');
  require('@jridgewell/gen-mapping');
  require('ajv');
  require('ajv-formats');
  require('libsql');
  require('pino');
  require('ws');
  require('yaml');
}
