/** Lines that belong to no group. */
const OF_THE_FILE = /^(?:sitemap|license|host)\s*:/i;
const USER_AGENT = /^user-agent\s*:/i;

/**
 * Returns a robots.txt as rules are rendered here, so that two can be compared group by group: without comments, with an
 * empty line between groups alone, and with each line that belongs to none by itself.
 */
export function groupsText(text: string | null): string {
  const groups: string[][] = [];
  let current: string[] | null = null;
  let isNaming = false;
  for (const raw of (text ?? '').split(/\r\n|\r|\n/)) {
    const line = raw.split('#', 1)[0]!.trim();
    if (line === '') continue;
    if (OF_THE_FILE.test(line)) {
      // The group goes on behind it.
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
