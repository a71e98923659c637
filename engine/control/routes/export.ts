import { bugOf } from '../bug.js';
import { type WrittenBug } from '../bug-file.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';

/** The route that exports the world as one file. */
export const EXPORT_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /export',
    {
      id: 'exportWorld',
      tag: 'history',
      heavy: true,
      about: "Export the world's history as one file, which `sandbox replay` replays",
      response: s.object({
        format: s.integer,
        header: s.map.about('name of the pack, hash of its files, its variables, the random seed, and t0'),
        addresses: s.list(s.string).about('addresses at which the packs were served'),
        begins: s.map.orNull().about('the state before the first step; null: an empty world'),
        receivers: s.map.about('what receivers of webhooks returned, by delivery'),
        files: s.map.about('large files: contents of some, hashes and sizes of the others').optional(),
        steps: s.list(
          s.open({
            kind: s.oneOf('call', 'control', 'cause', 'clock', 'rewind', 'moment', 'flush', 'resend', 'entry'),
            last: s.integer.about('number of the last ledger entry of the step'),
            digest: s.string.about("digest of the step's ledger entries"),
          }),
        ),
      }),
    },
    ({ engine, header, seals = null }) => ({
      chunks: textOf(bugOf(engine, header, header.fork?.entry ?? null, seals)),
      portable: true,
    }),
  ),
];

/** The file's JSON, one step per line; an empty text marks a pause. */
function* textOf({ steps, ...rest }: WrittenBug): Generator<string> {
  for (const [name, value] of Object.entries(rest)) {
    yield `${name === 'format' ? '{' : ',\n'}${JSON.stringify(name)}: `;
    yield* inParts(value);
  }
  yield ',\n"steps": [';
  let separator = '';
  for (const step of steps) {
    yield step ? `${separator}\n${JSON.stringify(step)}` : '';
    if (step) separator = ',';
  }
  yield '\n]}\n';
}

/** JSON of a value with long lists, item by item. */
function* inParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [at, item] of value.entries()) yield `${at > 0 ? ',' : ''}${JSON.stringify(item)}`;
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    yield '{';
    for (const [at, [name, member]] of members.entries()) {
      yield `${at > 0 ? ',' : ''}${JSON.stringify(name)}:`;
      yield* inParts(member);
    }
    yield '}';
  } else yield JSON.stringify(value);
}
