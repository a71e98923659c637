/** The vendor's evaluations whose solution runs here, with the folders of the agent's files and of the grader. */
const gym = [
  'cancel_subscription_without_proration',
  'create_subscription_only',
  'create_subscription_schedule_only',
  'create_subscription_with_discount_and_billing_cycle_anchor',
  'create_subscription_with_one_time_item',
  'create_subscription_with_trial',
  'create_subscription_with_usage_billing',
  'downgrade_subscription_at_end_of_cycle',
  'preview_invoice',
  'upgrade_subscription_with_proration',
].map((name) => ({
  set: 'subscription-gym',
  name: `subscription-gym-${name.replaceAll('_', '-')}`,
  problem: 'environment/PROBLEM.md',
  start: 'environment/server',
  solution: 'solution/server',
  serve: ['ruby', 'server.rb'],
  client: '15.2.1',
  grader: ['grader', 'rspec', `${name}_spec.rb`],
}));

const upgrades = ['charges-on-payment-intent', 'invoice-partial-payments', 'subscription-billing-migration'].map(
  (name) => ({
    set: 'sdk-upgrades-ruby',
    name: `sdk-upgrades-ruby-${name}`,
    problem: `environment/${name}/PROBLEM.md`,
    start: `environment/${name}/server`,
    solution: `solution/${name}/server`,
    serve: ['ruby', 'server.rb'],
    client: '15.5.0',
    grader: ['grader', 'rspec', `${name}/grade.rb`],
  }),
);

const checkout = {
  set: 'checkout-gym',
  name: 'checkout-gym',
  problem: 'environment/PROBLEM.md',
  // The submission is one file. The evaluation's own program generates it from the catalog that it creates in the account.
  submission: 'grader/submission.json',
  program: ['environment/server', 'evaluations.rb'],
  client: '15.2.1',
  grader: ['grader', 'ruby', 'grade.rb'],
};

/** Evaluations whose solution's files overwrite those of the environment, as in the vendor's own script. */
const shops = [
  { name: 'galtee-basic', spec: 'grade.rb', over: { 'server.js': 'server', 'galtee_data.db': 'db' } },
  { name: 'galtee-invoicing', spec: 'submit.rb', over: { 'server.js': 'server', 'migrate.js': 'server' } },
].map(({ name, spec, over }) => ({
  ...{
    set: name,
    name,
    over,
    problem: 'environment/PROBLEM.md',
    start: 'environment/server',
    solution: 'environment/server',
  },
  ...{ serve: ['node', 'server.js'], client: '15.2.1', grader: ['grader', 'rspec', `spec/${spec}`] },
}));

export const SETS = [...gym, ...upgrades, checkout, ...shops];
