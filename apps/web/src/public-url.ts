const isLocal = ({ hostname }: URL): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);

/**
 * Returns the instance's base URL for text that users copy, without a trailing slash. Falls back to the page's origin
 * if the configured URL is missing, invalid or local.
 */
export function resolveInstanceUrl(configured: string | undefined, origin: string): string {
  const url = configured !== undefined && URL.canParse(configured) ? new URL(configured) : null;
  return url === null || isLocal(url) ? origin : url.href.replace(/\/{1,8}$/, '');
}

/** Returns the {@link resolveInstanceUrl} for the current page. */
export const getInstanceUrl = (): string =>
  resolveInstanceUrl(document.querySelector<HTMLMetaElement>('meta[name="public-url"]')?.content, location.origin);

/** Replaces a local host in a link created by the instance with the page's origin. */
export function resolveInstanceLink(link: string, origin: string): string {
  const url = new URL(link);
  return isLocal(url) ? `${origin}${url.pathname}` : link;
}
