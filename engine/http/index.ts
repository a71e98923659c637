/** HTTP, as both planes speak it: the server, the app, keys, bodies, errors, pages. */
export { createApp, letGoOfApp, type Messages, type Plane } from './app.js';
export { givenKeys, type KeyCheck, KeyGuard, type KeyHeader, keyHeaders, otherKey } from './auth.js';
export { bodyReader, hasBody } from './body.js';
export { type RequestError, requestError } from './errors.js';
export { holdNoMore, holdResponses } from './gate.js';
export { isWebUrl, noticeHtml, pageHtml, STYLE_HASH } from './html.js';
export { createHttpServer } from './server.js';
export { pathOf, queryOf } from './url.js';
