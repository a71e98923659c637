import type { Allowances } from './allowances.js';
import { type ShapeProblem, ShapeCheck } from './check.js';
import type { Declarations } from './extract.js';
import { isRecord } from '../../../engine/values/index.js';
import { type ObjectShape, type Shape, Shapes, THIN_EVENT } from './shapes.js';

const PAGE = ['data', 'next_page_url', 'previous_page_url'];

export interface ConformanceOptions {
  /** The vendor's name in the sandbox's keys and enum values; `vendor` by default. */
  vendorWord?: string;
  /** The body previews an object that doesn't exist yet (an upcoming invoice): `id` may be null or absent. */
  withoutId?: boolean;
}

/** Checks bodies against the declarations of one release of the client. */
export class Conformance {
  readonly #shapes: Shapes;
  readonly #list: ObjectShape;
  readonly #search: ObjectShape;
  readonly #event: ObjectShape;
  readonly #error: Shape;

  constructor(
    declarations: Declarations,
    private readonly allowances: Allowances,
  ) {
    this.#shapes = new Shapes(declarations, allowances);
    this.#list = this.#shapes.envelope('ApiList');
    this.#search = this.#shapes.envelope('ApiSearchResult');
    this.#event = this.#shapes.named('Stripe.EventBase').objects[0];
    this.#error = this.#shapes.named('Stripe.StripeRawError');
  }

  /**
   * Checks a response or webhook body: an API object (or its deleted form), a list or search result, an event with its object, or an error. Returns
   * no problems if it conforms.
   */
  of(value: unknown, options: ConformanceOptions = {}): ShapeProblem[] {
    const walk = new ShapeCheck({ vendorWord: options.vendorWord ?? 'vendor' });
    this.#checkBody(walk, value, options.withoutId ?? false);
    return walk.problems;
  }

  #checkBody(walk: ShapeCheck, value: unknown, withoutId: boolean): void {
    if (!isRecord(value)) return walk.report('type', 'is not an object');
    // An empty object is valid: the client declares it as the response of some calls.
    if (Object.keys(value).length === 0) return;
    if (value.object === undefined && value.error !== undefined) return this.#checkError(walk, value);
    if (value.object === undefined && Array.isArray(value.data)) return this.#checkPage(walk, value, value.data);
    switch (value.object) {
      case 'list':
      case 'search_result':
        return this.#checkList(walk, value);
      case 'event':
        return this.#checkEvent(walk, value);
      case THIN_EVENT:
        return walk.value(this.#shapes.thinEvent(String(value.type)), value);
      default:
        return this.#checkResource(walk, value, withoutId);
    }
  }

  #checkError(walk: ShapeCheck, body: Record<string, unknown>): void {
    for (const key of Object.keys(body)) {
      if (key !== 'error') walk.report('unknown-key', 'is not part of an error body', key);
    }
    walk.within('error', () => walk.value(this.#error, body.error));
  }

  #checkList(walk: ShapeCheck, body: Record<string, unknown>): void {
    walk.object(body.object === 'list' ? this.#list : this.#search, body);
    if (!Array.isArray(body.data)) return;
    body.data.forEach((item: unknown, index) => {
      walk.within('data', () => walk.within(index, () => this.#checkBody(walk, item, false)));
    });
  }

  /** Checks a page of the API's second version, which the client declares without its URLs. */
  #checkPage(walk: ShapeCheck, body: Record<string, unknown>, data: readonly unknown[]): void {
    for (const key of Object.keys(body))
      if (!PAGE.includes(key)) walk.report('unknown-key', 'is not part of a page', key);
    for (const key of PAGE.slice(1)) {
      const url = body[key];
      if (url !== null && typeof url !== 'string') walk.report('type', 'is neither an address nor null', key);
    }
    for (const [index, item] of data.entries())
      walk.within('data', () => walk.within(index, () => this.#checkBody(walk, item, false)));
  }

  /**
   * Checks an event, its object against the type that the client declares for this event type, and its `previous_attributes` against the same type
   * with optional keys.
   */
  #checkEvent(walk: ShapeCheck, body: Record<string, unknown>): void {
    walk.object(this.#event, body);
    if (!isRecord(body.data)) return;
    const { object, previous_attributes: previous } = body.data;
    if (!isRecord(object)) return; // The check of the envelope has already reported this.
    const declared = typeof body.type === 'string' ? this.#shapes.declarations.eventObjects[body.type] : undefined;
    const name = typeof declared === 'string' && this.#shapes.has(declared) ? declared : null;
    walk.within('data', () => {
      walk.within('object', () => {
        if (name === null) this.#checkResource(walk, object, false);
        else
          walk.value(
            body.type === 'invoice.upcoming' ? withoutIds(this.#shapes.named(name)) : this.#shapes.named(name),
            object,
          );
      });
      if (previous === undefined) return;
      const shape = name === null ? this.#resourceOf(object) : this.#shapes.named(name);
      if (shape) walk.within('previous_attributes', () => this.#checkPrevious(walk, shape, object, previous));
    });
  }

  #checkPrevious(walk: ShapeCheck, shape: Shape, object: Record<string, unknown>, previous: unknown): void {
    if (!isRecord(previous)) return walk.report('type', 'is not an object');
    const own = shape.objects.find((option) => option.resource === object.object && !option.deleted);
    if (!own) return;
    walk.partial = true;
    // `object` never changes, and identifies the declaration in the check.
    walk.object(own, { object: object.object, ...previous });
    walk.partial = false;
  }

  #checkResource(walk: ShapeCheck, value: unknown, withoutId: boolean): void {
    if (!isRecord(value)) return walk.report('type', 'is not an object');
    if (this.allowances.undeclared.some((key) => key in value)) return;
    if (typeof value.object !== 'string') return walk.report('missing', 'is missing or not a string', 'object');
    if (this.allowances.objects.includes(value.object)) return;
    // A deleted object in the API's second version has only an id and its type.
    if (value.object.startsWith('v2.') && Object.keys(value).every((key) => key === 'id' || key === 'object')) return;
    const shape = this.#resourceOf(value);
    if (!shape)
      return walk.report('unknown-object', `is "${value.object}", which the client does not declare`, 'object');
    walk.value(withoutId ? withoutIds(shape) : shape, value);
  }

  /** Finds the declaration that an object names, in its deleted form if the object is deleted and there is one. */
  #resourceOf(value: Record<string, unknown>): Shape | undefined {
    if (typeof value.object !== 'string') return undefined;
    return this.#shapes.resource(value.object, value.deleted === true) ?? this.#shapes.resource(value.object, false);
  }
}

function withoutIds(shape: Shape): Shape {
  return { ...shape, objects: shape.objects.map((option) => option.withoutId()) };
}
