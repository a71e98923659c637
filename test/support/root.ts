import { fileURLToPath } from 'node:url';

/** The folder of this project. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
