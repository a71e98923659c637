import { packsOfCompany } from '../../../engine/company/index.js';
import { loadPack } from '../../../engine/compile/index.js';
import { CONTROL_PATH } from '../../../engine/control/index.js';
import type { Program } from '../../../engine/program/index.js';
import { isObject, type Json } from '../../../engine/values/index.js';
import { findPack, isCompanyFile } from '../../command/installation.js';
import { Dice } from '../simulate/dice.js';
import { type FuzzCall, http, type HttpCall } from './call.js';
import { Generator } from './generate.js';

/** Percentage of control calls that go to the company's own address. */
const AT_COMPANY = 60;
/** Members of control calls whose value is a name; at the company's address, the pack's name is prefixed to it. */
const NAMING = ['resource', 'cause', 'operation', 'event', 'until'] as const;
/** Control calls that exist only for a company, or that apply to all of its packs. */
const OF_ALL = ['/', '/company', '/coverage', '/diff?from=0', '/export', '/clock', '/vendors/none/state', '/state'];

/** Generates the calls of a run. */
export interface CallSource {
  /** Returns the calls that set up a world. */
  beginning(): FuzzCall[];
  next(): FuzzCall;
  /** Collects the ids, names and links in a response. @param vendor of the call, if any */
  addIds(text: string, vendor?: string): void;
  /** Discards collected ids, since the world was reset. */
  forget(): void;
}

/** Creates the calls of a pack, or of a company with its packs. @param target a pack, or a company file @throws Error if it has problems */
export async function callSource(target: string, seed: number): Promise<CallSource> {
  if (!isCompanyFile(target)) return new Generator(programOf(await findPack(target)), seed);
  const packs = await packsOfCompany(target);
  const programs = new Map<string, Program>();
  for (const { name, pack } of packs) programs.set(name, programOf(await findPack(pack)));
  return new CompanyGenerator(programs, seed);
}

function programOf(folder: string): Program {
  const { pack } = loadPack(folder);
  if (!pack) throw new Error(`${folder} has mistakes`);
  return pack;
}

/** Calls of a company: those of each vendor, and control calls at the address of the company or of a pack. */
class CompanyGenerator implements CallSource {
  readonly #dice: Dice;
  readonly #vendors: ReadonlyMap<string, Generator>;

  constructor(programs: ReadonlyMap<string, Program>, seed: number) {
    this.#dice = new Dice(seed);
    this.#vendors = new Map(
      [...programs].map(([name, program], index) => [name, new Generator(program, seed * 1000 + index)]),
    );
  }

  beginning(): FuzzCall[] {
    return [...this.#vendors].flatMap(([vendor, generator]) =>
      generator.beginning().map((call) => (call.kind === 'raw' ? call : { ...call, vendor })),
    );
  }

  next(): FuzzCall {
    const [vendor, generator] = this.#dice.one([...this.#vendors]);
    const call = generator.next();
    if (call.kind === 'raw') return call;
    if (call.kind === 'socket') return { ...call, vendor };
    const isControl = call.path.startsWith(CONTROL_PATH);
    return isControl && this.#dice.chance(AT_COMPANY) ? this.#atCompany(vendor, call) : { ...call, vendor };
  }

  addIds(text: string, vendor?: string): void {
    for (const [name, generator] of this.#vendors) if (vendor === undefined || vendor === name) generator.addIds(text);
  }

  forget(): void {
    for (const generator of this.#vendors.values()) generator.forget();
  }

  /** Converts a control call of a pack to the company's address: with a path prefix, with prefixed names, or unchanged. */
  #atCompany(vendor: string, call: HttpCall): FuzzCall {
    const dice = this.#dice;
    const path = call.path.slice(CONTROL_PATH.length);
    switch (dice.below(8)) {
      case 0:
        return http('GET', CONTROL_PATH + dice.one(OF_ALL), {});
      case 1:
        return call;
      case 2:
      case 3:
      case 4:
        return { ...call, path: `${CONTROL_PATH}/vendors/${vendor}${path}` };
      default:
        return { ...call, path: CONTROL_PATH + namedInQuery(path, vendor), body: namedInBody(call.body, vendor) };
    }
  }
}

function namedInQuery(path: string, vendor: string): string {
  return path.replace(/([?&](?:resource|cause|operation|event)=)/g, `$1${vendor}/`);
}

function namedInBody(body: string | null, vendor: string): string | null {
  let given: Json;
  try {
    given = body === null ? null : (JSON.parse(body) as Json);
  } catch {
    return body;
  }
  if (!isObject(given)) return body;
  const named = NAMING.flatMap((key) => {
    const value = given[key];
    return typeof value === 'string' ? [[key, `${vendor}/${value}`] as const] : [];
  });
  return JSON.stringify({ ...given, ...Object.fromEntries(named) });
}
