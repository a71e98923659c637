/** GraphQL over the resources of a pack. */
export { graphqlEndpoint } from './endpoint.js';
