import { DeliveryLog, Outbox, type OutboxOptions } from '../../engine/delivery/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import { linkModel } from '../../engine/model/index.js';
import { compilePack } from '../../engine/compile/index.js';
import type { Program } from '../../engine/program/index.js';
import { type Problem, readPack, validateSchemas } from '../../engine/pack/index.js';
import { EngineWorld } from './engine-world.js';
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

/** A world of the delivery pack with its outbox. */
export class DeliveryWorld extends EngineWorld {
  readonly outbox: Outbox;

  /** @param limit of the newest deliveries, so many are kept */
  constructor(pack: Program, { limit, ...options }: Partial<OutboxOptions> & { readonly limit?: number } = {}) {
    const log = new DeliveryLog(pack.model.env.fromMs, limit);
    super(pack, {
      seed: 'ferry',
      t0: 1_700_000_000_000,
      surroundings: { address: { origin: '', admits: () => true }, files: null, sent: log },
    });
    const onDefect = (error: unknown, what: string): void => this.onDefect(error, what);
    this.outbox = new Outbox(this.engine, { log, onDefect, ...options });
  }

  /** Puts an endpoint into the world; gives its id. */
  hook(fields: JsonObject): string {
    const id = `hook_${String(this.rows('hooks').length)}`.padEnd(15, '0');
    this.engine.seed({ hooks: [{ id, secret: 'whsec_plain', ...fields }] });
    return id;
  }

  /** Makes vessels, each with its event; gives the events' ids. */
  vessels(...names: string[]): string[] {
    return names.flatMap((name) => this.call('vessels.create', { name }).events.map((event) => event.id));
  }

  /** What the pack's own expressions see of an endpoint's deliveries. */
  log(hook: string): unknown {
    return JSON.parse(this.call('hooks.log', {}, { id: hook }, true).body ?? 'null');
  }
}
