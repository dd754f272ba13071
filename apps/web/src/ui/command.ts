/** Returns a shell command to run in the folder described by {@link WHERE}. */
export const command = (words: string): string => `./agent-traffic ${words}`;

/** Description of the folder that commands are run in. */
export const WHERE = 'in the folder that Agent Traffic is installed in';
