import type { Json } from '../../values/index.js';
import { ANY, BOOLEAN, mapType, NUMBER, STRING } from '../../expression/index.js';
import { inside, type SourceLocation, type TransportFile } from '../../model/index.js';
import type { Cause, FramedMessage, SocketPlan } from '../../program/index.js';
import { functionScope } from '../context.js';
import { checkErrorUse } from '../error-use.js';
import { type DeliveryContext, endpointExpression } from './endpoint.js';
import { compileMessage, compileMessageTest, FRAMED } from './transport.js';

export type SocketFile = NonNullable<TransportFile['socket']>;

const NAME = '{listener}';

/** Compiles `socket` of a transport; problems are reported at their places. */
export function compileSocket(
  file: SocketFile,
  place: SourceLocation,
  causes: ReadonlyMap<string, Cause>,
  context: DeliveryContext,
): SocketPlan {
  for (const key of ['opened', 'closed'] as const) checkCause(file[key], inside(place, key), causes, context);
  checkErrorUse(file.refused, undefined, place, 'refused', context.compiler);
  const awaits =
    file.awaits_response === undefined
      ? null
      : endpointExpression(context, file.awaits_response, inside(place, 'awaits_response'), BOOLEAN).run;
  return {
    path: file.path.slice(0, -NAME.length),
    protocol: file.protocol ?? null,
    share: file.share ?? 1,
    greeting: file.greeting === undefined ? null : compileGreeting(file.greeting, inside(place, 'greeting'), context),
    ends: compileEnds(file.ends, inside(place, 'ends'), context),
    listener: endpointExpression(context, file.listener, inside(place, 'listener'), STRING).run,
    awaitsResponse: awaits === null ? () => true : (host, endpoint) => awaits(host, endpoint) === true,
    opened: file.opened,
    closed: file.closed,
    rejected: file.refused,
    frame: compileMessage<FramedMessage>(file.message, inside(place, 'message'), FRAMED, context),
    read: compileReply(file.reply, inside(place, 'reply'), context),
  };
}

function compileGreeting(
  greeting: Json,
  place: SourceLocation,
  { compiler: { diagnostics, env } }: DeliveryContext,
): NonNullable<SocketPlan['greeting']> {
  const seen = { listener: STRING, connections: NUMBER };
  const { scope, unit, parameters } = functionScope('delivery greeting', place, env, seen);
  return unit.expression(parameters, diagnostics.template(place, greeting, scope, env));
}

function compileEnds(file: SocketFile['ends'], place: SourceLocation, context: DeliveryContext): SocketPlan['ends'] {
  if (file === undefined) return null;
  return {
    when: compileMessageTest(file.when, inside(place, 'when'), context),
    say: compileMessage<FramedMessage>(file.say, inside(place, 'say'), FRAMED, context),
  };
}

/** Checks a listener's cause: it may take the listener's name only. */
function checkCause(
  name: string,
  place: SourceLocation,
  causes: ReadonlyMap<string, Cause>,
  { compiler: { diagnostics } }: DeliveryContext,
): void {
  const cause = diagnostics.find(place, 'cause', name, causes);
  if (!cause) return;
  const takes = cause.variants.some(({ subject, params }) => subject === null && params.has('listener'));
  if (!takes) diagnostics.problem(place, 'missing-argument', `'${name}' has to take 'listener', and no object`);
}

function compileReply(
  file: SocketFile['reply'],
  place: SourceLocation,
  { compiler: { diagnostics, env } }: DeliveryContext,
): SocketPlan['read'] {
  const { scope, unit, parameters } = functionScope('delivery reply', place, env, { reply: mapType(ANY) });
  const bare = (key: 'to' | 'status' | 'headers' | 'body'): string => {
    const source = file[key];
    return source === undefined ? 'null' : diagnostics.bare(inside(place, key), source, scope, env).js;
  };
  const test = (key: 'responds' | 'acknowledges'): string => {
    const source = file[key];
    return source === undefined ? 'false' : diagnostics.condition(inside(place, key), source, scope, env).js;
  };
  const says = `${test('responds')} === true ? "responded" : ${test('acknowledges')} === true ? "acknowledged" : null`;
  const members = (['to', 'status', 'headers', 'body'] as const).map((key) => `${key}: ${bare(key)}`);
  return unit.function(parameters, [`return { says: ${says}, ${members.join(', ')} };`]);
}
