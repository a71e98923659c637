import Newest from 'stripe-newest';
import type { ConformanceRecorder } from '../../../tools/develop/conformance/index.js';
import { releaseOf } from '../../../tools/develop/conformance/releases.js';
import { ROOT } from '../../support/root.js';
import { checkedClient } from './checked-client.js';
import { KEY, type Payments } from './served-payments.js';

/** The newest release, whose declarations judge. */
export const newest = releaseOf(`${ROOT}/node_modules/stripe-newest`);

/** The newest client, as it comes: it sends its own version. Every answer is checked against its own declarations. */
export function newestClient(payments: Payments, recorder: ConformanceRecorder): Newest {
  const { hostname, port } = new URL(payments.url);
  return new Newest(KEY, {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    httpClient: checkedClient(Newest.createNodeHttpClient(), (line, text) => recorder.check(line, JSON.parse(text) as object)),
  });
}
