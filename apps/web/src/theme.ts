import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { typeVariables } from './ui/type-colors.js';
import { verdictVariables } from './ui/verdict-colors.js';

const FONTS = 'Figtree, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export const theme = createTheme({
  fontFamily: FONTS,
  headings: {
    fontFamily: FONTS,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.35' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.45' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  fontSizes: { xs: '0.78125rem', sm: '0.84375rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { sm: '0.375rem', md: '0.5rem' },
  colors: {
    // Cards, controls and overlays (6 and 7) have the same background, and the page behind them (8) is darker.
    dark: [
      '#d5d8dd',
      '#b6bac1',
      '#8b9099',
      '#6b717a',
      '#33373e',
      '#25282d',
      '#1b1d21',
      '#1b1d21',
      '#121316',
      '#0b0c0e',
    ],
  },
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Card: { defaultProps: { radius: 'md' } },
    // Links in text must be distinguishable by more than color (WCAG 2.2, 1.4.1).
    Anchor: { defaultProps: { underline: 'always' } },
    // ARIA allows a label only on an element with a role.
    Loader: { defaultProps: { role: 'status', 'aria-label': 'Loading' } },
  },
});

/** Dashboard colors. They also raise the contrast of Mantine's dimmed text and of buttons under the pointer to at least 4.5:1 (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-outline': '#c92a2a',
    '--mantine-color-red-light-hover': 'var(--mantine-color-red-1)',
    '--mantine-color-indigo-light-hover': 'var(--mantine-color-indigo-1)',
    '--verified': '#0f6b5c',
    '--failed': '#c02626',
    '--open': '#75530a',
    '--unknown': '#5c636a',
    '--bar': '#a5b4f0',
    '--bar-soft': '#e0e7ff',
    '--line-soft': '#eceef1',
    '--card-border': '#e3e6ea',
    '--page': '#f6f7f9',
    '--nav-hover': '#eceef1',
    '--nav-current': '#e4e7ec',
    '--control-border': '#868e96',
    ...typeVariables('light'),
    ...verdictVariables('light'),
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#969da4',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--verified': '#5cd6bd',
    '--failed': '#ff8787',
    '--open': '#f7d27c',
    '--unknown': '#a6adb4',
    '--bar': '#4a5fb8',
    '--bar-soft': '#2a3566',
    '--line-soft': '#282b31',
    '--card-border': '#2b2f35',
    '--page': '#121316',
    '--nav-hover': '#1e2024',
    '--nav-current': '#282b31',
    '--control-border': '#868686',
    // Mantine's defaults match the card background, so they would be invisible on cards.
    '--code-bg': '#0f1013',
    '--mantine-color-disabled': '#2b2f35',
    '--mantine-color-disabled-color': '#969da4',
    ...typeVariables('dark'),
    ...verdictVariables('dark'),
  },
});
