import { execFile, spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryFiles } from '../recordings/sources.js';

/** A public program that is tested: `tools/develop/clients/programs/<name>/program.json`. */
interface ClientProgram {
  readonly name: string;
  readonly title: string;
  /** The pack that the program runs against; payments by default. */
  readonly pack?: string;
  /**
   * Requirements: `postgres`, or Debian packages as `python:<module>:<package>`, `ruby:<library>:<package>`, `php:<extension or folder>:<package>`,
   * `command:<name>:<package>`.
   */
  readonly needs: readonly string[];
  /** Public repositories to fetch, each with its commit and the folder to copy. */
  readonly repositories?: readonly FolderOfRepository[];
  /** npm packages to install, with versions. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** The script to run; `steps.mjs` by default. */
  readonly script?: string;
  /** The Python version, if Debian's packages are too old; Debian's by default. */
  readonly python?: string;
  /** Whether connections are redirected to the sandbox, because the program only supports the vendor's address. */
  readonly redirect?: boolean;
  /** Start of the world's clock; the current time by default. */
  readonly t0?: string;
  /** Name of another program whose steps this one runs with other packages. */
  readonly steps?: string;
  /** Reasons for expected failures, by step name. */
  readonly differences?: Readonly<Record<string, string>>;
  /** Variables of the pack, such as the account's version of the API. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** A folder of a public repository. */
interface FolderOfRepository {
  readonly repository: string;
  readonly commit: string;
  /** Path of the folder; empty for the whole repository, which needs `into`. */
  readonly path: string;
  /** Target path below the program's folder. */
  readonly into?: string;
}

/** The result of a step. */
interface ClientStep {
  readonly step: string;
  readonly ok: boolean;
  readonly why?: string;
}

/** The result of a program. */
export interface Outcome {
  readonly program: ClientProgram;
  readonly steps: readonly ClientStep[];
  /** Why the program was skipped, and what to install; null if it ran. */
  readonly skipped: string | null;
}

const run = promisify(execFile);
/** Debian's packages need Debian's Python, even if another one is first in PATH. */
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const REDIRECT = new URL('../../in-tests/redirect.js', import.meta.url).href;
/** Folder of fetched repositories. */
export const FETCHED = join(tmpdir(), 'vendor-sandbox-clients', 'repositories');
const INSTALL_MS = 300_000;
const STEPS_MS = 600_000;

export function programsIn(folder: string): ClientProgram[] {
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'program.json')))
    .map((name) => ({
      name,
      ...(JSON.parse(readFileSync(join(folder, name, 'program.json'), 'utf8')) as Omit<ClientProgram, 'name'>),
    }));
}

/**
 * Installs a program's dependencies outside of the project, and copies its steps there.
 * @param fetched the folder of the repositories
 * @returns the program's folder, or the reason why it can't run
 */
export async function install(
  program: ClientProgram,
  from: string,
  fetched = FETCHED,
): Promise<{ folder: string } | { skipped: string }> {
  const folder = join(tmpdir(), 'vendor-sandbox-clients', program.name);
  mkdirSync(folder, { recursive: true });
  for (const need of program.needs) {
    const [kind, module, pack] = need.split(':');
    const check: [string, string[]] | undefined =
      kind === 'python'
        ? [program.python ?? PYTHON, ['-c', `import ${module}`]]
        : kind === 'ruby'
          ? ['ruby', ['-e', `require '${module}'; exit! true`]]
          : kind === 'php'
            ? [
                'php',
                ['-r', `exit(extension_loaded('${module}') || stream_resolve_include_path('${module}') ? 0 : 1);`],
              ]
            : kind === 'command'
              ? [module, ['--version']]
              : undefined;
    if (check === undefined) continue;
    const found = await run(...check).then(
      () => true,
      () => false,
    );
    if (!found) return { skipped: `install the Debian package ${pack}` };
  }
  const { dependencies = {} } = program;
  const description = JSON.stringify(
    { name: `client-${program.name}`, private: true, type: 'module', dependencies },
    null,
    2,
  );
  const file = join(folder, 'package.json');
  const isInstalled =
    existsSync(file) && readFileSync(file, 'utf8') === description && existsSync(join(folder, 'node_modules'));
  if (Object.keys(dependencies).length > 0 && !isInstalled) {
    writeFileSync(file, description);
    try {
      await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
        cwd: folder,
        timeout: INSTALL_MS,
      });
    } catch (error) {
      writeFileSync(file, '{}');
      const names = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
      const [reason] = String(error instanceof Error ? error.message : error).split('\n');
      return { skipped: `npm could not install ${names.join(', ')}: ${reason}` };
    }
  }
  for (const each of program.repositories ?? []) {
    try {
      rmSync(join(folder, each.into ?? '', each.path), { recursive: true, force: true });
      for (const [name, bytes] of repositoryFiles(each, fetched)) {
        const file = join(folder, each.into ?? '', each.path, name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, bytes);
      }
    } catch (error) {
      const [reason] = String(error instanceof Error ? error.message : error).split('\n');
      return { skipped: `${each.repository} could not be fetched: ${reason}` };
    }
  }
  for (const language of ['mjs', 'py']) copyFileSync(join(from, `steps.${language}`), join(folder, `kit.${language}`));
  for (const shared of ['prelude.rb', 'graders.mjs', 'probot.mjs', 'replica.py', 'sqlite3.mjs'])
    copyFileSync(join(from, shared), join(folder, shared));
  cpSync(join(from, program.steps ?? program.name), folder, { recursive: true });
  return { folder };
}

/** Runs the steps of an installed program. */
export function play(
  { script = 'steps.mjs', redirect = false, python = PYTHON }: ClientProgram,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<ClientStep[]> {
  return new Promise((resolve) => {
    const command = script.endsWith('.py') ? python : process.execPath;
    const child = spawn(command, [...(redirect ? ['--import', REDIRECT] : []), script], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), STEPS_MS);
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('close', (code) => {
      clearTimeout(timer);
      const steps = out
        .split('\n')
        .flatMap((line): ClientStep[] => (line.startsWith('{"step"') ? [JSON.parse(line) as ClientStep] : []));
      if (code !== 0)
        steps.push({ step: 'it ends', ok: false, why: err.trim().slice(-400) || `it ended with ${String(code)}` });
      resolve(steps);
    });
  });
}
