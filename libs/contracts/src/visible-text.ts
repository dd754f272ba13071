/**
 * Invisible characters and characters that control a terminal: control characters, which could move the cursor or set the
 * clipboard, bidirectional controls, line separators, and ignorable characters such as tags and variation selectors, which
 * can carry hidden text.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Escapes all {@link UNSEEN} characters in an untrusted text, except those in `keep`. */
export const visible = (text: string, keep = ''): string =>
  text.replaceAll(UNSEEN, (character) => (keep.includes(character) ? character : escapedCharacter(character)));

/** Returns an escape such as `\x1b`, `\u202e` (above Latin-1) or `\u{e0041}` (above 16 bits). */
export function escapedCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  const digits = code.toString(16);
  if (code > 0xffff) return `\\u{${digits}}`;
  return code < 0x100 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
