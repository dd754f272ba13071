const MAX_LENGTH = 60;

/**
 * Dots that mail clients may interpret as part of a host name. Excludes dots before file extensions that aren't
 * top-level domains.
 */
const DOTS =
  /(?<=www)\.|(?<!\/)\.(?!(?:html?|php|aspx?|jsp|txt|xml|json|js|css|png|jpe?g|gif|svg|webp|ico|pdf)(?:$|[?#]))/gi;

/**
 * Formats a URL path for display in an email. Visitors control paths, and mail clients turn text that looks like a host
 * or an address into a link. The result only contains ASCII characters without spaces, and nothing that can become a
 * link.
 */
export function toDisplayPath(path: string): string {
  const plain = path.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent);
  const text = plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
  return text.replaceAll(DOTS, '[.]').replaceAll(/[:@]/g, '[$&]');
}
