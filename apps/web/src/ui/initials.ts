/** Returns one or two initials of a name, such as "GB" for GPTBot, or an empty string if it has no letters or digits. */
export function getInitials(name: string): string {
  return splitWords(name)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join('');
}

/** Splits at separators, before a capital that follows a lowercase letter, and before the last capital of an acronym. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u);
}
