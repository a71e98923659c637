import type { Sandbox } from '../../../engine/index.js';
import { type Recorded, readRecording, recordingsIn } from '../../recordings/read.js';
import { type PlayedExchange, Player } from '../../recordings/replay.js';
import { generalRules, type RulesFile } from '../../recordings/rules.js';

const EXAMPLE_HOST = 'recorded.example';

/** Responses of the pack, by operation and status. */
export class OwnResponses {
  readonly #known = new Map<string, PlayedExchange[]>();

  add(key: string, exchange: PlayedExchange): void {
    this.#known.set(key, [...(this.#known.get(key) ?? []), exchange]);
  }

  of(key: string): readonly PlayedExchange[] {
    return this.#known.get(key) ?? [];
  }
}

/** Plays the pack's own examples, for the recordings that can't be played themselves: of documents, and of objects from before them. */
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

/** What recorded responses and those of the pack are kept by. */
export function kindOfCall(operation: string, status: number): string {
  return `${operation} ${status}`;
}
