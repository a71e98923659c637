import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { judge, type CreatedObject, type Read, type Write } from '../../../tools/develop/kills/history.js';
import type { ReplicaReport } from '../../../tools/develop/kills/replica-campaign.js';
import { postgresOr } from '../../support/postgres.js';
import { sampleCount } from '../../support/sample.js';

describe('the judge of histories', () => {
  const made: CreatedObject[] = ['a', 'b', 'c'].map((name) => ({ name, id: `id_${name}` }));
  const write = (name: string, start: number, end: number, id: string | null = `id_${name}`): Write => ({
    kind: 'write',
    name,
    start,
    end,
    id,
  });
  const read = (seen: string, start: number, end: number, limit = 2): Read => ({
    kind: 'read',
    start,
    end,
    ids: [...seen].reverse().map((name) => `id_${name}`),
    limit,
  });
  const fine = [write('a', 0, 1), write('b', 2, 9), write('c', 3, 4)];

  test('takes what one order explains', () => {
    const calls = [
      ...fine,
      read('', 0, 1),
      read('a', 1, 5),
      read('ab', 2, 5),
      read('bc', 3, 20),
      write('d', 5, Infinity, null),
    ];
    expect(judge(calls, made)).toEqual({ lost: [], doubled: [], disordered: [] });
  });

  test('finds what was lost, and what is there twice', () => {
    expect(judge([...fine, write('d', 5, 6)], made)).toMatchObject({ lost: ['d'], doubled: [] });
    expect(judge(fine, [...made, { name: 'a', id: 'id_again' }])).toMatchObject({ doubled: ['a'] });
  });

  test.each([
    ['a state from before a write that had ended', [read('a', 10, 11)]],
    ['a state with a hole', [read('ac', 10, 11)]],
    ['something before it was asked for', [read('bc', 0, 2.5)]],
    ['less than somebody saw before', [write('c', 3, 30), read('bc', 5, 6), read('ab', 7, 8)]],
    ['writes in another order than they were answered', [write('b', 0, 1), write('a', 2, 3)]],
  ])('finds a read of %s', (_what, calls) => {
    const known = new Set(calls.map((call) => ('name' in call ? call.name : '')));
    const verdict = judge([...fine.filter(({ name }) => !known.has(name)), ...calls], made);
    expect(verdict.disordered).not.toEqual([]);
  });
});

postgresOr(undefined, () => {
  test('replicas that are killed, upgraded, cut off or have a wrong clock lose nothing, double nothing and answer nothing old', async () => {
    // Each of the others is one of these and something more.
    const kinds = 'kill,restart,cut,silence,skew,upgrade';
    const program = [
      'dist/tools/develop/kills/replicas.js',
      '--times',
      String(sampleCount(6, 2)),
      '--worlds',
      '8',
      '--clients',
      '8',
      '--kinds',
      kinds,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    const report = JSON.parse(stdout) as ReplicaReport;
    const { lost, doubled, disordered, undelivered, neverServed, wrong } = report;
    expect({ lost, doubled, disordered, undelivered, neverServed, wrong }).toEqual({
      lost: 0,
      doubled: 0,
      disordered: 0,
      undelivered: 0,
      neverServed: 0,
      wrong: [],
    });
    expect(report.served).toBeGreaterThan(sampleCount(25, 6));
  }, 240_000);
});
