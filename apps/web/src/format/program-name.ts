import { getBrowserName } from '#libs/sign-in';

/**
 * Returns the name in an unknown program's User-Agent, such as "ShelfScout" for
 * "Mozilla/* (compatible; ShelfScout/*; +https://shelfscout.example)". Returns the entire User-Agent
 * of browsers.
 */
export function getProgramName(userAgent: string): string {
  const product = userAgent.split('compatible; ')[1] ?? userAgent;
  const name = ['/', ';', ' ('].reduce((text, end) => text.split(end)[0]!, product).trim();
  return name === '' || name === 'Mozilla' ? userAgent : name;
}

/** Last products in the User-Agent of common browsers. */
const LAST_PRODUCTS: ReadonlySet<string> = new Set(['Safari', 'Firefox', 'Edg', 'EdgA', 'OPR']);

/**
 * Returns the name of an unknown visitor's program, or a name such as "Chrome on Windows" for browsers. Returns the
 * entire User-Agent if it names neither.
 */
export function getVisitorName(userAgent: string): string {
  const name = getProgramName(userAgent);
  if (name !== userAgent) return name;
  const [lastProduct = ''] = userAgent.slice(userAgent.lastIndexOf(' ') + 1).split('/');
  const browser = LAST_PRODUCTS.has(lastProduct) ? getBrowserName(userAgent) : null;
  return browser === null ? userAgent : userAgent.includes('Headless') ? `Headless ${browser}` : browser;
}
