const MAX_LENGTH = 60;

/** Dots that a mail program can take for those of a host: no top-level domain is called as these files are. */
const DOTS =
  /(?<=www)\.|(?<!\/)\.(?!(?:html?|php|aspx?|jsp|txt|xml|json|js|css|png|jpe?g|gif|svg|webp|ico|pdf)(?:$|[?#]))/gi;

/**
 * Returns a path as a mail shows it. Visitors choose paths, and mail programs make links of what looks like a host or an
 * address: it has no spaces, no letters that look like others, and nothing that can become a link.
 */
export function shownPath(path: string): string {
  const plain = path.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent);
  const text = plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
  return text.replaceAll(DOTS, '[.]').replaceAll(/[:@]/g, '[$&]');
}
