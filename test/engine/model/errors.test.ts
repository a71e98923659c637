import type { Json, JsonObject } from '../../../engine/values/index.js';
import { engineError, NO_REQUEST } from '../../../engine/model/index.js';
import { samplePack } from '../../support/sample-pack.js';
import { host } from '../expression/sample-environment.js';
import { linked, problemsOf } from './linked-model.js';

const { 'errors.yaml': USUAL } = samplePack('minimal').files;

/** A pack with further errors, and with an envelope if one is given. */
function errorsOf(more: string, envelope = '') {
  const model = linked({ 'errors.yaml': `${envelope}${USUAL}${more}` });
  const render = (name: string, args: JsonObject = {}) => {
    const error = model.errors.get(name);
    if (!error) throw new Error(`there is no ${name}`);
    return error.render(host, { ...NO_REQUEST, id: 'req_1', path: '/orders' }, args);
  };
  return { model, render };
}

const DEAR =
  '  dear: { status: 402, args: { amount: integer, why: string? }, body: { sum: "${amount}", why: "${why}" } }\n';

test('arguments stand in the body with their types; what is null is left out', () => {
  const { render } = errorsOf(DEAR);
  expect(render('dear', { amount: 5, why: 'x' })).toEqual({
    status: 402,
    error: { sum: 5, why: 'x' },
    body: { sum: 5, why: 'x' },
    headers: {},
  });
  expect(render('dear', { amount: 5 }).body).toEqual({ sum: 5 });
});

test('the common envelope goes around every error, its own around one, `false` none', () => {
  const envelope = 'envelope: { error: "${error}", path: "${request.path}" }\n';
  const { render } = errorsOf(
    `${DEAR}  own: { status: 400, envelope: { problem: "\${error.code}" }, body: { code: c } }
  bare: { status: 400, envelope: false, body: { code: c } }
`,
    envelope,
  );
  expect(render('dear', { amount: 1 })).toMatchObject({
    error: { sum: 1 },
    body: { error: { sum: 1 }, path: '/orders' },
  });
  expect(render('own').body).toEqual({ problem: 'c' });
  expect(render('bare').body).toEqual({ code: 'c' });
});

test('an empty error has no body at all, one that says nothing an empty one', () => {
  const { render } = errorsOf('  gone: { status: 410, empty: true }\n  silent: { status: 404 }\n');
  expect(render('gone')).toEqual({ status: 410, error: {}, body: undefined, headers: {} });
  expect(render('silent').body).toEqual({});
});

test('headers are texts, without those that are null', () => {
  const { render } = errorsOf(
    '  busy: { status: 429, args: { wait: integer? }, headers: { Retry-After: "${wait}", X-Busy: "${request.id}" } }\n',
  );
  expect(render('busy', { wait: 3 }).headers).toEqual({ 'Retry-After': '3', 'X-Busy': 'req_1' });
  expect(render('busy').headers).toEqual({ 'X-Busy': 'req_1' });
});

test('a status may come from an argument', () => {
  expect(errorsOf('').render('fault', { status: 503 }).status).toBe(503);
});

test('an error that the catalogue does not have gives way to a broader one', () => {
  const { model } = errorsOf('');
  expect(engineError(model.errors, 'parameter_too_long').name).toBe('parameter_invalid');
  expect(engineError(model.errors, 'idempotency_in_flight').name).toBe('body_malformed');
  expect(engineError(model.errors, 'not_found').name).toBe('not_found');
  expect(() => engineError(model.errors, 'no_such_error')).toThrow("the pack has no error 'no_such_error'");
});

test.each<[string, string, string]>([
  ['an unknown variable', '  x: { status: 400, args: { sum: integer }, body: { a: "${sun}" } }\n', 'expression'],
  ['a status that is none', '  x: { status: "${request.path}" }\n', 'wrong-type'],
])('%s is told when the error is compiled', (_, more, code) => {
  const { model } = errorsOf(more);
  expect(problemsOf(model)).toEqual([]);
  for (const error of model.errors.values()) error.check();
  expect(problemsOf(model).map((each) => each.split(':')[0])).toEqual([code]);
});

test('an error that the engine needs is told to be missing, with the one that was meant', () => {
  const errors = USUAL.replace('wrong_state:', 'wrong_sate:');
  expect(problemsOf(linked({ 'errors.yaml': errors }))).toEqual([
    "missing-error: the engine raises 'wrong_state', which is not in the catalogue; is it 'wrong_sate'? -> wrong_state",
  ]);
});

test.each<[string, string, string, JsonObject, number, Json]>([
  [
    'no errors of its own',
    'envelope: { error: "${error}" }\nerrors: {}\n',
    'not_found',
    { title: 'boat', id: 'b1' },
    404,
    { error: { code: 'not_found', message: 'There is no boat b1.' } },
  ],
  [
    'no errors of its own',
    'envelope: { error: "${error}" }\nerrors: {}\n',
    'parameter_missing',
    { param: 'sail' },
    400,
    { error: { code: 'invalid', param: 'sail', message: 'sail is required.' } },
  ],
  [
    'no errors of its own',
    'envelope: { error: "${error}" }\nerrors: {}\n',
    'fault',
    { status: 503, error: { code: 'wind' } },
    503,
    { error: { code: 'wind', message: 'Try again later.' } },
  ],
  [
    'an envelope',
    'envelope: { fault: "${error}" }\nerrors: {}\n',
    'wrong_state',
    {},
    409,
    { fault: { code: 'wrong_state', message: 'This is not possible now.' } },
  ],
  [
    'errors with other keys',
    'errors: { sunk: { status: 410, body: { text: Sunk, message: x } } }\n',
    'api_key_missing',
    {},
    401,
    { message: 'An API key is needed.' },
  ],
  [
    'a broader error',
    'errors: { parameter_invalid: { status: 422, body: { text: no } } }\n',
    'parameter_missing',
    { param: 'a' },
    422,
    { text: 'no' },
  ],
])('with %s, the engine has errors of its own in their form: %s %s', (_, file, name, args, status, body) => {
  const model = linked({ 'errors.yaml': file });
  expect(problemsOf(model)).toEqual([]);
  const rendered = engineError(model.errors, name).render(host, NO_REQUEST, args);
  expect({ status: rendered.status, body: rendered.body }).toEqual({ status, body });
});

test('an argument that the engine never gives is told', () => {
  const errors = USUAL.replace(
    'wrong_state: { status: 409, args: { action',
    'wrong_state: { status: 409, args: { actin',
  );
  const told = problemsOf(linked({ 'errors.yaml': errors }));
  expect(told).toContain("unknown-argument: unknown argument 'actin' -> action");
});
