import { DeliveryLog, Outbox, type OutboxOptions } from '../../engine/delivery/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import { linkModel } from '../../engine/model/index.js';
import { compilePack } from '../../engine/compile/index.js';
import type { Program } from '../../engine/program/index.js';
import { type Problem, readPack, validateSchemas } from '../../engine/pack/index.js';
import { EngineWorld } from './engine-world.js';
import { samplePack } from './sample-pack.js';

/** Folder of a sample pack that delivers by HTTP and to queues. */
const { folder: DELIVERY_PACK } = samplePack('delivery');

/** Loads and compiles a pack. @throws Error with the problems of the pack, if there are any */
export function load(dir = DELIVERY_PACK): Program {
  const { pack, problems } = inspect(dir);
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  return pack;
}

/** Compiles a pack, and returns it with the problems that compiling finds. @throws Error with problems of its files or schemas */
export function inspect(dir: string): { pack: Program; problems: readonly Problem[] } {
  const { source, problems } = readPack(dir);
  const found = [...problems, ...validateSchemas(source)];
  if (found.length > 0) throw new Error(JSON.stringify(found, null, 2));
  const model = linkModel(source);
  const pack = compilePack(model);
  return { pack, problems: model.diagnostics.problems.all };
}

/** A world of the delivery pack, with an outbox that sends its webhooks. */
export class DeliveryWorld extends EngineWorld {
  readonly outbox: Outbox;

  /** Creates the world. @param limit maximum number of stored deliveries; older ones are dropped */
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

  /** Adds an endpoint to the world, and returns its id. */
  hook(fields: JsonObject): string {
    const id = `hook_${String(this.rows('hooks').length)}`.padEnd(15, '0');
    this.engine.seed({ hooks: [{ id, secret: 'whsec_plain', ...fields }] });
    return id;
  }

  /** Creates vessels, each of which emits an event, and returns the ids of the events. */
  vessels(...names: string[]): string[] {
    return names.flatMap((name) => this.call('vessels.create', { name }).events.map((event) => event.id));
  }

  /** Evaluates the deliveries of an endpoint as the pack's own expressions see them. */
  log(hook: string): unknown {
    return JSON.parse(this.call('hooks.log', {}, { id: hook }, true).body ?? 'null');
  }
}
