/** Scores a run with the vendor's unmodified grader: the share of its examples that pass. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { served } from './graders.mjs';
import { SETS } from './sets.mjs';
import { settingsOf, workOf } from './work.mjs';

const { task, run } = JSON.parse(await text(process.stdin));
const each = SETS.find(({ name }) => name === task);
const root = workOf(task, run);
const env = settingsOf(each);
const [folder, command, file] = each.grader;
const cwd = join(root, folder);

/** Results of the specs' examples, as `[name, whether it passed]`. */
function bySpecs() {
  const out = join(root, 'examples.json');
  const { stderr } = spawnSync(command, [file, '--format', 'json', '--out', out], { cwd, env, encoding: 'utf8' });
  const { examples = [] } = existsSync(out) ? JSON.parse(readFileSync(out, 'utf8') || '{}') : {};
  if (examples.length === 0) console.error(stderr);
  return examples
    .filter(({ status }) => status !== 'pending')
    .map(({ full_description, status }) => [full_description, status === 'passed' ? 1 : 0]);
}

/** Reads the scores that a program prints. */
function byScores() {
  const { stdout, stderr } = spawnSync(command, [file], { cwd, env, encoding: 'utf8' });
  if (stdout === '') console.error(stderr);
  return JSON.parse(stdout.slice(stdout.indexOf('[')) || '[]').map(({ challenge_name, score }) => [
    challenge_name,
    score,
  ]);
}

let points = [];
if (each.submission) points = byScores();
else await served(join(root, readFileSync(join(root, 'served'), 'utf8')), each.serve, env, () => (points = bySpecs()));
const sum = points.reduce((total, [, score]) => total + score, 0);
const failed = points.filter(([, score]) => score !== 1).map(([name]) => name);
const note = `${points.length - failed.length} of ${points.length}${failed.length === 0 ? '' : `; not: ${failed.join(', ').slice(0, 200)}`}`;
console.log(JSON.stringify({ score: points.length === 0 ? 0 : sum / points.length, note }));
