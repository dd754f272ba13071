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
