const MAX_LENGTH = 60;

/** Dots that could make a mail client see a host name. File extensions that aren't top-level domains are left out. */
const DOTS =
  /(?<=www)\.|(?<!\/)\.(?!(?:html?|php|aspx?|jsp|txt|xml|json|js|css|png|jpe?g|gif|svg|webp|ico|pdf)(?:$|[?#]))/gi;

/**
 * Returns a path for display in a mail. Visitors choose paths, and mail clients turn text that looks like a host or an
 * address into links. The result therefore has only ASCII characters, no spaces, and nothing that can become a link.
 */
export function shownPath(path: string): string {
  const plain = path.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent);
  const text = plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
  return text.replaceAll(DOTS, '[.]').replaceAll(/[:@]/g, '[$&]');
}
