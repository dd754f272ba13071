/** Products in the user agents of many browsers and bots, which don't name the program itself. */
const COMMON_PRODUCTS: ReadonlySet<string> = new Set([
  'Mozilla',
  'AppleWebKit',
  'Gecko',
  'Version',
  'Mobile',
  'Safari',
]);

/** Returns the name of the program from a group of user agents, such as "ShelfScout". */
export function getProgramName(group: string): string {
  const parts = ['(', ')', ';', ','].reduce((text, separator) => text.replaceAll(separator, ' '), group).split(' ');
  const products = parts
    .filter((part) => part.includes('/') && !part.includes('://'))
    .map((part) => part.split('/')[0]!);
  return products.find((product) => product !== '' && !COMMON_PRODUCTS.has(product)) ?? group;
}
