import { decideRobotsAccess, parseRobotsFile } from '#libs/robots';

export interface FolderAccess {
  folder: string;
  /** Agents that robots.txt disallows the folder for. */
  disallowed: string[];
}

/** Returns which of the agents a robots.txt file disallows each folder for. */
export function findDisallowed(text: string, folders: readonly string[], tokens: readonly string[]): FolderAccess[] {
  const file = parseRobotsFile(new TextEncoder().encode(text), Infinity);
  return folders.map((folder) => ({
    folder,
    disallowed: tokens.filter((token) => !decideRobotsAccess(file, token, folder).isAllowed),
  }));
}
