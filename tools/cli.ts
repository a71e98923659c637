#!/usr/bin/env node
import { run } from './command/program.js';

// No top-level await, which CommonJS doesn't support: Node 20 can cache compiled code only of CommonJS.
void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
