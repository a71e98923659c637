import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';

/** URLs, numbering and members of the objects in a collection. */
interface PresumedKind {
  /** Path of an object below its repository: `#` is a number, `$` a hash, `*` a name. */
  readonly at?: string;
  /** First digits of the pack's ids for these objects; absent for objects that are identified within their repository. */
  readonly digits?: string;
  /** The response member for each field, as a path: `labels[].name`. */
  readonly from?: Readonly<Record<string, string>>;
}

const BY_USER = { user_login: 'user.login' };
const BY_CREATOR = { user_login: 'creator.login' };

/** Collections that a reconstructed world contains, with the form of their objects. */
export const KINDS: Readonly<Record<string, PresumedKind>> = {
  comments: { at: 'issues/comments/#', digits: '13', from: BY_USER },
  issues: {
    at: 'issues/#',
    from: { ...BY_USER, tags: 'labels[].name', assigned: 'assignees[].login', closer: 'closed_by.login' },
  },
  review_comments: { at: 'pulls/comments/#', digits: '19', from: BY_USER },
  pulls: {
    at: 'pulls/#',
    from: {
      ...BY_USER,
      ...{ head_ref: 'head.ref', head_sha: 'head.sha', base_ref: 'base.ref', base_sha: 'base.sha' },
      ...{ reviewers: 'requested_reviewers[].login', merger: 'merged_by.login' },
    },
  },
  milestones: { at: 'milestones/#', from: BY_CREATOR },
  labels: { at: 'labels/*' },
  releases: { at: 'releases/#', digits: '17', from: { user_login: 'author.login' } },
  release_assets: { at: 'releases/assets/#', digits: '26', from: { user_login: 'uploader.login' } },
  hooks: { at: 'hooks/#', digits: '14' },
  commits: { at: '(?:git/)?commits/$' },
  trees: { at: 'git/trees/$' },
  blobs: { at: 'git/blobs/$' },
  tags: { at: 'git/tags/$', from: { target_sha: 'object.sha' } },
  git_refs: { at: 'git/(refs/.+)', from: { sha: 'object.sha' } },
  check_runs: { at: 'check-runs/#', digits: '11' },
  check_suites: { at: 'check-suites/#', digits: '12' },
  workflows: { at: 'actions/workflows/#', digits: '21' },
  workflow_runs: { at: 'actions/runs/#', digits: '23', from: { user_login: 'actor.login' } },
  workflow_jobs: { at: 'actions/jobs/#', digits: '22' },
  artifacts: { at: 'actions/artifacts/#', digits: '31' },
  issue_events: { at: 'issues/events/#', digits: '27', from: { actor_login: 'actor.login' } },
  deployments: { at: 'deployments/#', digits: '24', from: BY_CREATOR },
  deployment_statuses: { at: 'deployments/\\d+/statuses/#', digits: '25', from: BY_CREATOR },
  commit_comments: { at: 'comments/#', digits: '30', from: BY_USER },
  environments: { at: 'environments/*' },
  deploy_keys: { at: 'keys/#', digits: '29' },
  contents: { at: 'contents/([^?]*).*' },
  autolinks: { digits: '28' },
  reactions: { digits: '16' },
  notifications: { digits: '32' },
  installations: { digits: '33' },
  apps: { digits: '34' },
  reviews: { digits: '18' },
  statuses: { digits: '20' },
};

export const SHA = /^[0-9a-f]{40}$/;

/** Matches the vendor's base URL; some recorders replace it with their proxy's. */
const API = /^(?:https:\/\/(?:api|uploads)\.github\.com|http:\/\/localhost:\d+)/;
const SIGNS: Readonly<Record<string, string>> = { '#': '(\\d+)', $: '([0-9a-f]{40})', '*': '([^/]+)' };
const ADDRESSES = Object.entries(KINDS).flatMap(([kind, { at }]) => {
  const below = at?.replace(/[#$]|(?<=\/)\*/g, (sign) => SIGNS[sign]);
  return below === undefined ? [] : [[new RegExp(`^/repos/([^/]+/[^/]+)/${below}$`), kind] as const];
});

/** An object's own URL, parsed: collection, repository, id in the repository, and path. */
export type ObjectAddress = readonly [kind: string, repo: string, part: string, path: string];

/** Parses an object's own URL. */
export function kindOf(value: Json | undefined): ObjectAddress | undefined {
  const { url } = isObject(value ?? null) ? (value as JsonObject) : {};
  if (typeof url !== 'string' || !API.test(url)) return undefined;
  const path = decodeURI(url.replace(API, ''));
  for (const [pattern, kind] of [
    ...ADDRESSES,
    [/^\/repos\/([^/]+\/[^/]+)$/, 'repos'],
    [/^\/(?:users|orgs)\/([^/]+)$/, 'users'],
  ] as const) {
    const found = pattern.exec(path);
    if (found) return [kind, found[1], found[2] ?? '', path];
  }
  return undefined;
}
