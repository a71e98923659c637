import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { functions, methods, specials } from '../../../engine/expression/index.js';
import { loadPack } from '../../../engine/index.js';
import { type PackSource, readPack } from '../../../engine/pack/index.js';
import { explained, proposals } from '../../../tools/lsp/responses.js';
import { packNames, sameName } from '../../../tools/lsp/names.js';
import { functionReference } from '../../../tools/reference/functions.js';
import { ROOT } from '../../support/root.js';

type Json = Readonly<Record<string, unknown>>;

/** An editor: what it sends and what it is told over JSON-RPC. */
class Editor {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #waiting: {
    readonly uri: string;
    readonly wanted: (problems: readonly Json[]) => boolean;
    readonly done: (problems: readonly Json[]) => void;
  }[] = [];
  #buffer = Buffer.alloc(0);
  #id = 0;

  constructor() {
    this.#child = spawn(process.execPath, [join(ROOT, 'dist/app/cli.cjs'), 'lsp', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  #take(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/.exec(this.#buffer.toString('latin1')) ?? [];
      if (head === undefined || this.#buffer.length < head.length + Number(length)) return;
      const body = this.#buffer.subarray(head.length, head.length + Number(length)).toString();
      this.#buffer = this.#buffer.subarray(head.length + Number(length));
      this.#told(JSON.parse(body) as Json);
    }
  }

  #told({ id, result, method, params }: Json): void {
    if (typeof id === 'number' && method === undefined) this.#answers.get(id)?.(result);
    if (method !== 'textDocument/publishDiagnostics') return;
    const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Json[] };
    for (const each of [...this.#waiting])
      if (each.uri === uri && each.wanted(diagnostics)) {
        this.#waiting.splice(this.#waiting.indexOf(each), 1);
        each.done(diagnostics);
      }
  }

  #send(message: Json): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  ask<T>(method: string, params: Json): Promise<T> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#answers.set(id, (result) => resolve(result as T));
      this.#send({ id, method, params });
    });
  }

  tell(method: string, params: Json): void {
    this.#send({ method, params });
  }

  /** The first problems of a file that are as wanted. */
  problems(uri: string, wanted: (problems: readonly Json[]) => boolean): Promise<readonly Json[]> {
    return new Promise((done) => this.#waiting.push({ uri, wanted, done }));
  }

  end(): Promise<number | null> {
    return new Promise((resolve) => {
      this.#child.once('exit', resolve);
      void this.ask('shutdown', {}).then(() => this.tell('exit', {}));
    });
  }
}

const folder = mkdtempSync(join(tmpdir(), 'lsp-'));
cpSync(join(ROOT, 'test/packs/forge'), folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'resources/issue.yaml');
const uri = pathToFileURL(file).href;
// What the editor holds has a step and a list more than the file.
const text = readFileSync(file, 'utf8')
  .replace('order: created_at\n', 'order: created_at\nindexes: [title]\n')
  .replace(
    '    do:\n      - create: issue',
    "    do:\n      - { fail: not_found, when: 'get(repo, params.title) != null' }\n      - create: issue",
  );

/** The position behind a text, or inside it. */
function at(source: string, needle: string, inside = needle.length) {
  const offset = source.indexOf(needle) + inside;
  const before = source.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before[before.length - 1].length };
}

test('an editor is told of problems as they are typed, and helped with names, keys, fields and functions', async () => {
  const editor = new Editor();
  const { capabilities } = await editor.ask<{ capabilities: Json }>('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
  });
  expect(capabilities).toMatchObject({ renameProvider: { prepareProvider: true }, hoverProvider: true });
  editor.tell('initialized', {});
  const textDocument = { uri };
  const clean = editor.problems(uri, (problems) => problems.length === 0);
  editor.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  expect(await clean).toEqual([]);

  let version = 1;
  const write = (changed: string): void =>
    editor.tell('textDocument/didChange', {
      textDocument: { uri, version: ++version },
      contentChanges: [{ text: changed }],
    });
  const broken = text.replace('fail: not_found', 'fail: not_fond');
  const told = editor.problems(uri, (problems) => problems.length > 0);
  write(broken);
  const diagnostics = await told;
  expect(diagnostics).toEqual([
    expect.objectContaining({
      message: expect.stringContaining("did you mean 'not_found'?") as unknown,
      severity: 1,
      range: expect.objectContaining({ start: at(broken, 'not_fond', 0) }) as unknown,
    }),
  ]);
  const [fix] = await editor.ask<{ title: string; edit: { changes: Record<string, { newText: string }[]> } }[]>(
    'textDocument/codeAction',
    { textDocument, range: diagnostics[0]['range'], context: { diagnostics } },
  );
  expect([fix.title, fix.edit.changes[uri][0].newText]).toEqual(['Change to not_found', 'not_found']);

  const complete = async (changed: string, needle: string): Promise<string[]> => {
    write(changed);
    const items = await editor.ask<{ label: string }[]>('textDocument/completion', {
      textDocument,
      position: at(changed, needle),
    });
    return items.map(({ label }) => label);
  };
  expect(await complete(text.replace('fail: not_found', 'fail: na'), 'fail: na')).toEqual(
    expect.arrayContaining(['name_taken', 'not_found']),
  );
  expect(await complete(text.replace('create: issue', 'create: i'), '- create: i')).toEqual(
    expect.arrayContaining(['issue', 'repo', 'hook']),
  );
  expect(await complete(text.replace('  retrieve: {', '  close:\n    ro\n  retrieve: {'), '    ro')).toEqual(
    expect.arrayContaining(['route', 'params', 'do']),
  );
  expect(await complete(text.replace('=vars.login', '=self.ti'), '=self.ti')).toEqual(
    expect.arrayContaining(['title', 'state']),
  );
  expect(await complete(text.replace('=vars.login', '"=max(1, sp)"'), '"=max(1, sp')).toEqual(
    expect.arrayContaining(['split', 'now']),
  );
  expect(await complete(text.replace('title!, body,', 'title!, bo,'), 'title!, bo')).toEqual(
    expect.arrayContaining(['body', 'state']),
  );
  write(text);

  const position = at(text, 'fail: not_found', 8);
  const [definition] = await editor.ask<{ uri: string }[]>('textDocument/definition', { textDocument, position });
  expect(definition.uri).toBe(pathToFileURL(join(folder, 'errors.yaml')).href);
  const hover = await editor.ask<{ contents: { value: string } }>('textDocument/hover', {
    textDocument,
    position: at(text, 'indexes', 3),
  });
  expect(hover.contents.value).toContain('Fields by which lists filter');

  const renamed = await editor.ask<{ changes: Record<string, readonly Json[]> }>('textDocument/rename', {
    textDocument,
    position: at(text, '{ ref: repo', 9),
    newName: 'project',
  });
  expect(
    Object.keys(renamed.changes)
      .map((each) => each.slice(pathToFileURL(folder).href.length + 1))
      .sort(),
  ).toEqual(expect.arrayContaining(['resources/issue.yaml', 'resources/repo.yaml']));
  const edits = renamed.changes[uri];
  expect(edits.length).toBeGreaterThan(1);
  expect(edits.every(({ newText }) => newText === 'project')).toBe(true);

  const formatted = `${text}\n\n\n`;
  write(formatted);
  const [edit] = await editor.ask<{ newText: string }[]>('textDocument/formatting', {
    textDocument,
    options: { tabSize: 2, insertSpaces: true },
  });
  expect(edit.newText.endsWith('\n\n')).toBe(false);
  expect(await editor.end()).toBe(0);
});

/** What the language server answers, without an editor between. */
describe('newer keys, functions and states', () => {
  const read = (pack: string): PackSource => readPack(join(ROOT, 'test/packs', pack)).source;

  /** What is proposed where `|` stands in `to`, which replaces `from` in a file. */
  function proposed(source: PackSource, path: string, from: string, to: string): string[] {
    const found = source.files.find((each) => each.path === path);
    if (!found?.text.includes(from)) throw new Error(`${path} has no ${from}`);
    const changed = found.text.replace(from, to.replace('|', ''));
    const offset = changed.indexOf(to.replace('|', '')) + to.indexOf('|');
    return proposals(source, path, found.kind, changed, offset).map(({ label }) => label);
  }

  test.each([
    ['pack.yaml', "operations: ['papers.*']", 'operations: [pa|]', ['papers.buy', 'orders.create']],
    ['pack.yaml', 'kind: sliding', 'kind: s|', ['sliding', 'bucket']],
    ['pack.yaml', 'window: rush', 'window: r|', ['rush', 'shelf_life']],
    ['pack.yaml', 'error: too_fast', 'error: t|', ['too_fast', 'token_expired']],
    ['pack.yaml', '=remaining', '=re|', ['remaining', 'retry_after', 'round']],
    ['pack.yaml', 'per: request.token', 'per: p|', ['params', 'request']],
    ['pack.yaml', 'field: word', 'field: w|', ['word', 'ends_at']],
    ['pack.yaml', 'papers.buy: paper.purchase', 'pa|: paper.purchase', ['papers.buy', 'papers.retrieve']],
    ['pack.yaml', 'except: [tokens.create]', 'ex|: [tokens.create]', ['except', 'error', 'kind']],
    ['pack.yaml', 'algorithm: sha512', 'algorithm: s|', ['sha512', 'ecdsa-sha256']],
    ['pack.yaml', 'total: =total_count', 'total: =to|', ['total_count', 'next_url']],
    ['resources/paper.yaml', 'after: [token]', 'after: [t|]', ['token', 'order']],
    ['resources/paper.yaml', 'on_delete: refuse', 'on_delete: r|', ['refuse', 'cascade', 'clear']],
    ['resources/paper.yaml', 'keys: [page]', 'keys: [p|]', ['page']],
    ['resources/paper.yaml', '=has(given.left)', '=gi|(given.left)', ['given', 'self']],
    ['browser.yaml', 'operation: papers.buy', 'operation: p|', ['papers.buy']],
    ['browser.yaml', 'page: cover', 'page: c|', ['cover']],
    ['versions/2025-06-01.yaml', 'rename: { buyer: last_buyer }', 'rename: { b|: last_buyer }', ['buyer', 'left']],
    ['versions/2025-06-01.yaml', 'remove: [sold, cover.note]', 'remove: [s|]', ['sold', 'title']],
    ['versions/2025-06-01.yaml', 'refuse: { pages: no_change }', 'refuse: { pages: n| }', ['no_change', 'not_found']],
  ])('%s: %s', (path, from, to, wanted) => {
    expect(proposed(read('kiosk'), path, from, to)).toEqual(expect.arrayContaining(wanted));
  });

  test.each([
    [
      'resources/booking.yaml',
      'ascending: [boarding_at, sails_at]',
      'ascending: [b|, sails_at]',
      ['boarding_at', 'amount'],
    ],
    ['resources/booking.yaml', 'exclusive: [coupon, voucher]', 'exclusive: [c|, voucher]', ['coupon', 'change_fee']],
    ['resources/booking.yaml', '{ given: change_fee, needs', '{ given: c|, needs', ['change_fee', 'coin']],
    ['resources/booking.yaml', '{ last: { stops.kind: quay } }', '{ last: { s|: quay } }', ['stops', 'sails_at']],
    ['resources/booking.yaml', 'table: coins', 'table: c|', ['coins', 'plates']],
    [
      'resources/booking.yaml',
      '- ascending: [boarding_at',
      '- as|: [boarding_at',
      ['ascending', 'unique', 'last', 'limits'],
    ],
    ['types.yaml', 'error: plate_invalid', 'error: p|', ['plate_invalid', 'wrong_state']],
    ['types.yaml', 'limits: plate', 'limits: p|', ['plate', 'country']],
  ])('a rule in %s: %s', (path, from, to, wanted) => {
    expect(proposed(read('ferry'), path, from, to)).toEqual(expect.arrayContaining(wanted));
  });

  test('a function tells its arguments and what it gives, and every function has words', () => {
    const source = read('kiosk');
    const pack = source.one('pack');
    const offset = pack?.text.indexOf('digest(body') ?? 0;
    const said = explained(source, 'pack.yaml', 'pack', pack?.text ?? '', offset + 2);
    expect(said).toContain('**digest(s, algorithm, encoding)**');
    expect(said).toContain('algorithms `md5 sha1 sha256 sha384 sha512`');
    const written: unknown = JSON.parse(readFileSync(join(ROOT, 'schemas/functions.json'), 'utf8'));
    const reference = functionReference(readFileSync(join(ROOT, 'docs/reference/pack-language.md'), 'utf8'));
    expect(written).toEqual(reference);
    expect(
      [...functions.keys(), ...methods.keys(), ...specials.keys()].filter((name) => !Object.hasOwn(reference, name)),
    ).toEqual([]);
  });

  test('a state is renamed wherever it is compared, and the pack stays sound', () => {
    const { source } = readPack(join(ROOT, 'packs/bank-data'));
    const item = source.files.find(({ path }) => path === 'resources/item.yaml');
    const names = sameName(
      packNames(source),
      'resources/item.yaml',
      (item?.text.indexOf('login_required:\n') ?? 0) + 3,
    );
    expect([...new Set(names.map((each) => each.file))].sort()).toEqual([
      'causes.yaml',
      'flows/item_of.yaml',
      'resources/item.yaml',
      'seeds/broken-logins.yaml',
    ]);
    const renamed = mkdtempSync(join(tmpdir(), 'lsp-'));
    try {
      cpSync(join(ROOT, 'packs/bank-data'), renamed, { recursive: true });
      for (const { path, text } of source.files) {
        const places = names.filter((each) => each.file === path).sort((a, b) => b.from - a.from);
        const made = places.reduce((left, { from, to }) => `${left.slice(0, from)}broken${left.slice(to)}`, text);
        writeFileSync(join(renamed, path), made);
        expect(made).not.toMatch(/\blogin_required\b/);
      }
      expect(loadPack(renamed).problems).toEqual([]);
    } finally {
      rmSync(renamed, { recursive: true });
    }
  });
});
