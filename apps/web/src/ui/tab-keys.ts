/** Part of a keyboard event. */
type PressedKey = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Returns the tab that a pressed key moves to, or null if the key doesn't move between tabs.
 * Shortcuts with modifier keys, such as Alt+Left for going back, are left to the browser.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
 */
export function getTabByKey(pressed: PressedKey, tabs: readonly string[], selected: string): string | null {
  if (pressed.altKey || pressed.ctrlKey || pressed.metaKey) return null;
  const index = tabs.indexOf(selected);
  switch (pressed.key) {
    case 'ArrowRight':
      return tabs[(index + 1) % tabs.length] ?? null;
    case 'ArrowLeft':
      return tabs.at(index - 1) ?? null;
    case 'Home':
      return tabs[0] ?? null;
    case 'End':
      return tabs.at(-1) ?? null;
    default:
      return null;
  }
}
