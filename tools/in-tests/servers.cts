/** What ends the servers that this process started for a run of tests. */
export const servers: (() => Promise<void>)[] = [];
