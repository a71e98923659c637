export { graphqlLibrary } from './graphql.js';
export { eventText, eventTexts } from './event-stream.js';
export { formText, formValues } from './form-text.js';
export { type DecodedJson, decodeJson, decodeJsonValue, textOf } from './json.js';
export { decodingJson } from './large-json.js';
export { ecKey } from './ec.js';
export { hashOfKey, isHashOfKey } from './key-hash.js';
export { jmespath, jmespathProblem } from './jmespath.js';
export { jwt } from './jwt.js';
