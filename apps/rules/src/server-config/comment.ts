/** Maximum length of a comment line in characters, excluding the indentation and `# `. */
const MAX_LINE_LENGTH = 100;

/**
 * Formats texts as comment lines starting with `# `, which all supported servers understand. Replaces characters that a
 * server might interpret with `?`, so agent names can't inject configuration.
 */
export function comment(texts: readonly string[], indentation = ''): string {
  return texts.map((text) => `${indentation}# ${escapeComment(text)}`.trimEnd() + '\n').join('');
}

export function namesComment(names: readonly string[], indentation = ''): string {
  const lines: string[] = [];
  names.forEach((name, index) => {
    const text = index < names.length - 1 ? `${name},` : name;
    const line = lines.at(-1);
    if (line === undefined || line.length + text.length >= MAX_LINE_LENGTH) lines.push(text);
    else lines[lines.length - 1] = `${line} ${text}`;
  });
  return comment(lines, indentation);
}

/**
 * Replaces dangerous characters. For example, Apache joins lines at a trailing backslash, and Caddy expands environment
 * variables even in comments.
 */
const escapeComment = (text: string): string => text.replaceAll(/[\\${}"`<>\p{C}\p{Zl}\p{Zp}]/gu, '?');
