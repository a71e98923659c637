export { USUAL_CALLS, useOf, type UseReport } from './play.js';
export { missesOf, servedFor, proportion } from './report.js';
