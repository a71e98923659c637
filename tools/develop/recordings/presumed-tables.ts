/** Matches the vendor's base URL; some recorders replace it with their proxy's. */
export const API = /^(?:https:\/\/(?:api|uploads)\.github\.com|http:\/\/localhost:\d+)/;
/** Kinds of objects by the path of their `url`, relative to the repository. */
export const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/, 'comments'],
  [/^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)$/, 'issues'],
  [/^\/repos\/([^/]+\/[^/]+)\/pulls\/comments\/(\d+)$/, 'review_comments'],
  [/^\/repos\/([^/]+\/[^/]+)\/pulls\/(\d+)$/, 'pulls'],
  [/^\/repos\/([^/]+\/[^/]+)\/milestones\/(\d+)$/, 'milestones'],
  [/^\/repos\/([^/]+\/[^/]+)\/labels\/([^/]+)$/, 'labels'],
  [/^\/repos\/([^/]+\/[^/]+)\/releases\/(\d+)$/, 'releases'],
  [/^\/repos\/([^/]+\/[^/]+)\/hooks\/(\d+)$/, 'hooks'],
  [/^\/repos\/([^/]+\/[^/]+)\/(?:git\/)?commits\/([0-9a-f]{40})$/, 'commits'],
  [/^\/repos\/([^/]+\/[^/]+)\/git\/trees\/([0-9a-f]{40})$/, 'trees'],
  [/^\/repos\/([^/]+\/[^/]+)\/git\/blobs\/([0-9a-f]{40})$/, 'blobs'],
  [/^\/repos\/([^/]+\/[^/]+)\/git\/(refs\/.+)$/, 'git_refs'],
  [/^\/repos\/([^/]+\/[^/]+)\/check-runs\/(\d+)$/, 'check_runs'],
  [/^\/repos\/([^/]+\/[^/]+)\/check-suites\/(\d+)$/, 'check_suites'],
  [/^\/repos\/([^/]+\/[^/]+)\/actions\/workflows\/(\d+)$/, 'workflows'],
  [/^\/repos\/([^/]+\/[^/]+)\/actions\/runs\/(\d+)$/, 'workflow_runs'],
  [/^\/repos\/([^/]+\/[^/]+)\/actions\/jobs\/(\d+)$/, 'workflow_jobs'],
  [/^\/repos\/([^/]+\/[^/]+)\/actions\/artifacts\/(\d+)$/, 'artifacts'],
  [/^\/repos\/([^/]+\/[^/]+)\/issues\/events\/(\d+)$/, 'issue_events'],
  [/^\/repos\/([^/]+\/[^/]+)\/deployments\/(\d+)$/, 'deployments'],
  [/^\/repos\/([^/]+\/[^/]+)\/deployments\/\d+\/statuses\/(\d+)$/, 'deployment_statuses'],
  [/^\/repos\/([^/]+\/[^/]+)\/releases\/assets\/(\d+)$/, 'release_assets'],
  [/^\/repos\/([^/]+\/[^/]+)\/comments\/(\d+)$/, 'commit_comments'],
  [/^\/repos\/([^/]+\/[^/]+)\/environments\/([^/]+)$/, 'environments'],
  [/^\/repos\/([^/]+\/[^/]+)\/keys\/(\d+)$/, 'deploy_keys'],
  [/^\/repos\/([^/]+\/[^/]+)\/git\/tags\/([0-9a-f]{40})$/, 'tags'],
  [/^\/repos\/([^/]+\/[^/]+)\/contents\/([^?]*)/, 'contents'],
  [/^\/repos\/([^/]+\/[^/]+)$/, 'repos'],
  [/^\/(?:users|orgs)\/([^/]+)$/, 'users'],
];
/** Collections whose ids the pack prefixes with digits. */
export const NUMBERED: Readonly<Record<string, string>> = {
  deployments: '24',
  deployment_statuses: '25',
  release_assets: '26',
  issue_events: '27',
  autolinks: '28',
  deploy_keys: '29',
  commit_comments: '30',
  artifacts: '31',
  reactions: '16',
  notifications: '32',
  installations: '33',
  apps: '34',
  check_runs: '11',
  check_suites: '12',
  comments: '13',
  hooks: '14',
  releases: '17',
  reviews: '18',
  review_comments: '19',
  statuses: '20',
  workflows: '21',
  workflow_jobs: '22',
  workflow_runs: '23',
};
/** Subjects of reactions: the pack's prefix of the id, and the collection of the id; null if it is a number. */
export const REACTED_TO: Readonly<Record<string, readonly [string, string | null]>> = {
  issues: ['issue', null],
  'issues/comments': ['comment', 'comments'],
  'pulls/comments': ['review_comment', 'review_comments'],
  comments: ['commit_comment', 'commit_comments'],
  releases: ['release', 'releases'],
};
export const SHA = /^[0-9a-f]{40}$/;
/** Default members of a run. */
export const BARE_RUN = { run_number: 1, event: 'push', head_branch: 'main', head_sha: '' };
export const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** Members that every user object has; others belong to the profile. */
export const PLAIN_USER = new Set(
  'login id node_id avatar_url gravatar_id url html_url followers_url following_url gists_url starred_url subscriptions_url organizations_url repos_url events_url received_events_url type site_admin user_view_type'.split(
    ' ',
  ),
);
export const USED_BY = new Set(
  'issues pulls comments review_comments milestones commit_comments deployments deployment_statuses'.split(' '),
);
