import { uploads, type UploadResult } from '../../../tools/develop/uploads/uploads.js';
import { startCommand } from '../../support/processes.js';

/** Files of real size at a small heap: a sample of `tools/develop/uploads/main.ts`. */

test.each([
  ['code-hosting', ['release asset', 'blob', 'contents']],
  ['team-chat', ['file']],
])(
  '%s takes and returns files of real size at a small heap',
  async (pack, kinds) => {
    const server = startCommand(['serve', pack, '--port', '0', '--json'], {
      env: { NODE_OPTIONS: '--max-old-space-size=96' },
    });
    try {
      const [line] = await server.lines(1);
      const results: UploadResult[] = [];
      for await (const each of uploads(pack, JSON.parse(line) as { url: string; key: string }, 12_000_000, 0))
        results.push(each);
      expect(results.map(({ what, isSame }) => [what, isSame])).toEqual(kinds.map((what) => [what, true]));
      expect(server.child.exitCode).toBeNull();
    } finally {
      await server.stop('SIGKILL');
    }
  },
  120_000,
);
