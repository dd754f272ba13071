/** A line for a shell, in the folder of {@link WHERE}: elsewhere npx would look for a package of that name. */
export const command = (words: string): string => `npx agent-traffic ${words}`;

/** Where commands are run. */
export const WHERE = 'in the folder that Agent Traffic is installed in';
