import type { IncomingMessage, ServerResponse } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';

/** An API that shares an origin with others. */
export interface Plane {
  /** The path prefix that the API serves; `/`: all other paths. */
  readonly path: string;
  readonly handler: RequestHandler;
  /** Responds to an error of the handler, in the API's error format. */
  readonly onError: (error: unknown, ...call: Parameters<RequestHandler>) => void;
}

/** The prototypes of an app's requests and responses. */
export type Messages = Pick<Express, 'request' | 'response'>;

/** Releases an app whose message prototypes another app uses. @param instead the app to which messages refer from now on */
export function releaseApp({ request, response }: Messages, instead: Express): void {
  for (const message of [request, response]) {
    for (let each: object | null = message; each !== null; each = Reflect.getPrototypeOf(each))
      if (Object.hasOwn(each, 'app')) Object.assign(each, { app: instead });
  }
}

/**
 * The Express app of both APIs, with Express's own features off.
 * @param like an app with the same message prototypes, so that one server can serve both at full speed
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

/** Responds to an error in an API's format. @param breakOff ends the connection, if the response has started */
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

/** The type of Express's method that serves a call. */
type Serve = (this: Express, req: IncomingMessage, res: ServerResponse, next?: NextFunction) => void;

/**
 * Passes calls that only the last API can serve to it directly, since Express's layers take a fifth of the time of a read. If
 * the app is mounted in another one, Express serves every call.
 */
function withShortWay(app: Express, planes: readonly Plane[]): Express {
  const last = planes.at(-1);
  if (last?.path !== '/') return app;
  // Paths are compared regardless of case, as in Express.
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

/** Sets a message's prototype, unless the server has created the message with it, as this library's servers do. */
function withPrototype<T extends object>(message: object, prototype: T): T {
  if (Reflect.getPrototypeOf(message) !== prototype) Reflect.setPrototypeOf(message, prototype);
  return message as T;
}
