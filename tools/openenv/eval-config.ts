import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../engine/values/index.js';
import { ownVersion } from '../command/installation.js';
import { Exit, Failure } from '../command/output.js';

/** An evaluation in OpenEnv's format `EvalConfig`. */
export interface EvalConfig extends JsonObject {
  readonly harness_name: string;
  readonly harness_version: string;
  readonly library_versions: JsonObject;
  readonly dataset: string;
  readonly eval_parameters: JsonObject;
}

/** The options of `sandbox eval` that an `EvalConfig` file can set. */
interface ConfiguredOptions {
  readonly runs: number;
  readonly jobs: number;
  readonly k?: number;
  readonly min: number;
}

/** Merges the arguments and options of an evaluation with those in an `EvalConfig` file. @throws Failure if the file is invalid */
export function configured<Options extends ConfiguredOptions>(
  given: readonly string[],
  options: Options,
): { readonly given: readonly string[]; readonly options: Options; readonly config: EvalConfig } {
  const { runs, jobs, k, min } = options;
  const [file] = given;
  if (given.length !== 1 || !file.endsWith('.json'))
    return {
      given,
      options,
      config: evalConfig(given.join(','), { runs, jobs, min, ...(k === undefined ? {} : { k }) }),
    };
  const config = readEvalConfig(file);
  const { eval_parameters: parameters } = config;
  const numbers = Object.fromEntries(
    ['runs', 'jobs', 'k', 'min'].flatMap((name) =>
      typeof parameters[name] === 'number' ? [[name, parameters[name]]] : [],
    ),
  );
  return { given: config.dataset.split(','), options: { ...options, ...numbers }, config };
}

/** Reads a file in OpenEnv's format `EvalConfig`. @throws Failure if it is invalid */
function readEvalConfig(file: string): EvalConfig {
  let config: unknown;
  try {
    config = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    config = null;
  }
  if (!isObject(config) || typeof config['dataset'] !== 'string')
    throw new Failure(
      Exit.wrongInput,
      'config_invalid',
      `${file} is no EvalConfig`,
      'It is JSON with `dataset`: packs or tasks.',
    );
  return { ...evalConfig(config['dataset'], {}), ...config };
}

/** Creates the `EvalConfig` of an evaluation. */
function evalConfig(dataset: string, eval_parameters: JsonObject): EvalConfig {
  const version = ownVersion();
  return { harness_name: 'sandbox', harness_version: version, library_versions: {}, dataset, eval_parameters };
}
