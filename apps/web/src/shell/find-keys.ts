export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** What opens the palette. */
export const FIND_KEYS = isApple ? '⌘ K' : 'Ctrl K';
