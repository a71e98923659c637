import { createSandbox, FileStore } from '@vendor-sandbox/sandbox';

const publicUrl = `http://localhost:${process.env.PORT}/vendors/payments`;
const store = FileStore.open(process.env.WORLD_FILE);
export const payments = store.then((opened) =>
  createSandbox({
    pack: 'payments',
    listen: false,
    publicUrl,
    key: 'sk_test_preview',
    vars: { vendor: 'stripe' },
    store: opened,
  }),
);
