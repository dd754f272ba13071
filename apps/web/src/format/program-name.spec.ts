import { getProgramName } from './program-name.js';

it.each([
  ['pricewatch-sync/* (build *)', 'pricewatch-sync'],
  ['Mozilla/* (compatible; ShelfScout/*; +https://shelfscout.example/about)', 'ShelfScout'],
  ['Mozilla/* (compatible; Scout; +https://scout.example)', 'Scout'],
  ['Price Watch (linux)', 'Price Watch'],
  ['Mozilla/* (X11; Linux *) Chrome/*', 'Mozilla/* (X11; Linux *) Chrome/*'],
  ['acme-inventory-fetcher', 'acme-inventory-fetcher'],
  ['/*', '/*'],
])('shortens %s to %s', (userAgent, name) => expect(getProgramName(userAgent)).toBe(name));
