import { resolveInstanceUrl, resolveInstanceLink } from './public-url.js';

it.each([
  ['https://traffic.example/', 'http://10.0.0.7:3000', 'https://traffic.example'],
  ['https://example.com/traffic/', 'https://example.com', 'https://example.com/traffic'],
  ['http://127.0.0.1:3000/', 'http://192.168.1.4:3000', 'http://192.168.1.4:3000'],
  ['PUBLIC_URL', 'http://localhost:5173', 'http://localhost:5173'],
  [undefined, 'http://localhost:5173', 'http://localhost:5173'],
])('resolves PUBLIC_URL %s on a page at %s to %s', (configured, origin, address) => {
  expect(resolveInstanceUrl(configured, origin)).toBe(address);
});

it.each([
  ['https://traffic.example/a/agi_1', 'http://10.0.0.7:3000', 'https://traffic.example/a/agi_1'],
  ['http://127.0.0.1:3000/a/agi_1', 'http://192.168.1.4:3471', 'http://192.168.1.4:3471/a/agi_1'],
])('resolves the link %s on a page at %s to %s', (link, origin, address) => {
  expect(resolveInstanceLink(link, origin)).toBe(address);
});
