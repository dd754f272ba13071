/** What was typed as a list: by lines, commas or spaces, each once. */
export const fromLines = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((item) => item !== ''))];

export const toLines = (items: readonly string[]): string => items.join('\n');
