import { text as read } from 'node:stream/consumers';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { headersOf } from '../../support/http.js';

/** What clients of every release send calls with (`createNodeHttpClient`). */
interface HttpClient {
  makeRequest(
    host: string,
    port: string | number,
    path: string,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    headers: object,
    requestData: string | null,
    protocol: 'http' | 'https',
    timeout: number,
  ): Promise<{ getRawResponse(): unknown; getHeaders(): IncomingHttpHeaders }>;
}

/**
 * The client's own way of sending calls, whose responses are read and checked.
 * @param check given method and path, the response's text and its headers
 */
export function checkedClient<C extends HttpClient>(
  client: C,
  check: (line: string, text: string, headers: Headers) => void,
): C {
  const send = client.makeRequest.bind(client);
  const makeRequest: HttpClient['makeRequest'] = async (...sent) => {
    const response = await send(...sent);
    const [, , path, method] = sent;
    const toJSON = async (): Promise<unknown> => {
      const text = await read(response.getRawResponse() as IncomingMessage);
      check(`${method} ${path.split('?')[0]}`, text, headersOf(response.getHeaders()));
      return JSON.parse(text);
    };
    return Object.assign(response, { toJSON });
  };
  return Object.assign(client, { makeRequest });
}
