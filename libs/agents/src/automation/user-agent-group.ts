import { createHash } from 'node:crypto';

/** Characters that are read, and those of a group. */
const MAX_READ = 1_024;
const MAX_LENGTH = 200;

/** The address of a site, which stays as it is, or a run of characters that may be a version. */
const PARTS = /https?:\/\/[^\s/;,()'"]+|[A-Za-z0-9._+~-]+/g;
const DIGIT = /\d/;
const SEPARATORS = /([._+~-])/;
const HEX = /^[0-9a-f]{6,}$/i;
/** Without a digit, a part of an id as of a UUID. */
const HEX_WORD = /^[0-9a-f]{12,}$/i;
/** A letter that stands before a version. */
const VERSION_LETTER = /^[vrb]$/i;
/** Shorter ones with a letter behind a digit are names, such as those of devices. */
const MIN_RANDOM = 8;
const STARS = /\*(?:[._+~:-]{1,2}\*)+/g;
// oxlint-disable-next-line no-control-regex
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/g;

/** The group of visits without a user agent. */
export const NO_USER_AGENT = '(no user agent)';

/**
 * Returns a user agent without what changes from release to release and from visit to visit: versions, build numbers, dates
 * and hexadecimal ids become `*`. The same program has the same text next month; at most 200 characters. The group of a
 * group is itself.
 */
export function userAgentGroup(userAgent: string): string {
  const text = userAgent.slice(0, MAX_READ).toWellFormed().replaceAll(SPACES, ' ').trim();
  if (text === '') return NO_USER_AGENT;
  const cleaned = text.replaceAll(PARTS, (part) =>
    part.includes('://') || !DIGIT.test(part) ? part : withoutVersion(part),
  );
  return cleaned.replaceAll(STARS, '*').slice(0, MAX_LENGTH).toWellFormed().trim();
}

/** A number by which visits of a group are found: the first 32 bits of its SHA-256, as PostgreSQL's `integer` holds them. */
export const userAgentGroupNumber = (group: string): number =>
  createHash('sha256').update(group).digest().readInt32BE(0);

function withoutVersion(part: string): string {
  return part
    .split(SEPARATORS)
    .map((segment) => {
      if (!DIGIT.test(segment)) return HEX_WORD.test(segment) ? '*' : segment;
      const letters = segment.slice(0, segment.search(DIGIT));
      const isId = HEX.test(segment) || (segment.length >= MIN_RANDOM && /\d[a-z]/i.test(segment));
      return isId || VERSION_LETTER.test(letters) ? '*' : `${letters}*`;
    })
    .join('');
}
