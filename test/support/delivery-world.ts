import { DeliveryLog, Outbox, type OutboxOptions } from '../../engine/delivery/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import { linkModel } from '../../engine/model/index.js';
import { compilePack } from '../../engine/compile/index.js';
import type { Program } from '../../engine/program/index.js';
import { Engine } from '../../engine/runtime/index.js';
import { type Problem, readPack, validateSchemas } from '../../engine/pack/index.js';
import type { Row } from '../../engine/world/index.js';
import { samplePack } from './sample-pack.js';

/** A pack that delivers by HTTP and to queues. */
const { folder: DELIVERY_PACK } = samplePack('delivery');

/** Reads and links a pack; throws when it has problems. */
export function load(dir = DELIVERY_PACK): Program {
  const { pack, problems } = inspect(dir);
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  return pack;
}

/** Reads and links a pack and checks its `delivery`. */
export function inspect(dir: string): { pack: Program; problems: readonly Problem[] } {
  const { source, problems } = readPack(dir);
  const found = [...problems, ...validateSchemas(source)];
  if (found.length > 0) throw new Error(JSON.stringify(found, null, 2));
  const model = linkModel(source);
  const pack = compilePack(model);
  return { pack, problems: model.diagnostics.problems.all };
}

/** A world of the delivery pack with its outbox, and what went wrong inside. */
export class DeliveryWorld {
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly defects: string[] = [];

  /** @param limit of the newest deliveries, so many are kept */
  constructor(pack: Program, { limit, ...options }: Partial<OutboxOptions> & { readonly limit?: number } = {}) {
    const onDefect = (error: unknown, what: string) => void this.defects.push(`${what}: ${String(error)}`);
    const log = new DeliveryLog(pack.model.env.fromMs, limit);
    this.engine = new Engine(pack, {
      seed: 'ferry',
      t0: 1_700_000_000_000,
      ledgerLimit: 100,
      traceLimit: 100,
      onDefect,
      surroundings: { address: { origin: '', admits: () => true }, sent: log },
    });
    this.outbox = new Outbox(this.engine, { log, onDefect, ...options });
  }

  /** Puts an endpoint into the world; gives its id. */
  hook(fields: JsonObject): string {
    const id = `hook_${String(this.row('hooks').length)}`.padEnd(15, '0');
    this.engine.seed({ hooks: [{ id, secret: 'whsec_plain', ...fields }] });
    return id;
  }

  /** Makes vessels, each with its event; gives the events' ids. */
  vessels(...names: string[]): string[] {
    return names.flatMap((name) => {
      const create = this.engine.pack.operations.find((each) => each.key === 'vessels.create');
      if (!create) throw new Error('there is no vessels.create');
      const request = {
        id: 'req_1',
        idempotency_key: null,
        method: 'POST',
        path: '/v1/vessels',
        version: null,
        key: null,
        token: null,
        headers: {},
      };
      const call = { operation: create, request, path: {}, given: { name }, text: false, expand: [], scenario: null };
      return this.engine.call(call).events.map((event) => event.id);
    });
  }

  /** What the pack's own expressions see of an endpoint's deliveries. */
  log(hook: string): unknown {
    const log = this.engine.pack.operations.find((each) => each.key === 'hooks.log');
    if (!log) throw new Error('there is no hooks.log');
    const request = {
      id: 'req_2',
      idempotency_key: null,
      method: 'GET',
      path: `/hooks/${hook}/log`,
      version: null,
      key: null,
      token: null,
      headers: {},
    };
    const call = { operation: log, request, path: { id: hook }, given: {}, text: true, expand: [], scenario: null };
    return JSON.parse(this.engine.call(call).body ?? 'null');
  }

  row(collection: string): readonly Row[] {
    const def = this.engine.model.byCollection.get(collection);
    return def ? this.engine.world.collections[def.index].ordered().all() : [];
  }

  /** Advances the clock and fires what is due. */
  advance(ms: number): void {
    const to = this.engine.world.nowMs + ms;
    while (this.engine.fireNext(to));
    this.engine.world.moveTo(to);
  }
}
