import type { Team } from '../../engine/index.js';
import { isRecord } from '../../engine/values/index.js';
import { parseDuration } from '../../engine/world/index.js';
import { readInputFile } from './input-file.js';
import { Exit, Failure } from './output.js';

/** Names of all keys that a team may have in the file. */
const MEMBERS = ['name', 'keys', 'max_worlds', 'expires', 'longest'];
/** Format of a team's name. Dots are excluded, since they end the team's name in a world's name. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
/** Shortest key of a team, in characters: a shorter one can be guessed. */
const KEY_CHARACTERS = 16;

/** Reads a file of teams: `teams: [{name, keys, max_worlds, expires, longest}]`. @throws Failure that names the team and its problem */
export async function readTeams(file: string): Promise<readonly Team[]> {
  const text = readInputFile(file, 'teams_file_invalid', 'the file of teams ');
  const { parse } = await import('yaml');
  let data: unknown;
  try {
    data = parse(text);
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
  const given = isRecord(data) ? data['teams'] : undefined;
  if (!Array.isArray(given)) throw wrong(file, 'it has no list `teams`');
  const teams = given.map((each: unknown, at) => teamOf(each, (what) => wrong(file, `teams[${at}]: ${what}`)));
  const names = teams.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrong(file, `there are two teams '${twice}'`);
  const keys = teams.flatMap((team) => team.keys);
  if (new Set(keys).size < keys.length) throw wrong(file, 'a key is given twice');
  return teams;
}

function teamOf(given: unknown, problem: (what: string) => Failure): Team {
  if (!isRecord(given)) throw problem("isn't an object");
  const unknown = Object.keys(given).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) throw problem(`has no '${unknown}'; a team has ${MEMBERS.join(', ')}`);
  const { name, keys, max_worlds: maxWorlds, expires, longest } = given;
  if (typeof name !== 'string' || !NAME.test(name))
    throw problem('`name` must have 1 to 32 letters, digits, dashes or underscores');
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isKey))
    throw problem(`\`keys\` must be a list of keys without spaces, each with at least ${KEY_CHARACTERS} characters`);
  if (maxWorlds !== undefined && !(Number.isInteger(maxWorlds) && Number(maxWorlds) > 0))
    throw problem('`max_worlds` must be a whole number above 0');
  const duration = (value: unknown, member: string): number | undefined => {
    if (value === undefined) return undefined;
    const ms = typeof value === 'string' ? parseDuration(value) : undefined;
    if (ms === undefined || ms <= 0) throw problem(`\`${member}\` must be a duration, as 24h`);
    return ms;
  };
  const [expiresMs, longestMs] = [duration(expires, 'expires'), duration(longest, 'longest')];
  if (expiresMs !== undefined && longestMs !== undefined && expiresMs > longestMs)
    throw problem('`expires` is longer than `longest`');
  return { name, keys, maxWorlds: maxWorlds === undefined ? undefined : Number(maxWorlds), expiresMs, longestMs };
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length >= KEY_CHARACTERS && !/\s/.test(value);
}

function wrong(file: string, what: string): Failure {
  return new Failure(Exit.cannotRun, 'teams_file_invalid', `${file}: ${what}`);
}
