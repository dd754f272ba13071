/** Maximum lengths, in characters, of the analyzed text and of a group. */
const MAX_INPUT_LENGTH = 1_024;
const MAX_GROUP_LENGTH = 200;

/** URL, which is left unchanged, or a run of characters that may contain a version. */
const PARTS = /https?:\/\/[^\s/;,()'"]+|[A-Za-z0-9._+~-]+/g;
const DIGIT = /\d/;
const SEPARATORS = /([._+~-])/;
const HEX_ID = /^[0-9a-f]{6,}$/i;
/** Part of a hexadecimal ID, such as a UUID, that happens to contain no digits. */
const HEX_WORD = /^[0-9a-f]{12,}$/i;
/** Letter before a version. */
const VERSION_LETTER = /^[vrb]$/i;
/** Minimum length of an ID with a letter after a digit. Shorter matches are usually names, such as device models. */
const MIN_ID_LENGTH = 8;
const ADJACENT_STARS = /\*(?:[._+~:-]{1,2}\*)+/g;
// oxlint-disable-next-line no-control-regex
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/g;

export const NO_USER_AGENT = '(no user agent)';

/**
 * Replaces the parts of a user agent that change between releases or visits, such as versions, build numbers, dates and
 * hexadecimal IDs, with `*`. The result has at most 200 characters. The function is idempotent.
 */
export function toUserAgentGroup(userAgent: string): string {
  const text = userAgent.slice(0, MAX_INPUT_LENGTH).toWellFormed().replaceAll(SPACES, ' ').trim();
  if (text === '') return NO_USER_AGENT;
  const cleaned = text.replaceAll(PARTS, (part) =>
    part.includes('://') || !DIGIT.test(part) ? part : maskVersions(part),
  );
  return cleaned.replaceAll(ADJACENT_STARS, '*').slice(0, MAX_GROUP_LENGTH).toWellFormed().trim();
}

function maskVersions(part: string): string {
  return part
    .split(SEPARATORS)
    .map((segment) => {
      if (!DIGIT.test(segment)) return HEX_WORD.test(segment) ? '*' : segment;
      const letters = segment.slice(0, segment.search(DIGIT));
      const isId = HEX_ID.test(segment) || (segment.length >= MIN_ID_LENGTH && /\d[a-z]/i.test(segment));
      return isId || VERSION_LETTER.test(letters) ? '*' : `${letters}*`;
    })
    .join('');
}
