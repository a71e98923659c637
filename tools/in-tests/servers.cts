/** Functions that stop the servers that this process started for a test run. */
export const servers: (() => Promise<void>)[] = [];
