/**
 * Verdict colors in charts. A test checks that color-blind users can distinguish them and that they contrast with the
 * chart background.
 */
export const VERDICT_COLORS = {
  verified: { light: '#138673', dark: '#22a699' },
  open: { light: '#b68920', dark: '#f7d27c' },
  failed: { light: '#c52020', dark: '#f25555' },
};

/** Returns a CSS variable for each verdict color. */
export const verdictVariables = (scheme: 'light' | 'dark'): Record<string, string> =>
  Object.fromEntries(Object.entries(VERDICT_COLORS).map(([name, colors]) => [`--bar-${name}`, colors[scheme]]));
