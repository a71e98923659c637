import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { contractText } from '../../../engine/control/index.js';
import type { Body, Called, CallHeaders } from '../../support/http.js';
import { forTests, type StartOptions, TestSandbox } from '../../support/start-sandbox.js';

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

/** The control plane's contract. */
export const contract = JSON.parse(contractText()) as {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(contract, 'contract');
const validators = new Map<string, ValidateFunction>();

/** A sandbox of test/packs/parcels, with a start of its own; holds every response of the control API against the contract. */
export class Parcels extends TestSandbox {
  constructor(options: StartOptions = {}) {
    super('test/packs/parcels', { t0: '2025-03-01T08:00:00Z', ...options });
  }

  /** A call of the vendor's API. */
  api(line: string, body?: unknown, headers?: CallHeaders): Promise<Called> {
    return this.call(line.replace(' ', ' /api'), body, headers);
  }

  /** A call of the control API; its response must be what the contract says. */
  override readonly admin = async <T = Body>(
    line: string,
    body?: unknown,
    headers?: CallHeaders,
  ): Promise<Called<T>> => {
    const called = await this.uncheckedAdmin<T>(line, body, headers);
    const [method, path] = line.split(' ');
    const wrong = againstContract(method, path, called);
    if (wrong !== undefined) throw new Error(`${line} -> ${called.status} ${called.text}: ${wrong}`);
    return called;
  };

  /** As `admin`, for calls that no contract has. */
  uncheckedAdmin<T = Body>(line: string, body?: unknown, headers?: CallHeaders): Promise<Called<T>> {
    return this.call<T>(line.replace(' ', ' /__admin__'), body, headers);
  }

  /** As `admin`, but gives the body of a success. */
  async done(line: string, body?: unknown): Promise<Body> {
    const called = await this.admin(line, body);
    if (called.status > 201) throw new Error(`${line} -> ${called.status} ${called.text}`);
    return called.body;
  }

  /** Books a parcel and gives its id. */
  async parcel(changes: Body = {}): Promise<string> {
    const { body } = await this.api('POST /parcels', {
      to: { street: 'Dam 1', town: 'Amsterdam' },
      weight: 900,
      ...changes,
    });
    return String(body['id']);
  }
}

/** Starts it for the tests of a file. */
export function startParcels(options: StartOptions = {}): Parcels {
  return forTests(new Parcels(options), options);
}

/** What the contract has against an answer; undefined: nothing. */
function againstContract(method: string, path: string, { status, headers, body }: Called<unknown>): string | undefined {
  if (headers.get('x-sandbox-contract') !== contract.info.version) return 'the version of the contract is missing';
  const plain = path.split('?')[0];
  const known = Object.keys(contract.paths).find((each) =>
    new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain),
  );
  const operation = known === undefined ? undefined : contract.paths[known][method.toLowerCase()];
  const response = operation?.responses[String(status)];
  let pointer = `#/components/schemas/Error`;
  if (response) {
    const at = `/paths/${String(known).replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`;
    pointer = `#${response.$ref?.slice(1) ?? at}/content/application~1json/schema`;
  } else if (operation || status < 400) return `the contract knows no ${status} of it`;
  let validate = validators.get(pointer);
  if (!validate) validators.set(pointer, (validate = ajv.compile({ $ref: `contract${encodeURI(pointer)}` })));
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}
