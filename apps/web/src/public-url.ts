/**
 * Address of the instance, without a slash at its end, for what is to be pasted elsewhere: the configured one, unless
 * nobody set it while people come by another.
 */
export function instanceAddress(configured: string | undefined, origin: string): string {
  const url = configured !== undefined && URL.canParse(configured) ? new URL(configured) : null;
  const isDefault = url === null || /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  return isDefault ? origin : url.href.replace(/\/+$/, '');
}
