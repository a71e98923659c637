import type { PlayedExchange } from '../../recordings/replay.js';
import { type DrawnCall, valueOf } from './corpus.js';
import { type FormDifference, formDifferences, type RecordedForms } from './forms.js';

/** The result of comparing a sampled call with the pack's response. */
export interface ComparedCall {
  readonly drawn: DrawnCall;
  /** Replayed as recorded, or compared with the most similar response in the pack's own examples. */
  readonly how: 'played' | 'nearest';
  readonly status: readonly [recorded: number, ours: number];
  /** The pack's error message, if the status differs. */
  readonly said: string;
  readonly differences: readonly FormDifference[];
  /** Names of headers that only one side has. */
  readonly headers: { readonly missing: readonly string[]; readonly more: readonly string[] };
}

/** Headers of the connection, and those that recorders change or omit. */
const OF_CONNECTIONS = new Set(
  'connection content-encoding content-length date keep-alive transfer-encoding vary content-type status'.split(' '),
);

/** Maximum number of characters shown from a response. */
const MOST_SAID = 120;

export interface HowCompared {
  readonly how: ComparedCall['how'];
  /** Whether the recorder kept the order of members. */
  readonly ordered: boolean;
  /** Base URL of the sandbox, which replaces the recorded host. */
  readonly base: string;
}

export function compare(
  drawn: DrawnCall,
  exchange: PlayedExchange,
  known: RecordedForms,
  { how, ordered, base }: HowCompared,
): ComparedCall {
  const { call } = drawn;
  const status = [call.status, exchange.status] as const;
  const recorded = valueOf(call.responseHeaders, call.text);
  const ours = valueOf(exchange.headers, exchange.text.replaceAll(base, call.url.origin));
  const isSame = call.status === exchange.status && recorded !== undefined && ours !== undefined;
  return {
    drawn,
    how,
    status,
    said: call.status === exchange.status ? '' : exchange.text.replace(/\s+/g, ' ').slice(0, MOST_SAID),
    differences: isSame
      ? [
          ...new Map(
            [...formDifferences(recorded, ours, known, ordered)].map((each) => [`${each.kind} ${each.path}`, each]),
          ).values(),
        ]
      : [],
    headers: headersOf(call.responseHeaders, exchange.headers),
  };
}

/** Compares the names of headers, unless the recorder stored none except the content type. */
function headersOf(
  recorded: Readonly<Record<string, string>>,
  ours: Readonly<Record<string, string>>,
): ComparedCall['headers'] {
  const names = (all: Readonly<Record<string, string>>): string[] =>
    Object.keys(all).filter((name) => !OF_CONNECTIONS.has(name));
  if (names(recorded).length < 3) return { missing: [], more: [] };
  return {
    missing: names(recorded).filter((name) => ours[name] === undefined),
    more: names(ours).filter((name) => recorded[name] === undefined),
  };
}
