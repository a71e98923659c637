import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { otherKey } from '../../engine/http/index.js';
import type { Company } from '../../engine/index.js';
import type { PackFile } from '../../engine/model/index.js';
import { type CalledHost, calledOf, hostsIn } from './called-hosts.js';
import type { Code } from './routes/code.js';
import { plainName } from './locked-versions.js';
import type { ApplicationFiles, Ecosystem, UsedPackage } from './used-packages.js';

type Packages = NonNullable<PackFile['packages']>[number];

/** A pack that an application needs, with the reason. */
export interface FoundVendor {
  readonly pack: string;
  readonly vars: Readonly<Record<string, string>>;
  /** The packages that call the vendor; empty if only environment variables or addresses in code name it. */
  readonly packages: readonly UsedPackage[];
  /** The vendor's hosts that code calls without a client; absent if there is a client, or a variable names the vendor. */
  readonly calls?: readonly CalledHost[];
  readonly environment: Readonly<Record<string, string>>;
  readonly sendsWebhooks: boolean;
}

/** Names of vendors without a pack, by package. */
const OTHERS: Readonly<Record<string, string>> = {
  '@adyen/api-library': 'Adyen',
  '@algolia/client-search': 'Algolia',
  '@aws-sdk/client-s3': 'AWS S3',
  '@clerk/nextjs': 'Clerk',
  '@google-cloud/storage': 'Google Cloud Storage',
  '@hubspot/api-client': 'HubSpot',
  '@linear/sdk': 'Linear',
  '@lemonsqueezy/lemonsqueezy.js': 'Lemon Squeezy',
  '@mailchimp/mailchimp_marketing': 'Mailchimp',
  '@notionhq/client': 'Notion',
  '@okta/okta-sdk-nodejs': 'Okta',
  '@paddle/paddle-node-sdk': 'Paddle',
  '@paypal/checkout-server-sdk': 'PayPal',
  '@shopify/shopify-api': 'Shopify',
  '@supabase/supabase-js': 'Supabase',
  '@workos-inc/node': 'WorkOS',
  '@azure/storage-blob': 'Azure Storage',
  '@ai-sdk/gateway': 'Vercel AI Gateway',
  '@vercel/blob': 'Vercel Blob',
  airtable: 'Airtable',
  algoliasearch: 'Algolia',
  'aws-sdk-s3': 'AWS S3',
  'azure-storage-blob': 'Azure Storage',
  boto3: 'AWS',
  braintree: 'Braintree',
  'braintree/braintree_php': 'Braintree',
  'checkout/checkout-sdk-php': 'Checkout.com',
  'code.gitea.io/sdk/gitea': 'Gitea',
  'getbrevo/brevo-php': 'Brevo',
  'github.com/aws/aws-sdk-go-v2': 'AWS',
  'github.com/drmaxgit/go-azuredevops': 'Azure DevOps',
  'gitlab.com/gitlab-org/api/client-go': 'GitLab',
  'gocardless/gocardless-pro': 'GoCardless',
  'google-cloud-storage': 'Google Cloud Storage',
  'google/apiclient': 'Google APIs',
  'intercom-rails': 'Intercom',
  'microsoft/microsoft-graph': 'Microsoft Graph',
  'mollie/mollie-api-php': 'Mollie',
  'nordigen/nordigen-php': 'GoCardless Bank Account Data',
  'pusher/pusher-php-server': 'Pusher',
  'razorpay/razorpay': 'Razorpay',
  'square/square': 'Square',
  'symfony/mailgun-mailer': 'Mailgun',
  'discord.js': 'Discord',
  'firebase-admin': 'Firebase',
  googleapis: 'Google APIs',
  'mailgun.js': 'Mailgun',
  'node-quickbooks': 'QuickBooks',
  'posthog-node': 'PostHog',
  replicate: 'Replicate',
  squareup: 'Square',
};

/** Reads the packages that packs declare. @param folders of the packs */
function packagesOf(
  folders: readonly string[],
): readonly (readonly [pack: string, packages: Packages, sendsWebhooks: boolean, hosts: readonly string[]])[] {
  return folders.flatMap((folder) => {
    const { packages = [], delivery, hosts = [] } = parse(readFileSync(join(folder, 'pack.yaml'), 'utf8')) as PackFile;
    return packages.map((each) => [basename(folder), each, delivery !== undefined, hosts] as const);
  });
}

/**
 * Finds the vendors that an application calls: one for each pack, in the order of the packs.
 * @param code the application's code, in which hosts of vendors without a client are searched; undefined: they aren't
 */
export function vendorsOf(
  { packages, environment }: ApplicationFiles,
  folders: readonly string[],
  code?: Code,
): readonly FoundVendor[] {
  const found = new Map<string, FoundVendor>();
  const all = packagesOf(folders);
  for (const [pack, entry, sendsWebhooks] of all) {
    const used = packages.filter(({ ecosystem, name }) => isOneOf(name, ecosystem, entry));
    const named = Object.keys(entry.environment ?? {}).some((name) => environment.has(name));
    const before = found.get(pack);
    if ((used.length === 0 && !named) || (before !== undefined && before.packages.length >= used.length)) continue;
    found.set(pack, {
      pack,
      vars: entry.vars ?? {},
      packages: used,
      environment: entry.environment ?? {},
      sendsWebhooks,
    });
  }
  const inCode = code === undefined ? new Map<string, string>() : hostsIn(code);
  for (const [pack, entry, sendsWebhooks, hosts] of all) {
    // If several vendors share a pack, an entry's own hosts are those that contain the vendor's name.
    const vendor = entry.vars?.['vendor'];
    const isShared = all.filter(([each]) => each === pack).length > 1;
    const own = isShared && vendor !== undefined ? hosts.filter((host) => host.includes(vendor)) : hosts;
    const calls = calledOf(own, inCode);
    if (found.has(pack) || calls.length === 0) continue;
    const { vars = {}, environment: wanted = {} } = entry;
    found.set(pack, { pack, vars, packages: [], calls, environment: wanted, sendsWebhooks });
  }
  return all.flatMap(([pack], at) => (all.findIndex(([each]) => each === pack) === at ? (found.get(pack) ?? []) : []));
}

/** Finds packages that call vendors without a pack. */
export function otherVendorsOf({ packages }: ApplicationFiles): readonly (UsedPackage & { readonly vendor: string })[] {
  return packages.flatMap((used) => (Object.hasOwn(OTHERS, used.name) ? [{ ...used, vendor: OTHERS[used.name] }] : []));
}

/** Whether a package is in a list; compares names as its registry does. */
function isOneOf(name: string, ecosystem: Ecosystem, packages: Packages): boolean {
  const same = (text: string): string => (ecosystem === 'pypi' ? plainName(text) : text.toLowerCase());
  return (packages[ecosystem] ?? []).some((each) => same(each) === same(name));
}

/** Returns the environment variables of applications for a company's vendors: addresses, keys, webhook secrets, variables of packs. */
export async function environmentOf(
  { vendors }: Pick<Company, 'vendors'>,
  found: readonly FoundVendor[],
): Promise<Readonly<Record<string, string>>> {
  const environment: Record<string, string> = {};
  for (const [name, { url, key, control, engine, pack }] of Object.entries(vendors)) {
    const wanted = found.find((each) => each.pack === name || each.pack === pack.name)?.environment ?? {};
    const { data } = Object.values(wanted).includes('webhook_secret')
      ? ((await control.call('GET', '/webhooks/endpoints')) as unknown as Endpoints)
      : { data: [] };
    const valueOf = (value: string): string | null | undefined => {
      if (value === 'key') return key;
      if (value.startsWith('key.')) {
        const { others, keyPrefix } = engine.pack.model.settings.auth;
        const prefix = others.get(value.slice('key.'.length));
        return prefix === undefined ? undefined : otherKey(key, keyPrefix, prefix);
      }
      if (value === 'webhook_secret') return data[0]?.secret;
      if (value.startsWith('url')) return url + value.slice('url'.length);
      return engine.pack.model.env.vars.get(value.slice('vars.'.length));
    };
    for (const [variable, value] of Object.entries(wanted)) {
      const read = valueOf(value);
      if (read) environment[variable] = read;
    }
  }
  return environment;
}

interface Endpoints {
  readonly data: readonly { readonly secret: string | null }[];
}
