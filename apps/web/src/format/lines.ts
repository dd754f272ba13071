/** Splits a list at whitespace and commas, and removes duplicates. */
export const parseList = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((item) => item !== ''))];

/** Splits a list at line breaks only, for items that can contain spaces and commas. */
export const parseLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const joinLines = (items: readonly string[]): string => items.join('\n');
