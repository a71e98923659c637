import { FileStore } from '@vendor-sandbox/sandbox';
import { vendorRoutes } from '@vendor-sandbox/sandbox/next';

export const payments = vendorRoutes({
  pack: 'payments',
  basePath: '/vendors/payments',
  key: 'sk_test_preview',
  vars: { vendor: 'stripe' },
  store: () => FileStore.open(process.env.WORLD_FILE),
});
