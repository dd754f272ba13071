/** What was typed as a list: by lines, commas or spaces, each once. */
export const fromLines = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((item) => item !== ''))];

/** Returns the lines of a text whose items may have spaces and commas. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const toLines = (items: readonly string[]): string => items.join('\n');
