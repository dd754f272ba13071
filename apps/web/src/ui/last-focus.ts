/** The focused element, followed by its ancestors at the time it received the focus, innermost first. */
let path: readonly HTMLElement[] = [];

/**
 * Tracks which element has the focus, so dialogs can return it even if their trigger is disabled or removed while they
 * load. Call it once, when the dashboard starts.
 */
export function trackFocus(): void {
  document.addEventListener('focusin', ({ target }) => (path = withAncestors(target)));
  document.addEventListener('focusout', ({ target }) => {
    // Otherwise, the element lost the focus because it was disabled or removed.
    if (target instanceof HTMLElement && target.isConnected && !target.matches(':disabled')) path = [];
  });
}

/**
 * Returns the focused element and its ancestors, innermost first, or an empty list if the user moved the focus to the
 * page itself.
 */
export const getLastFocus = (): readonly HTMLElement[] => path;

/** Returns the element and its ancestors below `body`. */
function withAncestors(element: EventTarget | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) return [];
  return [element, ...withAncestors(element.parentElement)];
}
