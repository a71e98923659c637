import { dirname, join, normalize } from 'node:path';
import { documentText } from './tour.js';

/** What readers look for is at most two pages away from the README, and the page has the word that they search for. */

const MOST = 2;

/** The question, the page with its answer, and what stands there. */
const TASKS: readonly (readonly [question: string, page: string, says: string])[] = [
  ['Jest with CommonJS', 'docs/guides/in-tests.md', "require('@vendor-sandbox/sandbox/jest')"],
  ['a declined renewal next month', 'docs/guides/declined-renewal.md', '"at": "next_renewal"'],
  ['why a call returned 409', 'docs/guides/debug-a-response.md', 'X-Mock-Resolution-Trace'],
  ['a further field', 'docs/guides/add-a-field.md', 'fields:'],
  ['webhooks late, twice and out of order', 'docs/guides/webhooks-out-of-order.md', 'sandbox delivery-fault duplicate'],
  ['3-D Secure in Playwright', 'docs/guides/3d-secure-in-playwright.md', "getByRole('button', { name: 'Complete' })"],
  ['a newer version of the vendor’s client', 'docs/guides/upgrade-the-api-version.md', 'sandbox compare'],
  ['tests in parallel, in eight processes', 'docs/guides/parallel-tests.md', 'useSandbox'],
  ['Go', 'docs/start/go.md', 'stripe-go'],
  ['what is not supported', 'docs/reference/payments/not-supported.md', '# '],
  ['one server for a team', 'docs/guides/running-for-a-team.md', '--host'],
  ['back to the moment before a bug', 'docs/guides/time-travel.md', 'rewind'],
  ['an error code', 'docs/reference/errors.md', 'store_locked'],
  ['a vendor of one’s own', 'docs/start/writing-a-pack.md', 'init-pack'],
  ['Python', 'docs/start/python.md', 'stripe.api_base'],
  ['GitHub Actions', 'docs/start/installing.md', 'actions/checkout'],
  ['what a pin is', 'docs/concepts/which-tool.md', 'pin (override)'],
  ['what differs from the vendor', 'docs/reference/payments/differences.md', '# What differs from the vendor'],
  ['a vendor with its key in a header', 'docs/guides/cookbook.md', '## The key is in a custom header'],
  ['what happens on a restart', 'docs/concepts/state.md', 'restart, without `--store`'],
  ['whether it is safe to expose', 'docs/concepts/security.md', '`--host 0.0.0.0`'],
];

/** Pages that are opened on the shortest way from the README to each page. */
function opened(): Map<string, number> {
  const found = new Map([['README.md', 0]]);
  // A map goes on to what is added while it is walked.
  for (const [page, steps] of found)
    for (const [, path] of documentText(page).matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)\s]+)?\)/g)) {
      const target = normalize(join(dirname(page), path));
      if (!found.has(target)) found.set(target, steps + 1);
    }
  return found;
}

const steps = opened();

test.each(TASKS)('%s', (_question, page, says) => {
  expect(steps.get(page)).toBeLessThanOrEqual(MOST);
  expect(documentText(page)).toContain(says);
  expect(documentText('docs/README.md')).toContain(`(${page.slice('docs/'.length)}`);
});
