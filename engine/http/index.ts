/** HTTP for both APIs: the server, the app, keys, bodies, errors, pages. */
export { createApp, releaseApp, type Messages, type Plane } from './app.js';
export {
  givenKeys,
  type Guard,
  AnyGuard,
  HashedGuard,
  type KeyCheck,
  KeyGuard,
  type KeyHeader,
  keyHeaders,
  UNSIGNED_HEADER,
  type KeyPlaces,
  otherKey,
  ownKeysOf,
} from './auth.js';
export { bodyReader, hasBody, hostOf, pathOf, queryOf, valuesOf } from './request.js';
export { type RequestError, requestError } from './errors.js';
export { type Exchange, Exchanges, type ShownExchange, type ShownMessage } from './exchanges.js';
export { holdNoMore, holdResponses } from './gate.js';
export { isHealthPath, sayHealth } from './health.js';
export { isWebUrl, noticeHtml, pageHtml, POSTING_HASH, STYLE_HASH } from './html.js';
export { callWithin, type InnerCall, type InnerResponse } from './inner-call.js';
export { leadToInspector, serveInspector, asksForPage } from './inspector.js';
export { hostCheck, hostMatcher } from './hosts.js';
export { type Cors, crossOrigin } from './cors.js';
export { closeAll, closeUnused, createHttpServer, type Tls } from './server.js';
export { fetchWithin, passWithin, withoutBasePath } from './within.js';
export { beforeLarge, LARGE_BYTES, type UnreadNews, watchReading } from './unread.js';
export { ignoreUpgrade, type Upgrade } from './upgrade.js';
