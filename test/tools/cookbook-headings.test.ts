import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root.js';

/** What authors look for has an entry of its own in the cookbook; `test/packs/cookbook.test.ts` runs them. */
test.each([
  [['The key is in a custom header', 'Some operations need no key', 'Access tokens with scopes that expire (OAuth)']],
  [['A list is a bare array, with a Link header and page numbers', 'Every collection has its own key in its lists']],
  [['Responses have their own headers and status', 'ETag and 304', 'Text, files and uploads']],
  [['So many calls in a minute', "A limit counts by a call's object"]],
  [['Ids are numbers, UUIDs or hexadecimal', 'Objects are named by two segments, and files by a path']],
  [
    [
      'Which endpoint gets an event depends on the event',
      'Webhooks are signed with SHA-1, SHA-512, a private key or a JWT',
    ],
  ],
  [['Webhooks are signed by a key that callers fetch', 'Names are written in another way']],
  [['What is deleted takes others along, or stays']],
])('the cookbook has %j', (titles) => {
  const headings = readFileSync(join(ROOT, 'docs/guides/cookbook.md'), 'utf8').match(/^## .+$/gm);
  expect(headings).toEqual(expect.arrayContaining(titles.map((title) => `## ${title}`)));
});
