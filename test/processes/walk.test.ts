import { execFileSync } from 'node:child_process';

/** Files of the engine that a reader has to open to follow a plain payment through it. */
const MOST = 58;
/** A timer that ticks while a call is slow, and no part of it. */
const BESIDE = 'http/unread.js';

const PROGRAM = `
  import { walkOfPayment } from './dist/tools/develop/bench/walk.js';
  console.log(JSON.stringify(await walkOfPayment()));
`;

test('a warm payment runs through few files of the engine', () => {
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ran = JSON.parse(text) as readonly string[];
  const files = ran.filter((file) => file !== BESIDE);
  // The files say which one has come in where there are too many.
  expect(files.length <= MOST ? [] : files).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['api/api.js', 'runtime/engine.js', 'world/world.js']));
}, 120_000);
