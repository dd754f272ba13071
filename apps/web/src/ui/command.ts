/** Returns a shell command to run in the folder described by {@link WHERE}. */
export const command = (words: string): string => `./agent-traffic ${words}`;

/** Where commands are run. */
export const WHERE = 'in the folder that Agent Traffic is installed in';
