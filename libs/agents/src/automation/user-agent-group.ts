import { createHash } from 'node:crypto';

/** Maximum length in characters of the text that is read, and of a group. */
const MAX_READ = 1_024;
const MAX_LENGTH = 200;

/** URL, which is kept, or a run of characters that may contain a version. */
const PARTS = /https?:\/\/[^\s/;,()'"]+|[A-Za-z0-9._+~-]+/g;
const DIGIT = /\d/;
const SEPARATORS = /([._+~-])/;
const HEX = /^[0-9a-f]{6,}$/i;
/** Part of an ID without digits, such as in a UUID. */
const HEX_WORD = /^[0-9a-f]{12,}$/i;
/** Letter before a version. */
const VERSION_LETTER = /^[vrb]$/i;
/** Minimum length of an ID with a letter after a digit. Shorter ones are names, e.g. of devices. */
const MIN_RANDOM = 8;
const STARS = /\*(?:[._+~:-]{1,2}\*)+/g;
// oxlint-disable-next-line no-control-regex
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/g;

export const NO_USER_AGENT = '(no user agent)';

/**
 * Returns a user agent without the parts that change between releases and visits. Versions, build numbers, dates and
 * hexadecimal IDs become `*`. The result has at most 200 characters. The group of a group is itself.
 */
export function userAgentGroup(userAgent: string): string {
  const text = userAgent.slice(0, MAX_READ).toWellFormed().replaceAll(SPACES, ' ').trim();
  if (text === '') return NO_USER_AGENT;
  const cleaned = text.replaceAll(PARTS, (part) =>
    part.includes('://') || !DIGIT.test(part) ? part : withoutVersion(part),
  );
  return cleaned.replaceAll(STARS, '*').slice(0, MAX_LENGTH).toWellFormed().trim();
}

/** Returns a number to find a group's visits by: the first 32 bits of its SHA-256, as a PostgreSQL `integer`. */
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
