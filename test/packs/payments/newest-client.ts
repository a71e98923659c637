import Newest from 'stripe-newest';
import type { ConformanceRecorder } from '../../../tools/develop/conformance/index.js';
import { releaseOf } from '../../../tools/develop/conformance/releases.js';
import { ROOT } from '../../support/root.js';
import { KEY, type Payments } from './served-payments.js';

/** The newest release, whose declarations judge. */
export const newest = releaseOf(`${ROOT}/node_modules/stripe-newest`);

/** The newest client, as it comes: it sends its own version. Every answer is checked against its own declarations. */
export function newestClient(payments: Payments, recorder: ConformanceRecorder): Newest {
  const { hostname, port } = new URL(payments.url);
  const recording = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const { pathname } = new URL(url instanceof Request ? url.url : url);
    recorder.check(`${init?.method ?? 'GET'} ${pathname}`, await response.clone().json());
    return response;
  };
  return new Newest(KEY, {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    httpClient: Newest.createFetchHttpClient(recording),
  });
}
