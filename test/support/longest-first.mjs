import { accessSync } from 'node:fs';
import { join, relative } from 'node:path';
import sequencer from '@jest/test-sequencer';

/** The suites that take longest on an idle machine, longest first. One that begins last would leave the other worker without work. */
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

/** Jest's order (what failed, then the longest by its cache, then the largest file) behind the suites above. */
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
