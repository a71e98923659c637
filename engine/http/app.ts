import bodyParser from 'body-parser';
import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
} from 'express';
import { type Engine, outsideAt } from '../runtime/index.js';
import type { KeyGuard } from './auth.js';
import { pageRoutes } from '../api/pages.js';
import { VendorPlane } from '../api/plane.js';
import { vendorRoutes } from '../api/routes.js';

const MAX_BODY_BYTES = 1024 * 1024;

/** The Express app of both planes: the control plane under its path, everything else the vendor's. */
export function createApp(
  engine: Engine,
  guard: KeyGuard,
  control: {
    readonly path: string;
    readonly handler: RequestHandler;
    readonly advance: (toMs: number) => Promise<unknown>;
  },
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.use(control.path, control.handler);
  const plane = new VendorPlane(engine, guard, control.advance);
  const readBody = bodyParser.raw({ type: () => true, limit: MAX_BODY_BYTES });
  const handlerOf =
    (operation: Parameters<VendorPlane['handle']>[0]): RequestHandler =>
    (req, res, next) => {
      if (!hasBody(req)) {
        plane.handle(operation, req, res).catch(next);
        return;
      }
      const handle: NextFunction = (error?: unknown) => {
        if (error) next(error);
        else plane.handle(operation, req, res).catch(next);
      };
      if (isPlain(req)) collect(req, handle);
      else readBody(req, res, handle);
    };
  app.use(vendorRoutes(engine.pack.operations, engine.model.settings.basePath, handlerOf));
  // After the operations, so that these do not wait for pages.
  if (engine.pack.pages.length > 0) app.use(pageRoutes(engine));
  app.use((req, res) => {
    const outside = outsideAt(engine.pack.outside, req.path);
    if (outside) {
      plane.refuse(req, res, outside.error, outside.args);
      return;
    }
    const paths = methodsOf(engine, req.path);
    plane.refuse(req, res, paths.length > 0 ? 'method_not_allowed' : 'unknown_route', {
      method: req.method,
      path: req.path,
    });
  });
  const onError: ErrorRequestHandler = (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const { type, status } = (typeof error === 'object' && error !== null ? error : {}) as {
      type?: unknown;
      status?: unknown;
    };
    if (type === 'entity.too.large') plane.refuse(req, res, 'body_too_large', { limit: MAX_BODY_BYTES });
    else if (error instanceof URIError) plane.refuse(req, res, 'unknown_route', { method: req.method, path: req.path });
    else if (typeof status === 'number' && status < 500)
      plane.refuse(req, res, 'body_malformed', {
        reason: error instanceof Error ? error.message : 'the body cannot be read',
      });
    else {
      engine.options.onDefect(error, `${req.method} ${req.path}`);
      plane.refuse(req, res, 'internal_error', { request_id: null });
    }
  };
  app.use(onError);
  return app;
}

function hasBody(req: {
  readonly headers: { readonly 'content-length'?: string; readonly 'transfer-encoding'?: string };
}): boolean {
  const length = req.headers['content-length'];
  return (length !== undefined && length !== '0') || req.headers['transfer-encoding'] !== undefined;
}

/** Whether a body needs neither decompression nor a watch over its length: what nearly every call brings. */
function isPlain({ headers }: Request): boolean {
  return headers['content-encoding'] === undefined && Number(headers['content-length']) <= MAX_BODY_BYTES;
}

/** Puts a plain body into `req.body`, without what a parser of all bodies has to do. Node watches over its length. */
function collect(req: Request, next: NextFunction): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    req.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    next();
  });
  req.on('error', () => {
    next(Object.assign(new Error('the request broke off'), { status: 400 }));
  });
}

/** Methods that some route of the pack has at a path. */
function methodsOf(engine: Engine, path: string): string[] {
  const segments = path.split('/');
  return engine.pack.operations
    .flatMap((operation) => operation.routes)
    .filter((route) => {
      const pattern = route.path.split('/');
      return (
        pattern.length === segments.length &&
        pattern.every((each, index) => each.startsWith('{') || each === segments[index])
      );
    })
    .map((route) => route.method);
}
