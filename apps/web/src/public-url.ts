const isOwn = ({ hostname }: URL): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);

/**
 * Address of the instance, without a slash at its end, for what is to be pasted elsewhere: the configured one, unless
 * nobody set it while people come by another.
 */
export function instanceAddress(configured: string | undefined, origin: string): string {
  const url = configured !== undefined && URL.canParse(configured) ? new URL(configured) : null;
  return url === null || isOwn(url) ? origin : url.href.replace(/\/{1,8}$/, '');
}

/** Returns the {@link instanceAddress} for the page that is shown. */
export const shownAddress = (): string =>
  instanceAddress(document.querySelector<HTMLMetaElement>('meta[name="public-url"]')?.content, location.origin);

/** A link that the instance made, at the address by which people come, unless another one was configured. */
export function instanceLink(link: string, origin: string): string {
  const url = new URL(link);
  return isOwn(url) ? `${origin}${url.pathname}` : link;
}
