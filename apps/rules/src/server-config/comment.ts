/** Columns of a comment, without indentation and `# `. */
const WIDTH = 100;

/**
 * Returns comment lines, which start with `# ` in every server's configuration. Replaces characters that a server might
 * expand or treat as the end of a block with `?`, so agent names can't inject configuration.
 */
export function comment(texts: readonly string[], indentation = ''): string {
  return texts.map((text) => `${indentation}# ${harmless(text)}`.trimEnd() + '\n').join('');
}

export function namesComment(names: readonly string[], indentation = ''): string {
  const lines: string[] = [];
  names.forEach((name, index) => {
    const text = index < names.length - 1 ? `${name},` : name;
    const line = lines.at(-1);
    if (line === undefined || line.length + text.length >= WIDTH) lines.push(text);
    else lines[lines.length - 1] = `${line} ${text}`;
  });
  return comment(lines, indentation);
}

/** A trailing backslash joins lines in Apache. Caddy expands environment variables before it recognizes comments. */
const harmless = (text: string): string => text.replaceAll(/[\\${}"`<>\p{C}\p{Zl}\p{Zp}]/gu, '?');
