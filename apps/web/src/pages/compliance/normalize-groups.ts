/** Matches lines that don't belong to a group. */
const FILE_LEVEL_LINE = /^(?:sitemap|license|host)\s*:/i;
const USER_AGENT = /^user-agent\s*:/i;

/**
 * Normalizes a robots.txt file, so two versions can be compared by group. Removes comments, and separates groups and
 * lines outside groups with blank lines.
 */
export function normalizeGroups(text: string | null): string {
  const groups: string[][] = [];
  let current: string[] | null = null;
  let isInUserAgents = false;
  for (const raw of (text ?? '').split(/\r\n|\r|\n/)) {
    const line = raw.split('#', 1)[0]!.trim();
    if (line === '') continue;
    if (FILE_LEVEL_LINE.test(line)) {
      // This line becomes a separate group, but it doesn't end the current one, so leave `current` unchanged.
      groups.push([line]);
      continue;
    }
    const isUserAgent = USER_AGENT.test(line);
    if (current === null || (isUserAgent && !isInUserAgents)) groups.push((current = []));
    current.push(line);
    isInUserAgents = isUserAgent;
  }
  return groups.map((lines) => lines.join('\n')).join('\n\n');
}
