import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Writes a page for each error code of the packs, at the path that `doc_url` has: /error-codes/card-declined. The messages are those of
 * errors.yaml and of the tables of declines; cause and remedy of the frequent ones are in error-codes.yaml.
 */
export function writeErrorCodes(root, site, pages) {
  const { parse } = createRequire(join(root, 'package.json'))('yaml');
  const known = parse(readFileSync(join(site, 'error-codes.yaml'), 'utf8'));
  const found = new Map();
  for (const pack of readdirSync(join(root, 'packs'))) {
    const { errors = {}, defaults = {} } = parse(readFileSync(join(root, 'packs', pack, 'errors.yaml'), 'utf8'));
    const texts = textsOf(join(root, 'packs', pack));
    // Codes in tables of declines.
    for (const [, code] of texts.matchAll(/\berror_code: ([a-z]+_[a-z_]+)/g)) if (!found.has(code)) found.set(code, []);
    for (const [name, error] of Object.entries(errors))
      for (const code of codesOf(name, error?.code, texts)) {
        if (!found.has(code)) found.set(code, []);
        found.get(code).push({ pack, name, status: error.status ?? defaults.status ?? 400, message: error.message });
      }
  }
  for (const code of Object.keys(known)) if (!found.has(code)) found.set(code, []);
  const codes = [...found.keys()].sort();
  mkdirSync(join(pages, 'error-codes'), { recursive: true });
  for (const code of codes) writeFileSync(join(pages, 'error-codes', fileOf(code)), pageOf(code, found.get(code), known[code]));
  const rows = codes.map((code) => `| [\`${code}\`](${fileOf(code)}) | ${known[code]?.cause ?? textOf(found.get(code)[0]?.message)} |`);
  writeFileSync(
    join(pages, 'error-codes', 'index.md'),
    `# Error codes of vendor APIs\n\nWhat does the \`code\` of an error mean? \`doc_url\` leads to these pages when you serve a pack with \`--set docs=\` and the address of this site.\n\n| Code | Meaning |\n|---|---|\n${rows.join('\n')}\n`,
  );
}

const CODE = /^[a-z][a-z_]+$/;

/** All files of a pack, as one text. */
function textsOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

/** The codes that an error can have: its own, those in its expression, or those with which the pack's steps fail. */
function codesOf(name, code, texts) {
  if (typeof code !== 'string') return [];
  if (CODE.test(code)) return [code];
  const given = /^=(\w+)$|\$\{(\w+)\}/.exec(code);
  if (!given) return [...code.matchAll(/'([a-z]+_[a-z_]+)'/g)].map(([, each]) => each).filter((each) => !each.startsWith('_'));
  const parameter = given[1] ?? given[2];
  const calls = texts.matchAll(new RegExp(`\\b${name}\\b(?!:)[^]{0,160}?\\b${parameter}: ([a-z_]+)`, 'g'));
  const values = new Set([...calls].map(([, value]) => (given[1] ? value : code.replace(given[0], value))));
  return [...values].filter((value) => CODE.test(value) && value !== 'null');
}

const fileOf = (code) => `${code.replaceAll('_', '-')}.md`;

/** A message for people: places in it as names. */
function textOf(message) {
  if (typeof message !== 'string' || message.startsWith('=')) return 'Depends on the call.';
  return message.replace(/\$\{(?:vars\.)?([\w.]*)[^}]*\}/g, (_, name) => `‹${name === '' ? 'value' : name}›`).replace(/[{}<>|]/g, ' ');
}

function pageOf(code, errors, { cause, remedy } = {}) {
  const rows = errors.map(
    ({ pack, name, status, message }) => `| ${pack} | \`${name}\` | ${typeof status === 'number' ? status : 'depends on the call'} | ${textOf(message)} |`,
  );
  return [
    `# \`${code}\``,
    cause ?? `A vendor's API returned this code: ${textOf(errors[0]?.message)}`,
    '## What to do',
    remedy ?? 'Compare the call with the message: it names the parameter or state that the vendor rejects.',
    'To see why your call got this response, open it in the [inspector](../guides/inspector.md), or run `sandbox trace TRACE` with the id from the header `X-Mock-Resolution-Trace`.',
    ...(rows.length > 0
      ? ['## Where it comes from', ['| Pack | Error | Status | Message |', '|---|---|---|---|', ...rows].join('\n')]
      : []),
    '## Next steps',
    '- [Why did a call get this response?](../guides/debug-a-response.md)\n- [Make a call fail on purpose](../guides/errors-and-timeouts.md)\n- [All error codes](index.md)',
    '',
  ].join('\n\n');
}
