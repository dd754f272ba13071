/** Returns a shell command to run in the folder described by {@link INSTALL_LOCATION}. */
export const command = (words: string): string => `./agent-traffic ${words}`;

/** Place where commands must be run, for use in a sentence. */
export const INSTALL_LOCATION = 'in the folder where Agent Traffic is installed';
