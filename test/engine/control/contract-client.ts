import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { contractText } from '../../../engine/control/index.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../engine/index.js';

type Body = Readonly<Record<string, unknown>>;

/** An answer of either plane; `body` holds whatever JSON came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

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

/** A client of a served sandbox of test/packs/parcels: calls both planes, and holds every control answer against the contract. */
export class ContractClient {
  readonly defects: unknown[];

  private constructor(
    readonly sandbox: Sandbox,
    defects: unknown[],
  ) {
    this.defects = defects;
  }

  static async start(options: Partial<SandboxOptions> = {}): Promise<ContractClient> {
    const defects: unknown[] = [];
    const onDefect = (error: unknown): number => defects.push(error);
    const sandbox = await createSandbox({
      pack: 'test/packs/parcels',
      t0: '2025-03-01T08:00:00Z',
      onDefect,
      ...options,
    });
    return new ContractClient(sandbox, defects);
  }

  /** A call of the vendor's plane. */
  api(line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const [method, path] = line.split(' ');
    return this.send(method, `/api${path}`, body, headers);
  }

  /** A call of the control API; its answer must be what the contract says. */
  async admin(line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const [method, path] = line.split(' ');
    const answer = await this.send(method, `/__admin__${path}`, body, headers);
    const wrong = againstContract(method, path, answer);
    if (wrong !== undefined) throw new Error(`${line} -> ${answer.status} ${JSON.stringify(answer.body)}: ${wrong}`);
    return answer;
  }

  /** As `admin`, but gives the body of a success. */
  async done(line: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.admin(line, body);
    if (answer.status > 201) throw new Error(`${line} -> ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
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

  async send(method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(this.sandbox.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.sandbox.key}`,
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: text,
    });
    const answer = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: answer === '' ? {} : (JSON.parse(answer) as Body),
    };
  }
}

/** What the contract has against an answer; undefined: nothing. */
function againstContract(method: string, path: string, { status, headers, body }: Answer): string | undefined {
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
