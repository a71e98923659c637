import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles } from '../recordings/sources.js';

/** A public tool: an npm package with its version, or a repository with its commit, and the folders of its own code. */
export interface PublishedTool {
  readonly name: string;
  readonly version?: string;
  readonly commit?: string;
  readonly code: readonly string[];
}

const CODE = /\.(?:js|cjs|mjs|tsx?|py|gql|graphql)$/;
const NOT_CODE = /\.d\.[cm]?ts$|\.min\.|node_modules|(?:^|[/._])(?:tests?|__tests__|spec|fixtures)[/._]/;

/**
 * Reads the files of a tool's own code.
 * @param folder contains unpacked packages
 * @param fetched contains fetched repositories
 */
export function toolCode({ name, version, commit, code }: PublishedTool, folder: string, fetched: string): string[] {
  if (version === undefined)
    return code.flatMap((path) =>
      [...repositoryFiles({ repository: name, commit: commit ?? '', path }, fetched)]
        .filter(([file]) => isCode(file))
        .map(([, bytes]) => bytes.toString()),
    );
  const from = packageFolder(name, version, folder);
  return code.flatMap((path) =>
    readdirSync(join(from, path), { recursive: true, encoding: 'utf8' })
      .filter(isCode)
      .map((file) => readFileSync(join(from, path, file), 'utf8')),
  );
}

/** Returns the folder where a package is unpacked, without its dependencies. */
export function packageFolder(name: string, version: string, folder: string): string {
  const into = join(folder, `${name.replace('/', '+')}@${version}`);
  if (existsSync(join(into, 'package'))) return join(into, 'package');
  mkdirSync(into, { recursive: true });
  const packed = execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts'], { cwd: into });
  execFileSync('tar', ['-xzf', packed.toString().trim().split('\n').at(-1) ?? ''], { cwd: into });
  const [unpacked = 'package'] = readdirSync(into).filter((each) => !each.endsWith('.tgz'));
  return join(into, unpacked);
}

function isCode(name: string): boolean {
  return CODE.test(name) && !NOT_CODE.test(name);
}
