import { accessSync } from 'node:fs';
import { join, relative } from 'node:path';
import sequencer from '@jest/test-sequencer';

/** The slowest suites on an idle machine, slowest first. If one of them started last, it would run alone while the other workers are idle. */
const LONGEST = [
  'test/processes/documents/pages.test.ts',
  'test/processes/package/package.test.ts',
  'test/processes/postgres/replica-kills.test.ts',
  'test/processes/browser/inspector/inspector.test.ts',
  'test/engine/limits.test.ts',
  'test/processes/command/memory.test.ts',
  'test/processes/postgres/replicas.test.ts',
  'test/processes/command/several-vendors.test.ts',
  'test/tools/eval.test.ts',
  'test/processes/command/determinism.test.ts',
  'test/processes/command/chaos.test.ts',
  'test/processes/browser/playwright-runner.test.ts',
  'test/tools/simulate.test.ts',
  'test/processes/survivors.test.ts',
  'test/processes/command/serve.test.ts',
  'test/tools/up.test.ts',
  'test/engine/hostile.test.ts',
  'test/processes/command/exec.test.ts',
  'test/processes/command/replay.test.ts',
  'test/processes/command/recordings.test.ts',
  'test/tools/fmt.test.ts',
  'test/processes/postgres/store.test.ts',
  'test/engine/store/damage.test.ts',
  'test/processes/command/store.test.ts',
];

for (const suite of LONGEST) accessSync(new URL(`../../${suite}`, import.meta.url));

/** Runs the slowest suites first, the others in Jest's own order: failed ones, then the slowest by Jest's cache, then the largest files. */
export default class LongestFirst extends sequencer.default {
  sort(tests) {
    const rank = ({ path, context }) => {
      const suite = relative(join(context.config.rootDir, 'dist', 'suites'), path).replaceAll('\\', '/');
      const at = LONGEST.indexOf(suite.replace(/\.js$/, '.ts'));
      return at < 0 ? LONGEST.length : at;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
