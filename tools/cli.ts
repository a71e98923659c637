#!/usr/bin/env node
import { run } from './command/program.js';

// No top-level await: the bundle is CommonJS, whose compiled code Node 20 can keep.
void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
