import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ORIGIN } from '../api.js';
import { clientLine } from '../client-line.js';
import { Copied, Empty, Section } from '../parts.js';
import { Headers } from '../tables.js';
import { taskOf, testOf } from '../take-along.js';
import { plural, prettyBody } from '../text.js';
import type { Exchange, Message, Pack, PackOperation, Trace } from '../types.js';
import { useWorld } from '../world.js';

/** Shows the request and response of a call, and code to repeat it. */
export function Wire({ exchange, trace }: { exchange: Exchange | null | undefined; trace: Trace }): JSX.Element | null {
  const { pack } = useWorld();
  const [chosen, setChosen] = useState('curl');
  if (exchange === undefined) return null;
  if (exchange === null)
    return (
      <Section title="Request and response" level={3}>
        <Empty>Bodies are stored for the newest calls only.</Empty>
      </Section>
    );
  const operation = pack.resources
    .flatMap(({ operations }) => operations)
    .find((each) => each.operation === trace.operation);
  const lines = waysToSay(pack, operation, trace, exchange);
  const [, line] = lines.find(([name]) => name === chosen) ?? lines[0];
  return (
    <>
      <Section title="Request" level={3}>
        <MessageView message={exchange.request} label="Request body" />
      </Section>
      <Section title="Response" level={3}>
        <MessageView message={exchange.response} label="Response body" />
      </Section>
      <Section
        title="Repeat this call"
        level={3}
        aside={
          <div class="choices" role="group" aria-label="Format">
            {lines.map(([name]) => (
              <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
                {name}
              </button>
            ))}
          </div>
        }
      >
        <Copied text={line} label="Code" />
      </Section>
    </>
  );
}

function MessageView({ message: { headers, body, bytes }, label }: { message: Message; label: string }): JSX.Element {
  return (
    <>
      {body === null ? (
        <Empty>{bytes.toLocaleString('en')} bytes, too large to store</Empty>
      ) : body === '' ? (
        <p class="muted">(empty)</p>
      ) : (
        <pre tabIndex={0} aria-label={label}>
          {prettyBody(body, headers['content-type'])}
        </pre>
      )}
      <details>
        <summary>{plural(Object.keys(headers).length, 'header')}</summary>
        <Headers headers={headers} />
      </details>
    </>
  );
}

/** Formats code for a call, by name: curl, JavaScript, the vendor's client, a test and a task. */
function waysToSay(
  pack: Pack,
  operation: PackOperation | undefined,
  trace: Trace,
  exchange: Exchange,
): [name: string, line: string][] {
  const own = clientLine(pack, operation, exchange);
  const curl = curlLine(trace, exchange, pack.key_scheme);
  return [
    ['curl', curl],
    ['JavaScript', fetchLine(trace, exchange)],
    ...(own !== null && pack.client ? [[pack.client.package, own] as [string, string]] : []),
    ['Test', testOf(pack, trace, exchange)],
    ['Task', taskOf(trace, exchange, curl)],
  ];
}

/** Matches headers that clients set themselves, which code for the call omits. */
const USUAL = /^(?:host|connection|content-length|accept.*|user-agent|sec-.*|authorization|transfer-encoding)$/;

function ownHeaders({ request }: Exchange): [string, string][] {
  return Object.entries(request.headers).filter(([name]) => !USUAL.test(name));
}

function curlLine({ request: { method } }: Trace, exchange: Exchange, scheme: string): string {
  const key = scheme === 'basic' ? '-u "$KEY:"' : '-H "Authorization: Bearer $KEY"';
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${ORIGIN}${exchange.url}' ${key}`];
  for (const [name, value] of ownHeaders(exchange)) lines.push(`  -H ${quoted(`${name}: ${value}`)}`);
  if (exchange.request.body) lines.push(`  -d ${quoted(exchange.request.body)}`);
  return lines.join(' \\\n');
}

function fetchLine({ request: { method } }: Trace, exchange: Exchange): string {
  const headers = Object.fromEntries([['Authorization', 'Bearer KEY'], ...ownHeaders(exchange)]);
  const options = { method, headers, ...(exchange.request.body ? { body: exchange.request.body } : {}) };
  const text = JSON.stringify(options, null, 2).replace('"Bearer KEY"', '`Bearer ${process.env.KEY}`');
  return `await fetch('${ORIGIN}${exchange.url}', ${text});`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
