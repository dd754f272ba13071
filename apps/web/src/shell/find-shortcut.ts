export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Label of the keyboard shortcut that opens the palette. */
export const FIND_SHORTCUT = isApple ? '⌘ K' : 'Ctrl K';
