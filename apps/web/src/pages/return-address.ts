/** Where to go after the sign-in: a path of ours, whatever a link that somebody sent says. */
export function returnAddress(text: string | undefined): string {
  const home = '/projects';
  if (text === undefined || !text.startsWith('/')) return home;
  try {
    // Browsers read `//host`, `/\host` and some more as another site.
    const { origin, pathname, search, hash } = new URL(text, 'http://here.invalid');
    return origin === 'http://here.invalid' && !pathname.startsWith('//') ? pathname + search + hash : home;
  } catch {
    return home;
  }
}
