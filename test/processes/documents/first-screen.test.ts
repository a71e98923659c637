import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

/** The two commands of the README's first screen that do all the setup. The machine that runs the tests has installed already. */

const firstScreen = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').slice(0, 60);
const commands = firstScreen.flatMap((line) => /^\$ (npm install && .+?) *(?:#.*)?$/.exec(line)?.[1] ?? []);

const npm = (...args: string[]) => startProcess('npm', args);

test('shows one command that runs the main job, and one that passes the tests', () => {
  expect(commands).toEqual(['npm install && npm start', 'npm install && npm test']);
});

test('npm install prints no warning', async () => {
  const { code, stderr } = await npm('install', '--dry-run', '--ignore-scripts', '--prefer-offline').ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string }; optional?: boolean }>;
  };
  const newer = Object.entries(packages).filter(
    ([, { engines, optional }]) => optional !== true && /^>=\s*(2[1-9]|[3-9]\d)/.test(engines?.node ?? ''),
  );
  expect(newer.map(([name]) => name)).toEqual([]);
});

// npm doesn't pass signals on to what its shell runs, so the script runs without it.
test('npm start serves payments', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const server = startProcess('sh', ['-c', `exec ${scripts.start} --port 0 --json --log none`]);
  try {
    const [line] = await server.lines(1);
    const { url, key, pack } = JSON.parse(String(line)) as { url: string; key: string; pack: { name: string } };
    expect(pack.name).toBe('payments');
    const response = await fetch(`${url}/v1/customers`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await response.json()).toMatchObject({ object: 'list', data: [] });
  } finally {
    await server.stop();
  }
});

test('npm test finds the tests', async () => {
  const { code, stdout } = await npm('test', '--ignore-scripts', '--', '--listTests').ended;
  expect(code).toBe(0);
  expect(stdout).toContain('first-screen.test');
});
