import { keyReference } from '../../tools/reference/keys.js';

test.each([
  '## resources/NAME.yaml',
  '| **`resource`** |',
  '`delivery.transports.NAME.signature.digest`',
  '### for step',
  '| `collect` |',
  '| **`calls`** |',
])('it has %s', (line) => {
  expect(keyReference()).toContain(line);
});

test('every key has its words', () => {
  const rows = keyReference()
    .split('\n')
    .filter((line) => /^\| (\*\*)?`/.test(line))
    .map((line) => line.split(' | '));
  expect(rows.length).toBeGreaterThan(300);
  const bare = rows.filter(([key, , words]) => !/NAME`|\[\]`/.test(key) && words.replace(/ ?\|$/, '') === '');
  expect(bare).toEqual([]);
});

test('every link leads to a heading of the page', () => {
  const text = keyReference();
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(10);
  expect([...new Set(links)].filter((anchor) => !headings.includes(anchor))).toEqual([]);
});
