export { cookieAt, cookieIn, cookiePair, SET_COOKIE, setCookie } from './cookies.js';
export { ChunkDecoder } from './chunked.js';
export { Checksum, CHECKSUMS, isChecksum } from './checksum.js';
export { escapedHtml } from './html.js';
export { graphqlLibrary } from './graphql.js';
export { eventText, eventTexts } from './event-stream.js';
export { formText, formValues } from './form-text.js';
export {
  type DecodedJson,
  decodeJson,
  decodeJsonValue,
  isTooDeep,
  jsonOrNull,
  MAX_JSON_DEPTH,
  textOf,
} from './json.js';
export { decodingJson } from './large-json.js';
export { ecKey } from './ec.js';
export { hashOfKey, isHashOfKey } from './key-hash.js';
export { jmespath, jmespathProblem } from './jmespath.js';
export { jwt, jwtProblems, readJwt } from './jwt.js';
export { privateKeyOf, privatePem, publicKey, thumbprint } from './keys.js';
export { oneTimeCode } from './one-time-codes.js';
export { rsaKey } from './rsa.js';
export { markdownHtml } from './markdown.js';
export { decodeXml, xmlDocument, xmlText, xmlValue } from './xml.js';
export { patchLines, textDiff } from './text-diff.js';
export { readSearch, type SearchNode } from './search-text.js';
