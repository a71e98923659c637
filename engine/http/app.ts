import type { IncomingMessage, ServerResponse } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';

/** One of the planes that share an origin. */
export interface Plane {
  /** The path below which it serves; `/`: everything that is left. */
  readonly path: string;
  readonly handler: RequestHandler;
  /** Responds with what the handler threw, as the plane writes errors. */
  readonly onError: (error: unknown, ...call: Parameters<RequestHandler>) => void;
}

/** What the requests and responses of an app are made of. */
export type Messages = Pick<Express, 'request' | 'response'>;

/**
 * Lets an app go whose messages another one continues with: they name it.
 * @param instead the app that they name from now on
 */
export function releaseApp({ request, response }: Messages, instead: Express): void {
  for (const message of [request, response]) {
    for (let each: object | null = message; each !== null; each = Reflect.getPrototypeOf(each))
      if (Object.hasOwn(each, 'app')) Object.assign(each, { app: instead });
  }
}

/**
 * The Express app of both APIs. Express does what is set up here and nothing by itself.
 * @param like an app whose requests and responses these are too: one server can then serve both as fast as one
 */
export function createApp(planes: readonly Plane[], like?: Messages): Express {
  const app = express();
  if (like) {
    app.request = like.request;
    app.response = like.response;
  }
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  for (const plane of planes) {
    const onError: ErrorRequestHandler = (error: unknown, req, res, next) =>
      respondWithError(plane, error, req, res, next);
    app.use(plane.path, plane.handler, onError);
  }
  return withShortWay(app, planes);
}

/** @param breakOff ends the connection: all that is left where the response is in flight */
function respondWithError(
  { onError }: Plane,
  error: unknown,
  req: Request,
  res: Response,
  breakOff: NextFunction,
): void {
  if (res.headersSent) breakOff(error);
  else onError(error, req, res, breakOff);
}

/** How Express serves a call. */
type Serve = (this: Express, req: IncomingMessage, res: ServerResponse, next?: NextFunction) => void;

/**
 * Calls that only the last plane can serve, nearly all, go to it at once: Express's way there, through the layers of all planes,
 * takes a fifth of a read. An app that is mounted in another one is always served by Express.
 */
function withShortWay(app: Express, planes: readonly Plane[]): Express {
  const last = planes.at(-1);
  if (last?.path !== '/') return app;
  // As Express matches them: whatever their case.
  const others = planes.slice(0, -1).map(({ path }) => path.toLowerCase());
  const isOthers = (url: string): boolean =>
    others.some((path) => url.length >= path.length && url.slice(0, path.length).toLowerCase() === path);
  const byLayers = Reflect.get(app, 'handle') as Serve;
  const handle: Serve = (message, response, next) => {
    const { url = '' } = message;
    if (next !== undefined || !url.startsWith('/') || isOthers(url)) return byLayers.call(app, message, response, next);
    const req = withPrototype(message, app.request);
    const res = withPrototype(response, app.response);
    req.originalUrl ||= url;
    const failed = (error: unknown): void => respondWithError(last, error, req, res, () => void req.socket.destroy());
    try {
      const served: unknown = last.handler(req, res, failed);
      if (served instanceof Promise) served.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
  return Object.assign(app, { handle });
}

/** Servers of this library make messages of an app from the start; others are made so here. */
function withPrototype<T extends object>(message: object, prototype: T): T {
  if (Reflect.getPrototypeOf(message) !== prototype) Reflect.setPrototypeOf(message, prototype);
  return message as T;
}
