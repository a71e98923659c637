/** Converts the sandbox's state to the form that the benchmark's checks read. */
const of = (state, name) => state[name] ?? [];

export const STATES = {
  github: (state) => ({
    repositories: of(state, 'repos').map(({ id, owner_login, name }) => {
      const own = (collection) => of(state, collection).filter(({ repo_id }) => repo_id === id);
      return {
        ...{
          owner: owner_login,
          name,
          full_name: id,
          labels: own('labels'),
          files: [],
          pull_requests: [],
          commit_statuses: [],
        },
        issues: own('issues').map(({ number, state, tags, assigned }) => ({
          ...{ number, state, assignees: assigned, labels: tags.map((tag) => ({ name: tag })), comments: [] },
        })),
      };
    }),
  }),
  slack: (state) => ({
    channels: of(state, 'channels').map(({ id, name, kind }) => ({
      ...{ id, name, is_private: kind !== 'public', is_group: false, is_im: kind === 'im', is_mpim: kind === 'mpim' },
      members: of(state, 'channel_members').flatMap(({ channel, user }) => (channel === id ? [user] : [])),
      messages: of(state, 'messages').flatMap(({ id: ts, channel, user: user_id, text }) =>
        channel === id ? [{ ts, user_id, text }] : [],
      ),
    })),
    reactions: of(state, 'message_reactions').map(({ message, name, user }) => ({
      ...{
        channel_id: of(state, 'messages').find(({ id }) => id === message)?.channel,
        message_ts: message,
        name,
        user_id: user,
      },
    })),
  }),
  stripe: (state) => ({
    payment_intents: of(state, 'payment_intents'),
    charges: of(state, 'charges'),
    balance_transactions: of(state, 'balance_transactions'),
    events: of(state, 'events'),
    refunds: of(state, 'refunds'),
  }),
};

/** Reads the state of a world, of all its packs together; null if the key gives no access to the control API. */
export async function stateOf({ SANDBOX_URL, SANDBOX_KEY, ...env }) {
  const packs = Object.keys(env).flatMap((name) => /^SANDBOX_(\w+)_MCP_URL$/.exec(name)?.[1].toLowerCase() ?? []);
  const routes = packs.map((pack) => `/vendors/${pack.replaceAll('_', '-')}/state`);
  const made = {};
  for (const route of routes.length === 0 ? ['/state'] : routes) {
    const response = await fetch(`${SANDBOX_URL}/__admin__${route}`, {
      headers: { authorization: `Bearer ${SANDBOX_KEY}` },
    });
    if (!response.ok) return null;
    Object.assign(made, (await response.json()).resources);
  }
  return made;
}

/** Tool names that the benchmark's checks use, by operation of the pack. */
const TOOLS = { 'comments.create': 'add_issue_comment' };

/** Converts the calls of a run to the benchmark's record. @param pack selects one pack of a world with several */
export function tapeOf(calls, twin, pack) {
  return calls.flatMap(({ call, arguments: given, status, operation, n }) => {
    const [of, name] = operation.includes('/') && !operation.includes(' ') ? operation.split('/') : [pack, operation];
    if (of !== pack) return [];
    const [method, path] = call.split(' ');
    // A call of an unknown route has no operation, so the run records the call itself in its place.
    const fidelity = operation === call ? 'unsupported' : 'supported';
    return [
      { twin, method, path, status, fidelity, request_body: given, tool: TOOLS[name] ?? null, event_id: `call_${n}` },
    ];
  });
}
