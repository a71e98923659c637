import { allowances } from './allowances.js';
import { type Problem, Walk } from './check.js';
import { loadDeclarations } from './declarations.js';
import { isRecord } from './json.js';
import { type Shape, Shapes } from './shapes.js';

export interface ConformanceOptions {
  /** The name that stands for the vendor's own in keys and enum values; `vendor` unless told. */
  vendorWord?: string;
  /** The body previews an object that does not exist yet (an upcoming invoice): `id` may be null or absent. */
  withoutId?: boolean;
}

// Loaded with the module and not on first use, so that generating never counts against a test's time limit.
const shapes = new Shapes(loadDeclarations(), allowances);
const list = shapes.envelope('ApiList');
const search = shapes.envelope('ApiSearchResult');
const event = shapes.named('Stripe.EventBase').objects[0];
const error = shapes.named('Stripe.StripeRawError');

/**
 * Checks a response or webhook body against the types of the official client: an API object (or its deleted form),
 * a list or search result of them, an event with its object, or an error body. Returns no problems when it conforms.
 */
export function conformanceOf(value: unknown, options: ConformanceOptions = {}): Problem[] {
  const walk = new Walk({ vendorWord: options.vendorWord ?? 'vendor' });
  checkBody(walk, value, options.withoutId ?? false);
  return walk.problems;
}

function checkBody(walk: Walk, value: unknown, withoutId: boolean): void {
  if (!isRecord(value)) return walk.report('type', 'is not an object');
  if (value.object === undefined && value.error !== undefined) return checkError(walk, value);
  switch (value.object) {
    case 'list':
    case 'search_result':
      return checkList(walk, value);
    case 'event':
      return checkEvent(walk, value);
    default:
      return checkResource(walk, value, withoutId);
  }
}

function checkError(walk: Walk, body: Record<string, unknown>): void {
  for (const key of Object.keys(body)) {
    if (key !== 'error') walk.report('unknown-key', 'is not part of an error body', key);
  }
  walk.within('error', () => walk.value(error, body.error));
}

function checkList(walk: Walk, body: Record<string, unknown>): void {
  walk.object(body.object === 'list' ? list : search, body);
  if (!Array.isArray(body.data)) return;
  body.data.forEach((item: unknown, index) => {
    walk.within('data', () => walk.within(index, () => checkBody(walk, item, false)));
  });
}

/**
 * Checks an event, its object against the type that the client declares for this kind of event, and its
 * `previous_attributes` against the same type with every key optional.
 */
function checkEvent(walk: Walk, body: Record<string, unknown>): void {
  walk.object(event, body);
  if (!isRecord(body.data)) return;
  const { object, previous_attributes: previous } = body.data;
  if (!isRecord(object)) return; // reported with the envelope
  const declared = typeof body.type === 'string' ? shapes.declarations.eventObjects[body.type] : undefined;
  const name = typeof declared === 'string' && shapes.has(declared) ? declared : null;
  walk.within('data', () => {
    walk.within('object', () => {
      if (name === null) checkResource(walk, object, false);
      else walk.value(body.type === 'invoice.upcoming' ? withoutIds(shapes.named(name)) : shapes.named(name), object);
    });
    if (previous === undefined) return;
    const shape = name === null ? resourceOf(object) : shapes.named(name);
    if (shape) walk.within('previous_attributes', () => checkPrevious(walk, shape, object, previous));
  });
}

function checkPrevious(walk: Walk, shape: Shape, object: Record<string, unknown>, previous: unknown): void {
  if (!isRecord(previous)) return walk.report('type', 'is not an object');
  const own = shape.objects.find((option) => option.resource === object.object && !option.deleted);
  if (!own) return;
  walk.partial = true;
  // An attribute that changed never is the object's name, which the walk uses to tell declarations apart.
  walk.object(own, { object: object.object, ...previous });
  walk.partial = false;
}

function checkResource(walk: Walk, value: unknown, withoutId: boolean): void {
  if (!isRecord(value)) return walk.report('type', 'is not an object');
  if (typeof value.object !== 'string') return walk.report('missing', 'is missing or not a string', 'object');
  if (allowances.objects.includes(value.object)) return;
  const shape = resourceOf(value);
  if (!shape) return walk.report('unknown-object', `is "${value.object}", which the client does not declare`, 'object');
  walk.value(withoutId ? withoutIds(shape) : shape, value);
}

/** The declaration an object names itself, in its deleted form when it says so and there is one. */
function resourceOf(value: Record<string, unknown>): Shape | undefined {
  if (typeof value.object !== 'string') return undefined;
  return shapes.resource(value.object, value.deleted === true) ?? shapes.resource(value.object, false);
}

function withoutIds(shape: Shape): Shape {
  return { ...shape, objects: shape.objects.map((option) => option.withoutId()) };
}
