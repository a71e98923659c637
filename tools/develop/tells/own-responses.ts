import type { Sandbox } from '../../../engine/index.js';
import { type Recorded, readRecording, recordingsIn } from '../../recordings/read.js';
import { type PlayedExchange, Player } from '../../recordings/replay.js';
import { generalRules, type RulesFile } from '../../recordings/rules.js';

const EXAMPLE_HOST = 'recorded.example';

/** A pack's responses in its examples, by operation and status. */
export type OwnResponses = ReadonlyMap<string, readonly PlayedExchange[]>;

/** Runs the pack's own examples, to compare with recordings that can't be replayed: document examples, and calls on older objects. */
export async function ownResponses(sandbox: Sandbox, folder: string, rules: RulesFile): Promise<OwnResponses> {
  const responses = new Map<string, PlayedExchange[]>();
  const player = new Player(sandbox, { ...generalRules(rules.pack, [EXAMPLE_HOST]), begin: rules.begin });
  for (const file of recordingsIn(folder)) {
    const calls: readonly Recorded[] = readRecording(file);
    for (const result of await player.play(calls)) {
      if (result.kind !== 'replayed') continue;
      const key = kindOfCall(result.operation, result.exchange.status);
      responses.set(key, [...(responses.get(key) ?? []), result.exchange]);
    }
  }
  return responses;
}

/** Returns the key by which recorded responses and the pack's are matched: operation and status. */
export function kindOfCall(operation: string, status: number): string {
  return `${operation} ${status}`;
}
