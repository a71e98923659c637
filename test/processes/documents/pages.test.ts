import { PAGES } from '../../tools/pages.js';
import { testsOf } from '../../tools/tour.js';

testsOf(PAGES);
