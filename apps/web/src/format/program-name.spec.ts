import { getProgramName, getVisitorName } from './program-name.js';

it.each([
  ['pricewatch-sync/* (build *)', 'pricewatch-sync'],
  ['Mozilla/* (compatible; ShelfScout/*; +https://shelfscout.example/about)', 'ShelfScout'],
  ['Mozilla/* (compatible; Scout; +https://scout.example)', 'Scout'],
  ['Price Watch (linux)', 'Price Watch'],
  ['Mozilla/* (X11; Linux *) Chrome/*', 'Mozilla/* (X11; Linux *) Chrome/*'],
  ['acme-inventory-fetcher', 'acme-inventory-fetcher'],
  ['/*', '/*'],
])('shortens %s to %s', (userAgent, name) => expect(getProgramName(userAgent)).toBe(name));

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const HEADLESS = CHROME.replace('Chrome', 'HeadlessChrome');

it.each([
  [CHROME, 'Chrome on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`${CHROME} Scout/1.0`, `${CHROME} Scout/1.0`],
  [HEADLESS, 'Headless Chrome on Windows'],
  ['Mozilla/5.0 (compatible; ShelfScout/1.2; +https://shelfscout.example)', 'ShelfScout'],
  ['', ''],
])('calls a visitor with the User-Agent %j %j', (userAgent, name) => expect(getVisitorName(userAgent)).toBe(name));
