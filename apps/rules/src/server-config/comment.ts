/** Columns of a comment, its indentation and `# ` left out. */
const WIDTH = 100;

/**
 * Texts as lines of a comment, which begins with `# ` in the configuration of every server. The name of an agent can't
 * write configuration by it: what a server might expand or take for the end of a block is shown as `?`.
 */
export function comment(texts: readonly string[], indentation = ''): string {
  return texts.map((text) => `${indentation}# ${harmless(text)}`.trimEnd() + '\n').join('');
}

/** Names in a comment, parted by commas, on as many lines as they take. */
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

/** A backslash at the end joins lines in Apache, and Caddy puts the environment in before it looks for comments. */
const harmless = (text: string): string => text.replaceAll(/[\\${}"`<>\p{C}\p{Zl}\p{Zp}]/gu, '?');
