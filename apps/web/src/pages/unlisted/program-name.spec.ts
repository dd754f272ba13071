import { getProgramName } from './program-name.js';

it.each([
  ['Mozilla/* (compatible; ShelfScout/*; +https://shelfscout.example/about)', 'ShelfScout'],
  ['pricewatch-sync/* (build *)', 'pricewatch-sync'],
  ['acme-inventory-fetcher', 'acme-inventory-fetcher'],
  ['Mozilla/* (Windows NT *; Win*; x*) AppleWebKit/* (KHTML, like Gecko) Chrome/* Safari/*', 'Chrome'],
  ['', ''],
])('names %s %s', (group, name) => expect(getProgramName(group)).toBe(name));
