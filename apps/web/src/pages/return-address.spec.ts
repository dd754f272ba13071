import { returnAddress } from './return-address.js';

it('goes on where the link was to', () => {
  expect(returnAddress('/projects/1/realtime?result=verified#row')).toBe('/projects/1/realtime?result=verified#row');
  expect(returnAddress(undefined)).toBe('/projects');
});

it.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/..//evil.example',
])('never leaves this site: %j', (text) => expect(returnAddress(text)).toBe('/projects'));
