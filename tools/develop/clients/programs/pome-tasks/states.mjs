/** The sandbox's state in the form that the benchmark's checks read. */
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
        issues: own('issues').map(({ id: issue, number, state, tags, assigned }) => ({
          ...{ number, state, assignees: assigned, labels: tags.map((tag) => ({ name: tag })) },
          comments: own('issue_comments').filter(({ issue_id }) => issue_id === issue),
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

/** The calls of a run as the benchmark records them. */
export function tapeOf(calls, twin) {
  return calls.map(({ call, arguments: given, status, operation, n }) => {
    const [method, path] = call.split(' ');
    // A route that the pack does not have is no operation: the run names the call instead.
    const fidelity = operation === call ? 'unsupported' : 'supported';
    return { twin, method, path, status, fidelity, request_body: given, tool: null, event_id: `call_${n}` };
  });
}
