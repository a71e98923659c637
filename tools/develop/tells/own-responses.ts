import type { Sandbox } from '../../../engine/index.js';
import { type Recorded, readRecording, recordingsIn } from '../../recordings/read.js';
import { type PlayedExchange, Player } from '../../recordings/replay.js';
import { generalRules, type RulesFile } from '../../recordings/rules.js';

const EXAMPLE_HOST = 'recorded.example';

/** A pack's responses in its examples, by operation and status. */
export class OwnResponses {
  readonly #known = new Map<string, PlayedExchange[]>();

  add(key: string, exchange: PlayedExchange): void {
    this.#known.set(key, [...(this.#known.get(key) ?? []), exchange]);
  }

  of(key: string): readonly PlayedExchange[] {
    return this.#known.get(key) ?? [];
  }
}

/** Runs the pack's own examples, to compare with recordings that can't be replayed: document examples, and calls on older objects. */
export async function ownResponses(sandbox: Sandbox, folder: string, rules: RulesFile): Promise<OwnResponses> {
  const responses = new OwnResponses();
  const player = new Player(sandbox, { ...generalRules(rules.pack, [EXAMPLE_HOST]), begin: rules.begin });
  for (const file of recordingsIn(folder)) {
    const calls: readonly Recorded[] = readRecording(file);
    for (const result of await player.play(calls))
      if (result.kind === 'replayed')
        responses.add(kindOfCall(result.operation, result.exchange.status), result.exchange);
  }
  return responses;
}

/** Returns the key by which recorded responses and the pack's are matched: operation and status. */
export function kindOfCall(operation: string, status: number): string {
  return `${operation} ${status}`;
}
