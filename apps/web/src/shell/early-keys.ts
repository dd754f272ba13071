type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Returns how a pressed key changes the text before the cursor at its end, or null if it doesn't. */
export function toEdit({ key, ctrlKey, metaKey, altKey }: Key): ((text: string) => string) | null {
  if (key === 'Backspace') {
    if (metaKey) return () => '';
    return ctrlKey || altKey ? removeLastWord : (text) => [...text].slice(0, -1).join('');
  }
  return key.length !== 1 || ctrlKey || metaKey || altKey ? null : (text) => text + key;
}

function removeLastWord(text: string): string {
  const words = text.trimEnd();
  return words.slice(0, words.lastIndexOf(' ') + 1);
}
