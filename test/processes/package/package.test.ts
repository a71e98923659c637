import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { IS_WHOLE } from '../../support/sample.js';
import { commonJsOf, inFunction } from '../../../tools/develop/nodes/common-js.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { skipped } from '../../support/skipped.js';
import { blocksOf, commandsOf, documented, reasonOf } from '../../tools/blocks.js';
import { glob } from '../../tools/documented-samples.js';
import { type Ended, startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

/**
 * The package as users get it: packed, looked at, installed from the registry into an empty folder, and used in projects of every
 * kind. Projects share what was installed; the test runners and the compiler are those of this clone.
 */

const folder = scratchFolder();
const NAME = '@vendor-sandbox/sandbox';
const NPM = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

// The build is that of `npm test`: scripts of the package do not run.
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [Packed];
const tarball = join(folder, packed.filename);

/** Jest gives the one to every file that runs in it; the other is what the client of PostgreSQL would take only if it was asked to. */
const NOT_INSTALLED = ['@jest/globals', 'pg-native'];

/** The package that a module is of. */
const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

const run = (file: string, args: readonly string[], cwd: string): Promise<Ended> =>
  startProcess(file, args, { cwd }).ended;

/** What a whole run alone tries. */
const wholeTest = IS_WHOLE ? test : test.skip;

describe('what is packed', () => {
  const paths = packed.files.map(({ path }) => path);

  test('is code that was compiled, packs, schemas and papers', () => {
    expect(
      new Set(
        paths.map((path) =>
          path
            .split('/')
            .slice(0, path.startsWith('dist/') ? 2 : 1)
            .join('/'),
        ),
      ),
    ).toEqual(
      new Set([
        ...['dist/app', 'dist/engine', 'dist/primed', 'dist/tools', 'packs', 'schemas', 'tasks', 'tools'],
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'docs', 'package.json'],
      ]),
    );
    expect(paths.filter((path) => /\.map$|\.[cm]?ts$/.test(path) && !/\.d\.[cm]?ts$/.test(path))).toEqual([]);
    expect(paths.filter((path) => path.startsWith('dist/tools/develop/'))).toEqual([]);
    expect(paths.filter((path) => /^tools\/(?!templates\/kinds\/|integrations\/)/.test(path))).toEqual([]);
  });

  test('brings the documents that its help and agents name, whose links lead into the package', () => {
    const there = new Set(paths);
    const pages = paths.filter((path) => path.startsWith('docs/'));
    expect(pages).toEqual(
      expect.arrayContaining(['docs/llms.txt', 'docs/skill/SKILL.md', 'docs/reference/command.md']),
    );
    // Pictures, and what is for people who change the sandbox, stay in its repository.
    const outside = /^docs\/(?:pictures|internals)\/|^CONTRIBUTING\.md$|^(?:test|tools|engine|packs)\//;
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, link]) => join(dirname(page), link).replace(/\/$/, ''))
        .filter((file) => !there.has(file) && !outside.test(file) && !pages.some((each) => each.startsWith(`${file}/`)))
        .map((file) => `${page}: ${file}`),
    );
    expect(dead).toEqual([]);
  });

  // Every subcommand loads its code when it runs: what is left out by mistake would be missed by users alone.
  test('holds every module that it imports, and names every package', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const there = new Set(paths);
    // What browsers load finds its modules by the page.
    const code = paths.filter((path) => /\.c?js$/.test(path) && !path.startsWith('dist/tools/inspector/page/'));
    const missing: string[] = [];
    for (const path of code) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const { importedFiles } = ts.preProcessFile(text, true, true);
      // What a function of `createRequire` loads is no import to the bundler.
      const late = [...text.matchAll(/(?:\.href\)|\brequire\$\d+|\bload)\("([@a-z][^"]*)"\)/g)].map(([, name]) => name);
      for (const name of [...importedFiles.map(({ fileName }) => fileName), ...late]) {
        const isThere = name.startsWith('.')
          ? there.has(join(dirname(path), name))
          : isBuiltin(name) ||
            packageOf(name) in { ...dependencies, ...peerDependencies } ||
            NOT_INSTALLED.includes(name);
        if (!isThere) missing.push(`${path} imports ${name}`);
      }
    }
    expect(code.length).toBeGreaterThan(80);
    expect(missing).toEqual([]);
  });

  // npm warns of `prepare` too when a package is installed from a file.
  test('runs nothing at installation, and may be published', () => {
    const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(about).toMatchObject({ name: NAME, license: 'MIT' });
    expect(about).not.toHaveProperty('private');
    expect(Object.keys(about['scripts'] as object).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  });

  test('publint finds nothing wrong', async () => {
    const bin = join(ROOT, 'node_modules', 'publint', 'src', 'cli.js');
    const { code, stdout } = await run(process.execPath, [bin, 'run', tarball, '--strict'], folder);
    expect(stdout).toContain('All good!');
    expect(code).toBe(0);
  });

  const everyWay = ['--profile', 'node16', '--exclude-entrypoints', './vitest', './vitest/setup', './redirect'];
  wholeTest.each<[string, string[]]>([
    ['every way of importing', everyWay],
    ['ES modules alone', ['--profile', 'esm-only', '--entrypoints', './vitest', './vitest/setup', './redirect']],
  ])('types are right for %s', async (_what, args) => {
    const bin = join(ROOT, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
    const { code, stdout } = await run(
      process.execPath,
      [bin, tarball, ...args, '--format', 'ascii', '--no-emoji'],
      folder,
    );
    expect(code === 0 ? '' : stdout).toBe('');
  });
});

/** Installs the package as users do. @returns whether there is a registry to install from */
function installed(): boolean {
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  try {
    execFileSync('npm', ['install', ...NPM, tarball], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(said)) throw error;
    skipped('the package in projects of users. There is no registry to install from.');
    return false;
  }
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  for (const name of ['vitest', 'stripe', '@types/node', '@types/jest', 'jest-environment-node']) {
    const place = join(folder, 'node_modules', name);
    execFileSync('rm', ['-rf', place]);
    symlinkSync(join(ROOT, 'node_modules', name), place);
  }
  return true;
}

const describeInstalled = installed() ? describe : describe.skip;

/** Makes a project, which finds what is installed above it. */
function project(name: string, about: object, files: Readonly<Record<string, string>>): string {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, ...about }));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(place, path), text);
  return place;
}

/** A compiler of TypeScript: today's, or the one before it (`typescript`), which many projects still have and which is slower. */
const compiler = (name: 'typescript' | 'typescript-native'): string => join(ROOT, 'node_modules', name, 'bin', 'tsc');

const MINUTE = documented('docs/start/javascript.md', 'first-payment.mjs');

/** Folders of packages below a folder, those of this clone and of the other C library left out. */
const packagesIn = (place: string): string[] =>
  readdirSync(place, { withFileTypes: true })
    .filter((each) => each.isDirectory() && !each.name.startsWith('.'))
    .flatMap(({ name }) => (name.startsWith('@') ? packagesIn(join(place, name)) : [join(place, name)]))
    .filter((each) => !/-musl$|@types/.test(each));

const bytesIn = (place: string): number =>
  readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

describeInstalled('installed in an empty project', () => {
  test('brings few packages', () => {
    const all = packagesIn(join(folder, 'node_modules'));
    expect(all.length).toBeGreaterThan(10);
    expect(all.length).toBeLessThan(45);
    expect(all.reduce((sum, each) => sum + bytesIn(each), 0)).toBeLessThan(35 * 2 ** 20);
  });

  // What a few commands need is in the bundle.
  test.each([
    ['PostgreSQL', ['store', 'migrate', 'postgres://nobody@127.0.0.1:1/none'], 'ECONNREFUSED'],
    ['editors', ['lsp'], ''],
    ['agents', ['mcp', 'payments'], ''],
    ['documents', ['import-openapi', 'document.json', 'things'], 'packs/things'],
  ])('%s needs no further package', async (_what, args, said) => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      paths: { '/things': { get: { responses: { 200: { description: 'Things' } } } } },
    };
    writeFileSync(join(folder, 'document.json'), JSON.stringify(document));
    const bin = join(folder, 'node_modules', '.bin', 'sandbox');
    const { stdout, stderr } = await run(bin, args, folder);
    expect(stdout + stderr).toContain(said);
    expect(stderr).not.toContain('Cannot find');
  });

  test('the command serves', async () => {
    const bin = join(folder, 'node_modules', '.bin', 'sandbox');
    const ended = await run(
      bin,
      ['exec', 'payments', '--', process.execPath, '-p', '"served at " + process.env.SANDBOX_URL'],
      folder,
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^served at http:/);
  });

  test.each([
    ['an ES module', { type: 'module' }, 'main.js', MINUTE],
    ['plain JavaScript', {}, 'main.js', commonJsOf(MINUTE)],
  ])('%s takes the first payment', async (name, about, file, text) => {
    const place = project(name.replaceAll(' ', '-'), about, { [file]: text });
    expect(await run(process.execPath, [file], place)).toMatchObject({ code: 0, stdout: 'succeeded\n', stderr: '' });
  });

  // Its commands run in the tests of pages too, with this clone in place of the package.
  wholeTest('the README, as it is', async () => {
    const place = project('readme', {}, { 'demo.mjs': documented('README.md', 'demo.mjs') });
    const steps = blocksOf('README.md')
      .filter((block) => block.language === 'console' && reasonOf(block) === undefined)
      .flatMap(commandsOf);
    const begin = `PATH="${join(folder, 'node_modules', '.bin')}:$PATH"; npx() { exec "$@"; };`;
    for (const { command, shown } of steps) {
      const isServer = command.includes(' serve ');
      const shell = startProcess('bash', ['-c', `${begin} ${command}${isServer ? ' --port 0' : ''}`], { cwd: place });
      const printed = isServer ? await shell.lines(shown.length) : (await shell.ended).stdout.trimEnd().split('\n');
      if (isServer) await shell.stop();
      const wanted = shown
        .join('\n')
        .replace(/\d+ ms/, '... ms')
        .replaceAll(':8801', ':...');
      expect([command, printed.join('\n')]).toEqual([command, expect.stringMatching(glob(wanted))]);
    }
    expect(steps.length).toBe(4);
  });

  test('Jest, with its own modules', async () => {
    const config = {
      globalSetup: `${NAME}/jest/setup`,
      globalTeardown: `${NAME}/jest/teardown`,
      testEnvironment: `${NAME}/jest/environment`,
    };
    const failing = `const { useSandbox } = require('${NAME}/jest');
      const sandbox = useSandbox();
      test('fails', async () => {
        const body = new URLSearchParams({ amount: '500', currency: 'usd', confirm: 'true',
          payment_method: 'pm_card_chargeDeclinedInsufficientFunds' });
        await fetch(sandbox.url + '/v1/payment_intents', { method: 'POST', body, headers: { authorization: 'Bearer ' + sandbox.key } });
        await expect(sandbox).toHaveDelivered('customer.created');
      });`;
    // An object of the second world, and one that none has.
    const two = `const { useSandbox } = require('${NAME}/jest');
      const [one, other] = [useSandbox(), useSandbox()];
      async function paid(sandbox) {
        const body = new URLSearchParams({ amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' });
        const headers = { authorization: 'Bearer ' + sandbox.key };
        return (await fetch(sandbox.url + '/v1/payment_intents', { method: 'POST', body, headers })).json();
      }
      test('the world that has it', async () => {
        await expect(await paid(one)).toBeInState('succeeded');
        const { id } = (await paid(other), await paid(other));
        await expect(id).toBeInState('succeeded');
      });
      test('no world', () => expect('pi_none').toBeInState('succeeded'));`;
    const files = {
      'payment.test.js': documented('docs/guides/in-tests.md', 'payment.test.js'),
      'refund.test.js': documented('docs/guides/in-tests.md', 'refund.test.js'),
      'failing.test.js': failing,
      'two.test.js': two,
    };
    const place = project('jest', { jest: config }, files);
    const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
    const { code, stderr } = await run(process.execPath, [jest, '-w', '1'], place);
    expect(stderr).toContain('Tests:       2 failed, 3 passed, 5 total');
    expect(stderr).toContain('no endpoint is registered');
    expect(stderr).toContain('expected pi_none to be succeeded, but no world of this test has it');
    const shown = documented('docs/guides/in-tests.md', 'failure.txt').trimEnd().split('\n');
    const lines = stderr.split('\n').map((line) => line.trim());
    for (const line of shown) expect(lines.find((each) => glob(line.trim()).test(each))).toBeDefined();
    expect(code).toBe(1);
  });

  wholeTest('Jest without configuration', async () => {
    const place = project(
      'bare-jest',
      { jest: {} },
      { 'payment.test.js': documented('docs/guides/in-tests.md', 'payment.test.js') },
    );
    const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
    const { stderr } = await run(process.execPath, [jest, '-w', '1'], place);
    expect(stderr).toContain('Tests:       1 passed, 1 total');
  });

  test('Vitest', async () => {
    const place = project(
      'vitest',
      { type: 'module' },
      {
        'payment.test.js': documented('docs/start/javascript.md', 'payment.test.js'),
        'vitest.config.js': documented('docs/guides/in-tests.md', 'vitest.config.js'),
      },
    );
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const { code, stdout, stderr } = await run(process.execPath, [vitest, 'run', '--no-color'], place);
    expect(`${stdout}${stderr}`).toContain('1 passed');
    expect(code).toBe(0);
  });

  /** An importing file of TypeScript for CommonJS. */
  const IMPORTING = inFunction(MINUTE);

  test('a misspelt world event is an error of the compiler', async () => {
    const options = { module: 'NodeNext', target: 'ES2022', strict: true, types: ['node', 'jest'], skipLibCheck: true };
    const shown = documented('docs/guides/in-tests.md', 'types.ts');
    const place = project(
      'types',
      { type: 'module' },
      {
        'main.ts': `import { useSandbox } from '${NAME}/jest';\n${shown}`,
        'tsconfig.json': JSON.stringify({ compilerOptions: { ...options, noEmit: true }, files: ['main.ts'] }),
      },
    );
    const { stdout } = await run(process.execPath, [compiler('typescript-native'), '--pretty', 'false'], place);
    expect(stdout.split('\n').filter((line) => line.includes('error'))).toEqual([
      expect.stringMatching(/^main\.ts\(3,.*payment\.declinde/),
    ]);
  });

  test.each([
    ['ESNext', 'bundler', 'typescript-native'],
    ...(IS_WHOLE
      ? ([
          ['node16', 'node16', 'typescript-native'],
          ['NodeNext', 'NodeNext', 'typescript-native'],
          ['CommonJS', 'node10', 'typescript'],
        ] as const)
      : []),
  ] as const)(
    '%s with %s compiles without types of other packages, libraries checked too',
    async (module, moduleResolution, name) => {
      const used = `import { createSandbox } from '${NAME}';
      import { useSandbox } from '${NAME}/jest';
      import { useSandbox as inVitest } from '${NAME}/vitest';
      export const port = createSandbox({ pack: 'payments' }).then(({ address }) => address.port.toFixed());
      export const used = [useSandbox().url.length, inVitest().url.length];`;
      const types = ['node', 'jest'];
      const options = { module, moduleResolution, target: 'ES2022', strict: true, types, skipLibCheck: false };
      const about = JSON.stringify({ compilerOptions: { ...options, noEmit: true }, files: ['main.ts'] });
      const place = project(
        `strict-${moduleResolution}`,
        { type: 'module' },
        { 'main.ts': used, 'tsconfig.json': about },
      );
      expect(await run(process.execPath, [compiler(name)], place)).toMatchObject({ stdout: '', code: 0 });
    },
  );

  test('without types of Node it compiles strictly, libraries checked too', async () => {
    const used = `import { createCompany, createSandbox } from '${NAME}';
      import { vendorRoutes } from '${NAME}/next';
      export const { GET } = vendorRoutes({ pack: 'payments', basePath: '/vendors', key: 'sk_test_1' });
      export const response: Promise<Response> = createSandbox({ pack: 'payments', listen: false }).then((sandbox) =>
        sandbox.fetch(new Request(sandbox.url)));
      export const wrong: number = createCompany({ packs: ['payments'] }).then(({ url }) => url);`;
    const options = { module: 'NodeNext', target: 'ES2022', lib: ['ES2022', 'DOM'], strict: true, types: [] };
    const about = JSON.stringify({ compilerOptions: { ...options, noEmit: true }, files: ['main.ts'] });
    const place = project('without-node', { type: 'module' }, { 'main.ts': used, 'tsconfig.json': about });
    const { stdout } = await run(process.execPath, [compiler('typescript-native'), '--pretty', 'false'], place);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^main\.ts\(6,\d+\): error TS2322: .*'Promise<string>'/),
    ]);
  });

  test('Vitest has its types in a CommonJS project', async () => {
    const used = `import { useSandbox } from '${NAME}/vitest';
      export const right: number = useSandbox({ pack: 'payments' }).url.length;
      export const wrong: number = useSandbox({ pack: 'payments' }).url;`;
    const options = { module: 'NodeNext', target: 'ES2022', strict: true, types: ['node'], skipLibCheck: true };
    const about = JSON.stringify({ compilerOptions: { ...options, noEmit: true }, files: ['main.ts'] });
    const place = project('vitest-common', {}, { 'main.ts': used, 'tsconfig.json': about });
    const { stdout } = await run(process.execPath, [compiler('typescript-native'), '--pretty', 'false'], place);
    expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/^main\.ts\(3,.*'string'/)]);
  });

  // The compiler before today's takes half a minute.
  test.each([['NodeNext', 'typescript-native'], ...(IS_WHOLE ? ([['node16', 'typescript']] as const) : [])] as const)(
    'TypeScript with %s: the quick start, an ES module, CommonJS',
    async (module, name) => {
      const files = {
        'quick-start.ts': documented('docs/start/typescript.md', 'first-payment.ts'),
        'main.ts': MINUTE,
        'common.cts': IMPORTING,
      };
      const options = { module, target: 'ES2022', strict: true, types: ['node'], skipLibCheck: true, outDir: 'out' };
      const about = JSON.stringify({ compilerOptions: { ...options, rootDir: '.' }, files: Object.keys(files) });
      const place = project(`ts-${module}`, { type: 'module' }, { ...files, 'tsconfig.json': about });
      expect(await run(process.execPath, [compiler(name)], place)).toMatchObject({ stdout: '', code: 0 });
      const made = [
        ['quick-start.js', 'requires_payment_method\n'],
        ['main.js', 'succeeded\n'],
        ['common.cjs', 'succeeded\n'],
      ] as const;
      for (const [file, stdout] of made)
        expect(await run(process.execPath, [join('out', file)], place)).toMatchObject({ code: 0, stdout, stderr: '' });
    },
  );
});
