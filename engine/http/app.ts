import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';

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
  for (const { path, handler, onError } of planes) {
    const respondWithError: ErrorRequestHandler = (error: unknown, req, res, next) => {
      // The response is in flight: all that is left is to break it off.
      if (res.headersSent) next(error);
      else onError(error, req, res, next);
    };
    app.use(path, handler, respondWithError);
  }
  return app;
}
