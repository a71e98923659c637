import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCollection, parse, parseDocument, visit } from 'yaml';
import { FACTS_FILE, importDocument, readDocument } from '../../tools/openapi/index.js';
import { newPack } from '../../tools/templates/new-pack.js';
import { ROOT } from '../support/root.js';
import { sampleOf } from '../support/sample.js';

/** Texts by the path of their file. */
type Texts = Readonly<Record<string, string>>;

const PACKS = yamlBelow('packs');
const OWN: Texts = { ...PACKS, ...yamlBelow('test/packs'), ...yamlBelow('docs') };

function yamlBelow(folder: string): Texts {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const yaml = paths.filter((path) => path.endsWith('.yaml')).map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
  return Object.fromEntries(yaml.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** What tools write for authors. */
async function written(): Promise<Texts> {
  const openapi = await Promise.all(
    ['boards.json', 'shelter.yaml'].map(async (name) => {
      const document = await readDocument(join(ROOT, 'test/tools/openapi', name));
      return prefixed(name, importDocument(document, 'imported').files);
    }),
  );
  return Object.assign(prefixed('init-pack', newPack('fresh')), ...openapi) as Texts;
}

function prefixed(folder: string, files: Texts): Texts {
  const yaml = Object.entries(files).filter(([path]) => path.endsWith('.yaml'));
  return Object.fromEntries(yaml.map(([path, text]) => [`${folder}/${path}`, text]));
}

/** As the engine reads it: YAML 1.2 with merge keys, and as many aliases as there are; keys are the text that was written. */
function read(text: string): unknown {
  return parse(text, { version: '1.2', schema: 'core', merge: true, ...ALL_ALIASES });
}

const ALL_ALIASES = { maxAliasCount: -1 };

/** What a parser of YAML 1.1 made of `on` as a key, which is a boolean, while a key `"true"` is a text. */
function withOn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOn);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(
    [...value].map(([key, each]: [unknown, unknown]) => [key === true ? 'on' : String(key), withOn(each)] as const),
  );
}

/** Plain texts with a `?` inside braces or brackets, which some parsers take for a key. */
function bareQuestions(text: string): string[] {
  const found: string[] = [];
  visit(parseDocument(text), {
    Scalar(_key, node, path) {
      const inFlow = path.some((each) => isCollection(each) && each.flow === true);
      if (inFlow && node.type === 'PLAIN' && node.source?.includes('?')) found.push(node.source);
    },
  });
  return found;
}

describe.each([
  ['files of packs and documents', () => Promise.resolve(OWN)],
  ['files that tools write', written],
])('%s', (_name, texts) => {
  test('read the same as YAML 1.2 and as YAML 1.1', async () => {
    for (const [path, text] of sampleOf(Object.entries(await texts()), 4)) {
      const data = read(text);
      expect({ path, data: withOn(parse(text, { version: '1.1', mapAsMap: true, ...ALL_ALIASES })) }).toEqual({ path, data });
    }
  });

  test('have no bare ? inside braces', async () => {
    const found = sampleOf(Object.entries(await texts()), 4).flatMap(([path, text]) =>
      bareQuestions(text).map((each) => `${path}: ${each}`),
    );
    expect(found).toEqual([]);
  });

  const python = spawnSync('python3', ['-c', 'import yaml']).status === 0;
  (python ? test : test.skip)('read the same with PyYAML', async () => {
    const all = Object.fromEntries(sampleOf(Object.entries(await texts()), 8));
    const script = `
import json, sys, yaml
def keys(value):
    if isinstance(value, dict): return {'on' if k is True else str(k): keys(v) for k, v in value.items()}
    return [keys(v) for v in value] if isinstance(value, list) else value
loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
print(json.dumps({path: keys(yaml.load(text, loader)) for path, text in json.load(sys.stdin).items()}))
`;
    const { stdout, stderr } = spawnSync('python3', ['-c', script], {
      input: JSON.stringify(all),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    expect(stderr).toBe('');
    const made = JSON.parse(stdout) as Record<string, unknown>;
    for (const [path, text] of Object.entries(all))
      expect({ path, data: made[path] }).toEqual({ path, data: read(text) });
  });
});

test('no line of a pack is longer than 160 characters, but for one word, and for the facts, which a command writes', () => {
  const byHand = Object.entries(PACKS).filter(([path]) => !path.endsWith(`/${FACTS_FILE}`));
  const long = byHand.flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => (line.length > 160 && line.trim().includes(' ') ? [`${path}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
