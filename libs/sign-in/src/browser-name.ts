/** The order matters because browsers also send the tokens of later entries. */
const BROWSERS: [name: string, token: RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: [name: string, token: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const findName = (names: [name: string, token: RegExp][], text: string): string | undefined =>
  names.find(([, token]) => token.test(text))?.[0];

/**
 * Returns a name such as "Firefox on Windows", or null if nothing is recognized. The result contains only names from
 * this file, so it is safe to display.
 */
export function getBrowserName(userAgent: string | null): string | null {
  const text = userAgent ?? '';
  const browser = findName(BROWSERS, text);
  const system = findName(SYSTEMS, text);
  if (browser === undefined) return system ?? null;
  return system === undefined ? browser : `${browser} on ${system}`;
}
