import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { typeVariables } from './ui/type-colors.js';

const SYSTEM_FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export const theme = createTheme({
  fontFamily: SYSTEM_FONTS,
  headings: {
    fontFamily: SYSTEM_FONTS,
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Links in text must be distinguishable by more than color (WCAG 2.2, 1.4.1).
    Anchor: { defaultProps: { underline: 'always' } },
    // ARIA allows a label only on an element with a role.
    Loader: { defaultProps: { role: 'status', 'aria-label': 'Loading' } },
  },
});

/** Dashboard colors. They also raise the contrast of Mantine's dimmed text to at least 4.5:1 (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c92a2a',
    '--verified': '#12703a',
    '--failed': '#c02626',
    '--open': '#75530a',
    '--unknown': '#5c636a',
    '--bar': '#a5b4f0',
    '--bar-soft': '#e0e7ff',
    '--bar-verified': '#2f9e44',
    '--bar-failed': '#e03131',
    '--bar-open': '#c99a2e',
    '--line-soft': '#e9ecef',
    '--control-border': '#868e96',
    '--page-around': '#f8f9fa',
    ...typeVariables('light'),
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#969da4',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--verified': '#69db7c',
    '--failed': '#ff8787',
    '--open': '#ffd43b',
    '--unknown': '#a6adb4',
    '--bar': '#4a5fb8',
    '--bar-soft': '#2a3566',
    '--bar-verified': '#51cf66',
    '--bar-failed': '#ff6b6b',
    '--bar-open': '#ffd43b',
    '--line-soft': '#343434',
    '--control-border': '#868686',
    '--page-around': '#1a1a1a',
    // Mantine's defaults match the card background, so they would be invisible on cards.
    '--code-bg': '#1f1f1f',
    '--mantine-color-disabled': '#3b3b3b',
    '--mantine-color-disabled-color': '#969696',
    ...typeVariables('dark'),
  },
});
