import { problemsOf } from '../../support/pack-world.js';

/** A resource with a step that stores a value, and with a field. */
const page = (value: string, field = 'string?', more = ''): string => `resource: page
collection: pages
${more}fields: { at: ${field}, extra: any }
operations:
  create:
    params: { at: string }
    do:
      - let: { home: "base_url + '/'", links: "[{'to': base_url}]" }
      - { create: page, with: { at: ${value} } }
`;

const told = (value: string, field?: string, more?: string): string[] =>
  problemsOf({ 'resources/page.yaml': page(value, field, more) }).filter((each) => each.startsWith('stored-address'));

test.each([
  `"=jwt({'iss': base_url}, 'key')"`,
  '=base64(base_url)',
  '"${url_encode(home)}"',
  `"=digest(socket_url, 'md5', 'hex')"`,
  `"=form({'to': home})"`,
  '=base64(json(links))',
  `"=default(self_at(), url_encode(home))"`.replace('self_at()', 'params.at'),
  `"=params.at == null ? 'x' + base64url(home) : null"`,
  `"=base64url(base_url + 'a') + '!'"`,
])('a field that stores %s keeps the address, which is said at its place', (value) => {
  expect(told(value)).toEqual([expect.stringMatching(/^stored-address resources\/page.yaml:9 this stores a value/)]);
  expect(told(value, '{ type: string, nullable: true, keeps_address: true }')).toEqual([]);
});

test.each([
  '=home',
  '"${base_url}/a"',
  '=json(links)',
  "=join([home, 'a'], '/')",
  '=base64(params.at)',
  "=home + digest('x', 'md5', 'hex')",
])('a field that stores %s follows the world', (value) => {
  expect(told(value)).toEqual([]);
});

test('a default is looked at too, and what responses compute is not', () => {
  expect(told('=home', '{ type: string, default: =base64(base_url) }')).toEqual([
    expect.stringMatching(/^stored-address resources\/page.yaml:3/),
  ]);
  expect(told('=home', '{ type: string, nullable: true, shown: =base64(base_url) }')).toEqual([]);
});

test('objects of the beginning are made before there is an address', () => {
  expect(told('=home', 'string?', 'initial: [{ id: a, at: "=base64(base_url)" }]\n')).toEqual([
    expect.stringContaining('known when the world is served'),
  ]);
});
