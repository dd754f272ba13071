/**
 * Matches characters that are invisible or control a terminal. Control characters can move the cursor or set the
 * clipboard, and bidirectional controls and line separators can rearrange text. Ignorable characters, such as tags and
 * variation selectors, can contain hidden text.
 */
export const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Escapes invisible and control characters in an untrusted text, except those in `keep`. */
export const escapeInvisible = (text: string, keep = ''): string =>
  text.replaceAll(INVISIBLE_CHARACTERS, (character) =>
    keep.includes(character) ? character : escapeCharacter(character),
  );

/** Returns an escape such as `\x1b`, `\u202e` (above Latin-1) or `\u{e0041}` (above 16 bits). */
export function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  const digits = code.toString(16);
  if (code > 0xffff) return `\\u{${digits}}`;
  return code < 0x100 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
