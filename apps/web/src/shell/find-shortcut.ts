export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Event on the window that opens the palette. */
export const FIND_EVENT = 'agent-traffic:find';

/** Label of the keyboard shortcut that opens the palette. */
export const FIND_SHORTCUT = isApple ? '⌘ K' : 'Ctrl K';
