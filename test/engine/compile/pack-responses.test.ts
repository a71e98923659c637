import { loadPack } from '../../../engine/index.js';
import { runExamples } from '../../../tools/examples/index.js';
import { overlaidPack } from '../../support/overlaid-pack.js';

/** Forms of a pack laid over the one that `sandbox init-pack` makes, and what its calls return. */

interface Form {
  readonly what: string;
  readonly blocks: readonly string[];
}

const CALLS: readonly Form[] = [
  {
    what: 'a bare list has what is there',
    blocks: [
      '# pack.yaml\nlists: { envelope: "${data}" }',
      `# calls
- { call: POST /v1/parcels, json: { grams: 1, to: Oslo } }
- { call: GET /v1/parcels, expect: { body: [{ grams: 1, to: Oslo }] } }`,
    ],
  },
  {
    what: 'an id that an object has cannot be given again, nor one that is none, also without errors of their own',
    blocks: [
      `# resources/parcel.yaml
operations:
  create: { params: { name: { type: string, required: true } }, do: [{ create: parcel, id: "\${params.name}", with: { grams: 1, to: Oslo } }] }
  delete: {}`,
      `# calls
- { call: POST /v1/parcels, json: { name: pcl_aaaaaaaaaaaaaaaa }, expect: { status: 200 } }
- { call: POST /v1/parcels, json: { name: pcl_aaaaaaaaaaaaaaaa }, expect: { status: 400, body: { error: { param: id } } } }
- { call: POST /v1/parcels, json: { name: pcl_not an id at all }, expect: { status: 400, body: { error: { param: id } } } }
- { call: GET /v1/parcels, expect: { body: { data: [{ id: pcl_aaaaaaaaaaaaaaaa }] } } }
- { call: DELETE /v1/parcels/pcl_aaaaaaaaaaaaaaaa }
- { call: GET /v1/parcels, expect: { body: { data: [] } } }`,
    ],
  },
  {
    what: 'the header of request ids may have a variable in its name',
    blocks: [
      `# pack.yaml
vars: { Vendor: Shop }
request_id: { prefix: req_, header: "X-\${vars.Vendor}-Request-Id" }`,
      `# calls
- { call: GET /v1/parcels, expect: { status: 200, headers: { X-Shop-Request-Id: "\${it.startsWith('req_')}" } } }`,
    ],
  },
  {
    what: 'an answer without a body says nothing of one',
    blocks: [
      '# resources/parcel.yaml\noperations: { delete: { status: 204 } }',
      `# calls
- { call: POST /v1/parcels, json: { grams: 1, to: Oslo }, save: { parcel: id } }
- call: DELETE /v1/parcels/\${parcel}
  expect: { status: 204, body: null, headers: { Content-Length: "\${it == null}", Content-Type: "\${it == null}" } }`,
    ],
  },
  {
    what: 'the default update is a PATCH',
    blocks: [
      '# resources/parcel.yaml\noperations: { update: { params: { note: string } } }',
      `# calls
- { call: POST /v1/parcels, json: { grams: 1, to: Oslo }, save: { parcel: id } }
- { call: "PATCH /v1/parcels/\${parcel}", json: { note: soon }, expect: { body: { note: soon } } }
- { call: "POST /v1/parcels/\${parcel}", json: { note: soon }, expect: { status: 404 } }`,
    ],
  },
];

test.each(CALLS)('$what', async ({ blocks, what }) => {
  const { problems, source } = loadPack(overlaidPack(blocks, what));
  const unexpected = problems.filter(({ severity }) => severity === 'error');
  expect(unexpected).toEqual([]);
  const { problems: differences, calls } = await runExamples(source);
  expect(differences.map(({ line, message }) => `${line} ${message}`)).toEqual([]);
  expect(calls).toBeGreaterThan(0);
});

/** Wherever the items of a list stand in its envelope; a list and one parcel of 7 g. */
test.each([
  ['"${data}"', '[{ grams: 7 }]'],
  ['["${data}"]', '[[{ grams: 7 }]]'],
  ['{ result: { items: "${data}" } }', '{ result: { items: [{ grams: 7 }] } }'],
  ['{ "${collection}": "${data}", first: "${first(data)}" }', '{ parcels: [{ grams: 7 }], first: { grams: 7 } }'],
  ['"${data.map(each, each.grams)}"', '[7]'],
  ["\"${{'count': size(data), 'all': data}}\"", '{ count: 1, all: [{ grams: 7 }] }'],
  ['{ text: "${size(data)} of ${total_count}" }', '{ text: 1 of 1 }'],
])('the list envelope %s', async (envelope, body) => {
  const blocks = [
    `# pack.yaml\nlists: { envelope: ${envelope}, size: { param: limit, default: 20, max: 100 } }`,
    `# calls\n- { call: POST /v1/parcels, json: { grams: 7, to: Oslo } }\n- { call: GET /v1/parcels, expect: { body: ${body} } }`,
  ];
  const { problems, source } = loadPack(overlaidPack(blocks, 'a list'));
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { problems: differences } = await runExamples(source);
  expect(differences.map(({ line, message }) => `${line} ${message}`)).toEqual([]);
});
