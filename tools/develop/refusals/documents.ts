import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Hashes the data that a pack's figures depend on: its facts and the rules for violating calls. */
export function measuredHash(pack: string): string {
  const files = [join('packs', pack, 'facts.yaml'), join('tools', 'openapi', 'broken.ts')];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** A vendor's document for measuring a shipped pack. */
export type DocumentSource = {
  readonly pack: string;
  readonly title: string;
  /** Files of the document, relative to the repository or package. */
  readonly paths: readonly string[];
} & (
  | { readonly repository: string; readonly commit: string; readonly npm?: undefined }
  /** The document is in an npm package, named with its version. */
  | { readonly npm: string; readonly repository?: undefined; readonly commit?: undefined }
);

export const DOCUMENTS: readonly DocumentSource[] = [
  {
    pack: 'bank-data',
    title: 'plaid/plaid-openapi, 26f1a058',
    repository: 'plaid/plaid-openapi',
    commit: '26f1a0588c12e765e99c815300d94eae0a3c7dc1',
    paths: ['2020-09-14.yml'],
  },
  {
    pack: 'code-hosting',
    title: '@octokit/openapi 23.0.2',
    npm: '@octokit/openapi@23.0.2',
    paths: ['generated/api.github.com.json'],
  },
  {
    pack: 'mail',
    title: 'resend/resend-openapi, fd6f395',
    repository: 'resend/resend-openapi',
    commit: 'fd6f395f2114e13806025f0c330921c901d62bb1',
    paths: ['resend.yaml'],
  },
  {
    pack: 'messaging',
    title: 'twilio/twilio-oai, d50069b4',
    repository: 'twilio/twilio-oai',
    commit: 'd50069b44ea8cd23141385bdb6db48f16ff75bb5',
    paths: ['spec/json/twilio_api_v2010.json', 'spec/json/twilio_messaging_v1.json', 'spec/json/twilio_verify_v2.json'],
  },
  {
    pack: 'team-chat',
    title: 'slackapi/slack-api-specs, bc08db49',
    repository: 'slackapi/slack-api-specs',
    commit: 'bc08db49625630e3585bf2f1322128ea04f2a7f3',
    paths: ['web-api/slack_web_openapi_v2.json'],
  },
];
