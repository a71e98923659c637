/** The vendor API as tools for agents: the Model Context Protocol of the running server. */
export { mcpEndpoint, RPC } from './endpoint.js';
export { catalogueOf } from './catalogue.js';
export { isOfOperation, type Tool } from './tool.js';
export { type Caller, callerOf } from './caller.js';
export { MissingInPath, NotSendable, requestNamed, requestOf, sendRequest } from './request.js';
