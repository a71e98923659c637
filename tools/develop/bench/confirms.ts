import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { packSandbox } from '../kit/pack-sandbox.js';
import { type Survivors, survivorsOf } from './survivors.js';

/** Parameters of a payment with a test card that succeeds immediately. */
const CONFIRM = 'amount=1999&currency=usd&payment_method=pm_card_visa&confirm=true&payment_method_types[]=card';

/**
 * Counts the heap objects that remain after a payment is created and confirmed in one call.
 * @param count number of measured calls; as many unmeasured calls come before, to warm caches
 */
export async function survivorsOfConfirm(count: number): Promise<Survivors> {
  const sandbox = await packSandbox('payments');
  const { port } = new URL(sandbox.url);
  const headers = {
    authorization: `Bearer ${sandbox.key}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': CONFIRM.length,
  };
  // Sends few headers, as load generators do, and opens a connection per call, since the server closes idle ones while the heap is written.
  const confirm = async (): Promise<void> => {
    const call = request({ port, path: '/v1/payment_intents', method: 'POST', agent: false, headers });
    call.end(CONFIRM);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`a payment failed with ${response.statusCode}`);
  };
  const confirms = async (): Promise<void> => {
    for (let n = 0; n < count; n++) await confirm();
  };
  try {
    await confirms();
    return await survivorsOf(confirms, count);
  } finally {
    await sandbox.close();
  }
}
