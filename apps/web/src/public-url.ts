const isOwn = ({ hostname }: URL): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);

/**
 * Returns the instance's address for use in copied text, without a trailing slash. If the configured address is
 * missing, invalid or local, this is the origin of the page.
 */
export function instanceAddress(configured: string | undefined, origin: string): string {
  const url = configured !== undefined && URL.canParse(configured) ? new URL(configured) : null;
  return url === null || isOwn(url) ? origin : url.href.replace(/\/{1,8}$/, '');
}

/** Returns the {@link instanceAddress} for the current page. */
export const shownAddress = (): string =>
  instanceAddress(document.querySelector<HTMLMetaElement>('meta[name="public-url"]')?.content, location.origin);

/** Returns a link created by the instance. A local host is replaced with the origin of the page. */
export function instanceLink(link: string, origin: string): string {
  const url = new URL(link);
  return isOwn(url) ? `${origin}${url.pathname}` : link;
}
