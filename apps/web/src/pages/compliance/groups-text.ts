/** Lines that don't belong to a group. */
const OF_THE_FILE = /^(?:sitemap|license|host)\s*:/i;
const USER_AGENT = /^user-agent\s*:/i;

/**
 * Normalizes a robots.txt, so that two versions can be compared by group. Comments are removed. Groups and lines
 * outside of groups are separated by empty lines.
 */
export function groupsText(text: string | null): string {
  const groups: string[][] = [];
  let current: string[] | null = null;
  let isNaming = false;
  for (const raw of (text ?? '').split(/\r\n|\r|\n/)) {
    const line = raw.split('#', 1)[0]!.trim();
    if (line === '') continue;
    if (OF_THE_FILE.test(line)) {
      // The current group continues after this line.
      groups.push([line]);
      continue;
    }
    const isUserAgent = USER_AGENT.test(line);
    if (current === null || (isUserAgent && !isNaming)) groups.push((current = []));
    current.push(line);
    isNaming = isUserAgent;
  }
  return groups.map((lines) => lines.join('\n')).join('\n\n');
}
