import { createRequire } from 'node:module';
import type * as Ajv2020 from 'ajv/dist/2020.js';
import type { ErrorObject, Format, ValidateFunction } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import {
  type Document,
  isJson,
  listOr,
  METHODS,
  type Method,
  type Node,
  objectOr,
  parametersOf,
  textOr,
} from './document.js';

/** An operation of the document. */
export interface DocumentedCall {
  readonly method: Method;
  readonly path: string;
  readonly item: Node;
  readonly operation: Node;
  /** With those of its path; references are resolved. */
  readonly parameters: readonly Node[];
}

/** The parts of a response that a document describes. */
export interface Received {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Result of comparing a response with the document. */
interface ResponseVerdict {
  /** Whether the document declares the status, as a number, a class (`4XX`) or `default`. */
  readonly documented: boolean;
  /** Differences from the document; empty if the response matches. */
  readonly problems: readonly string[];
}

const MOST_PROBLEMS = 5;

/** The operations of a document, and validation of responses against it. */
export class Contract {
  readonly calls: readonly DocumentedCall[];
  readonly #ajv: Ajv2020.Ajv2020;
  readonly #validators = new Map<string, ValidateFunction | null>();

  /** @param include selects the document's paths; all by default */
  constructor(
    readonly document: Document,
    include: (path: string) => boolean = () => true,
  ) {
    this.calls = callsOf(document).filter(({ path }) => include(path));
    // Loaded on demand, which keeps the start of the command fast.
    const load = createRequire(import.meta.url);
    const { Ajv2020: Validator } = load('ajv/dist/2020.js') as typeof Ajv2020;
    const { default: addFormats } = load('ajv-formats') as { readonly default: FormatsPlugin };
    this.#ajv = new Validator({
      strict: false,
      allErrors: true,
      validateSchema: false,
      inlineRefs: false,
      logger: false,
      unicodeRegExp: false,
      // Schemas are many and each is used a few times: optimizing its code takes longer than running it.
      code: { optimize: false },
    });
    addFormats(this.#ajv);
    for (const format of ['binary', 'byte', 'password']) this.#ajv.addFormat(format, true);
    // Documents also use `uri` for paths without a host.
    this.#ajv.addFormat('uri', this.#ajv.formats['uri-reference'] as Format);
    this.#ajv.addSchema({ ...document.root, $id: 'document' });
  }

  /** Compares a response with its operation in the document. */
  judge(call: DocumentedCall, { status, contentType, text: body }: Received): ResponseVerdict {
    const responses = objectOr(call.operation['responses']);
    const named = [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, 'default'];
    const found = named.find((each) => each in responses);
    if (found === undefined) return { documented: false, problems: [] };
    const response = this.document.at(responses[found]);
    const content = this.document.at(response['content']);
    const types = Object.keys(content);
    if (types.length === 0) return { documented: true, problems: [] };
    const plain = contentType.split(';')[0].trim().toLowerCase();
    const type =
      types.find((each) => matches(each, plain)) ?? (isJson(plain) ? types.find((each) => isJson(each)) : undefined);
    if (type === undefined)
      return { documented: true, problems: [`content type ${plain || 'none'}, not ${types.join(' or ')}`] };
    const { schema } = this.document.at(content[type]);
    if (schema === undefined || !isJson(type)) return { documented: true, problems: [] };
    let data: unknown;
    try {
      data = JSON.parse(body);
    } catch {
      return { documented: true, problems: ["the body isn't JSON"] };
    }
    return { documented: true, problems: this.problems(schema, data) };
  }

  /** Validates a value against a schema of the document; returns messages. A schema that can't be compiled accepts everything. */
  problems(schema: unknown, value: unknown): readonly string[] {
    return this.errors(schema, value)
      .slice(0, MOST_PROBLEMS)
      .map(({ instancePath, message, params, keyword }) => {
        const more = keyword === 'enum' ? `: ${listOr(objectOr(params)['allowedValues']).join(', ').slice(0, 80)}` : '';
        return `${instancePath === '' ? 'the body' : instancePath} ${message ?? keyword}${more}`;
      });
  }

  /** Like `problems`, as Ajv's errors. */
  errors(schema: unknown, value: unknown): readonly ErrorObject[] {
    const validate = this.#validator(schema);
    if (!validate || validate(value) === true) return [];
    // `oneOf` of real documents often overlaps: a value that matches two alternatives is accepted.
    return (validate.errors ?? []).filter(
      ({ keyword, params }) =>
        keyword !== 'oneOf' || !('passingSchemas' in params) || params['passingSchemas'] === null,
    );
  }

  #validator(schema: unknown): ValidateFunction | null {
    if (typeof schema !== 'object' || schema === null) return null;
    const ref = textOr(objectOr(schema)['$ref']);
    const pointer =
      this.document.pointerOf(schema) ??
      (ref.startsWith('#') && Object.keys(schema).length === 1 ? ref.slice(1) : undefined);
    if (pointer === undefined) return null;
    const known = this.#validators.get(pointer);
    if (known !== undefined) return known;
    let made: ValidateFunction | null = null;
    try {
      made = this.#ajv.compile({ $ref: `document#${fragment(pointer)}` });
    } catch {
      // The document's own error, such as a reference to a missing schema.
    }
    this.#validators.set(pointer, made);
    return made;
  }
}

/** All operations of a document, in document order. */
function callsOf(document: Document): DocumentedCall[] {
  return Object.entries(objectOr(document.root['paths'])).flatMap(([path, value]) => {
    const item = document.at(value);
    return METHODS.filter((method) => method in item).map((method): DocumentedCall => {
      const operation = objectOr(item[method]);
      return { method, path, item, operation, parameters: parametersOf(document, item, operation) };
    });
  });
}

/** Encodes a JSON pointer as a URI fragment. */
function fragment(pointer: string): string {
  return pointer.split('/').map(encodeURIComponent).join('/').replaceAll('%7E', '~');
}

function matches(pattern: string, type: string): boolean {
  const [wanted] = pattern.toLowerCase().split(';');
  if (wanted === '*/*' || wanted.trim() === type) return true;
  return wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1));
}
