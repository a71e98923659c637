"""Runs each doctest file of the module as it is; only the address of the API and the keys differ."""
import doctest
import json
import os
import warnings

# The module looks at these while it is imported.
os.environ['DB_NAME'] = ':memory:'
os.environ['STRIPE_SECRET_KEY'] = os.environ['SANDBOX_KEY']
os.environ['STRIPE_PUBLISHABLE_KEY'] = os.environ['SANDBOX_KEY'].replace('sk_', 'pk_', 1)
warnings.simplefilter('ignore')

import stripe  # noqa: E402
import trytond.modules.account_payment_stripe as module  # noqa: E402
from trytond.tests.test_tryton import doctest_checker, doctest_teardown  # noqa: E402

stripe.api_base = os.environ['SANDBOX_URL']
folder = os.path.join(os.path.dirname(module.__file__), 'tests')
for name in sorted(each for each in os.listdir(folder) if each.endswith('.rst')):
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        test = doctest.DocTestParser().get_doctest(file.read(), {}, name, name, 0)
    said = []
    runner = doctest.DocTestRunner(checker=doctest_checker, optionflags=doctest.REPORT_ONLY_FIRST_FAILURE)
    failed, tried = runner.run(test, out=said.append)
    doctest_teardown(None)
    step = {'step': f'{name}: {tried - failed} of {tried} examples', 'ok': failed == 0}
    print(json.dumps(step if failed == 0 else {**step, 'why': ''.join(said)[:300]}), flush=True)
