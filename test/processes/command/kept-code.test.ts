import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCommand } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';
import { until } from '../../support/waiting.js';

const KEPT = join(ROOT, 'dist', 'app', '.code');
/** Each set of Node's options has files of its own. */
const OPTIONS = `--title=kept-code-${process.pid}`;
const env = { NODE_OPTIONS: OPTIONS };
mkdirSync(KEPT, { recursive: true });

/** The files with these options, which they begin with; other suites start processes too. */
const made = (): string[] =>
  readdirSync(KEPT)
    .filter((name) => name.endsWith('.code'))
    .map((name) => join(KEPT, name))
    .filter((file) => existsSync(file) && readFileSync(file).subarray(0, 1000).includes(OPTIONS));

afterAll(() => made().forEach((file) => rmSync(file, { force: true })));

/** Serves until all compiled code is kept that `isKept` waits for. */
async function serve(isKept: () => boolean): Promise<void> {
  const server = startCommand(['serve', 'test/packs/greenhouse', '--port', '0', '--json'], { env });
  await server.lines(1);
  await until(isKept);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
}

test('compiled code in which one bit has flipped is not run: it is compiled and kept again', async () => {
  await serve(() => made().some((file) => file.includes('serve-thread')));
  const damaged = new Map(
    made().map((file) => {
      const bytes = readFileSync(file);
      bytes[Math.floor(bytes.length * 0.6)] ^= 16;
      writeFileSync(file, bytes);
      return [file, bytes];
    }),
  );
  expect(damaged.size).toBe(2);
  const isDamaged = (file: string): boolean => damaged.get(file)?.equals(readFileSync(file)) === true;
  await serve(() => made().some((file) => file.includes('serve-thread')) && !made().some(isDamaged));
  expect(made().filter(isDamaged)).toEqual([]);
});
