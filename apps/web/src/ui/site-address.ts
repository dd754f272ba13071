/** Returns the typed site address, with `https://` added if it has no scheme, or null if it's empty. */
export function completeAddress(text: string): string | null {
  const address = text.trim();
  if (address === '') return null;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}

/** Returns an error message for a typed site address, or null if it's valid or empty. */
export function validateAddress(text: string): string | null {
  const address = completeAddress(text);
  if (address === null) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  // Chromium's URL parser accepts any host and percent-encodes invalid characters.
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && !url.hostname.includes('%');
  return isAddress ? null : 'Enter an address such as https://www.example.com.';
}

/** Returns a project name for a typed site address: its host without `www.`, or an empty string if it's invalid. */
export function toProjectName(text: string): string {
  const address = completeAddress(text);
  if (address === null || validateAddress(text) !== null) return '';
  return new URL(address).hostname.replace(/^www\./, '');
}
