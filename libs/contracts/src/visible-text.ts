/**
 * Characters that a terminal acts on or that nobody sees: controls, with which a request could move the cursor or set the
 * clipboard, changes of the writing direction, line separators, and characters without a shape, such as tags and variation
 * selectors, which can carry hidden text.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns a text from outside whose {@link UNSEEN} characters are escapes, except those in `keep`. */
export const visible = (text: string, keep = ''): string =>
  text.replaceAll(UNSEEN, (character) => (keep.includes(character) ? character : escapedCharacter(character)));

/** Returns `\x1b` for a character, `\u202e` beyond Latin-1, `\u{e0041}` beyond 16 bits. */
export function escapedCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  const digits = code.toString(16);
  if (code > 0xffff) return `\\u{${digits}}`;
  return code < 0x100 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
