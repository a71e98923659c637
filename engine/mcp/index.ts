/** A vendor's API as tools for agents: the Model Context Protocol at the running server. */
export { mcpEndpoint } from './endpoint.js';
export { MissingInPath, requestNamed, sendRequest } from './request.js';
