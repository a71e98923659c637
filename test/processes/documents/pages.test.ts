import { IS_WHOLE } from '../../support/sample.js';
import { PAGES } from '../../tools/pages.js';
import { testsOf } from '../../tools/tour.js';

testsOf(PAGES.filter(({ rare }) => IS_WHOLE || !rare));
