import { MAX_ROBOTS_BYTES, mergeRobots, RobotsSectionError, type MergedRobots } from '#libs/robots';

/** Draft of the site's robots.txt. */
export interface SiteDraft extends Omit<MergedRobots, 'content'> {
  text: string;
  isTooLarge: boolean;
  /** Message if the rules can't be merged into the site's file. The draft then only contains the rules. */
  problem: string | null;
}

/**
 * Merges rendered rules into the site's robots.txt.
 *
 * @param served Empty if the site serves no file.
 */
export function createSiteDraft(served: string, rules: string): SiteDraft {
  const encoder = new TextEncoder();
  try {
    const { content, ...merged } = mergeRobots(encoder.encode(served), encoder.encode(rules));
    const isTooLarge = content.length > MAX_ROBOTS_BYTES;
    return { ...merged, text: new TextDecoder().decode(content), isTooLarge, problem: null };
  } catch (error) {
    if (!(error instanceof RobotsSectionError)) throw error;
    return { ...createSiteDraft('', rules), problem: error.message };
  }
}
