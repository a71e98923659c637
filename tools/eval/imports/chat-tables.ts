import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { TableMapping } from './tables.js';

const flag = (to: string, whenSet: Json, otherwise: Json) =>
  ({
    to,
    values: [
      [true, whenSet],
      [false, otherwise],
    ],
  }) as const;

/** Maps the tables of agent-diff's chat to the pack team-chat. */
export const CHAT: TableMapping = {
  messages: {
    collection: 'messages',
    fields: {
      message_id: 'id',
      channel_id: 'channel',
      user_id: 'user',
      message_text: 'text',
      parent_id: 'parent',
      blocks: 'blocks',
    },
    // The vendor records joins, topics and names as messages in these rooms.
    added: { subtype: { in: [null, 'thread_broadcast', 'me_message', 'bot_message', 'file_share'] } },
  },
  channels: {
    collection: 'channels',
    fields: {
      channel_id: 'id',
      channel_name: 'name',
      topic_text: 'topic.value',
      purpose_text: 'purpose.value',
      is_archived: flag('state', 'archived', 'open'),
      is_private: flag('kind', { ne: 'public' }, 'public'),
      is_dm: flag('kind', 'im', { ne: 'im' }),
      is_gc: flag('kind', 'mpim', { ne: 'mpim' }),
    },
  },
  channel_members: { collection: 'channel_members', fields: { channel_id: 'channel', user_id: 'user' } },
  message_reactions: {
    collection: 'message_reactions',
    fields: { message_id: 'message', reaction_type: 'name', user_id: 'user' },
  },
};

/** Id of the general channel in each new workspace. */
const GENERAL = 'C0GENERAL';
const KINDS = ['channels', 'groups', 'im', 'mpim'];
const SCOPES = [
  ...KINDS.flatMap((kind) => ['read', 'history', 'write'].map((right) => `${kind}:${right}`)),
  ...['chat:write', 'reactions:read', 'reactions:write', 'users:read', 'users:read.email', 'search:read'],
];

/** Returns the token of a person in the world. */
export function keyOfPerson(id: string): string {
  return `xoxp-${id}`;
}

/** Hides the general channel of a new workspace, since the benchmark has its own. */
function unseen(channels: readonly JsonObject[]): JsonObject[] {
  const own = channels.find(({ channel_name }) => channel_name === 'general');
  if (!own || own['channel_id'] === GENERAL) return [];
  return [{ id: GENERAL, name: 'before-the-seed', kind: 'private', state: 'archived', is_general: false }];
}

/** Converts the tables to seed data of the pack, with a token for each person. The benchmark's general channel becomes the workspace's. */
export function chatSeeds(tables: JsonObject): JsonObject {
  const rows = (name: string): readonly JsonObject[] => {
    const list = tables[name] ?? null;
    return Array.isArray(list) ? list.filter((each): each is JsonObject => isObject(each)) : [];
  };
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const labelOf = (value: Json | undefined): JsonObject => ({ value: text(value), creator: '', last_set: 0 });
  const users = rows('users');
  return {
    users: users.map(({ user_id: id, username: name, display_name, real_name, email }) => ({
      ...{ id, name, display_name, real_name, email },
    })),
    channels: [
      ...unseen(rows('channels')),
      ...rows('channels').map((row) => ({
        id: row['channel_id'],
        name: row['is_dm'] === true ? null : row['channel_name'],
        kind: row['is_dm'] === true ? 'im' : row['is_private'] === true ? 'private' : 'public',
        state: row['is_archived'] === true ? 'archived' : 'open',
        is_general: row['channel_name'] === 'general',
        topic: labelOf(row['topic_text']),
        purpose: labelOf(row['purpose_text']),
      })),
    ],
    channel_members: rows('channel_members').map(({ channel_id: channel, user_id: user }) => ({
      id: `${text(channel)}.${text(user)}`,
      channel,
      user,
    })),
    messages: rows('messages').map(
      ({ message_id: id, channel_id: channel, user_id: user, message_text, parent_id: parent = null }) => ({
        ...{ id, channel, user, parent },
        at: Math.floor(Number(id)),
        text: message_text,
      }),
    ),
    message_reactions: rows('message_reactions').map(({ message_id: message, reaction_type: name, user_id: user }) => ({
      id: [message, name, user].map(text).join('.'),
      ...{ message, name, user },
    })),
    tokens: users.map(({ user_id }) => {
      const user = text(user_id);
      return { id: `tok_${user}`, kind: 'user', token: keyOfPerson(user), user, scopes: SCOPES };
    }),
  };
}
