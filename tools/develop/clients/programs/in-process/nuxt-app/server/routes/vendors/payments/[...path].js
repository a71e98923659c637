import { payments } from '../../../utils/vendor.js';

export default useBase(
  '/vendors/payments',
  fromNodeMiddleware((req, res, _next) => void payments.then((sandbox) => sandbox.handle(req, res))),
);
