type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Returns how a pressed key changes the text before the cursor at its end, or null if it doesn't. */
export function toEdit({ key, ctrlKey, metaKey, altKey }: Key): ((text: string) => string) | null {
  if (key === 'Backspace') {
    if (metaKey) return () => '';
    return (text) => (ctrlKey || altKey ? text.trimEnd().replace(/\S+$/, '') : [...text].slice(0, -1).join(''));
  }
  return key.length !== 1 || ctrlKey || metaKey || altKey ? null : (text) => text + key;
}
