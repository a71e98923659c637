import { PAGES } from './pages.js';
import { testsOf } from './tour.js';

testsOf(PAGES);
