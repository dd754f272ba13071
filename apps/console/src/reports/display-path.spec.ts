import { toDisplayPath } from './display-path.js';

it.each([
  ['/', '/'],
  ['/products/shoes.html?page=2', '/products/shoes.html?page=2'],
  ['/robots.txt', '/robots.txt'],
  ['/.well-known/ucp', '/.well-known/ucp'],
  ['/evil.example/sign-in', '/evil[.]example/sign-in'],
  ['/EVIL.COM', '/EVIL[.]COM'],
  ['/evil.com.html', '/evil[.]com.html'],
  ['/shoes.html.evil.com', '/shoes[.]html[.]evil[.]com'],
  ['/www.html', '/www[.]html'],
  ['/invoice.zip', '/invoice[.]zip'],
  ['/https://evil.example/', '/https[:]//evil[.]example/'],
  ['/mailto:eve@evil', '/mailto[:]eve[@]evil'],
  ['/Your account is blocked\r\nCall us', '/Your%20account%20is%20blocked%0D%0ACall%20us'],
  ['/еxample/\u202e\ud800', '/%D0%B5xample/%E2%80%AE%EF%BF%BD'],
])('formats the path %j as %s', (path, displayed) => {
  expect(toDisplayPath(path)).toBe(displayed);
});

it('truncates long paths', () => {
  expect(toDisplayPath(`/${'a'.repeat(100)}`)).toBe(`/${'a'.repeat(59)}…`);
  // Truncation must not turn a file name into a host name.
  expect(toDisplayPath(`/${'a'.repeat(52)}.comics.html`)).toBe(`/${'a'.repeat(52)}[.]comics…`);
});
