import { array, assert, constantFrom, oneof, property, string, stringMatching, webUrl } from 'fast-check';
import { MAX_RETURN_PATH_LENGTH, parseReturnPath } from './return-path.js';

const PUBLIC_URLS = ['https://visits.example', 'http://127.0.0.1:3000', 'https://visits.example:8443/'];

it.each([
  ['/', '/'],
  ['/projects/1/realtime?result=verified#row', '/projects/1/realtime?result=verified#row'],
  ['/invitations/agi_0', '/invitations/agi_0'],
  ['/projects?path=/a//b&q=https://other.example', '/projects?path=/a//b&q=https://other.example'],
  ['/projects/../system', '/system'],
  ['/projects?q=ü x', '/projects?q=%C3%BC%20x'],
  ['/@evil.example', '/@evil.example'],
  ['/https://evil.example', '/https://evil.example'],
])('parseReturnPath accepts a page on this instance: %j', (text, page) => expect(parseReturnPath(text)).toBe(page));

it.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/\u0000/evil.example',
  '/x/..//evil.example',
  '/x/..//host//evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/%2e%2e//evil.example',
  '/x/%2E.//evil.example',
  '/x/..\\/evil.example',
  '/x/..%2f/../..//evil.example',
  '/%2f/evil.example',
  '/%2Fevil.example',
  '/%5cevil.example',
  '/x/../%5Cevil.example',
  '//user:password@evil.example',
  '//visits.example@evil.example/',
  'https://evil.example',
  'https://visits.example/',
  'HTTPS:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  '／／evil.example',
  '../projects',
  '?x',
  '#x',
  '',
  'relative',
  `/${'x'.repeat(MAX_RETURN_PATH_LENGTH)}`,
  // Too long once it is encoded.
  `/${'ü'.repeat(MAX_RETURN_PATH_LENGTH / 2)}`,
])('parseReturnPath rejects %j', (text) => expect(parseReturnPath(text)).toBeNull());

it('parseReturnPath returns null without an address', () => expect(parseReturnPath(undefined)).toBeNull());

it('parseReturnPath treats full-width slashes as part of the path', () => {
  const page = parseReturnPath('/／evil.example')!;
  expect(new URL(page, PUBLIC_URLS[0]).origin).toBe(PUBLIC_URLS[0]);
});

it('parseReturnPath never leaves the origin, even if its result is resolved again', () => {
  const pathPiece = oneof(
    constantFrom('/', '//', '\\', '.', '..', '%2e', '%2f', '%5c', '\t', '\n', '@', ':', '?', '#', '／', '\uD800'),
    constantFrom('evil.example', 'x', 'https:', 'javascript:', '[::1]', '127.1'),
    string({ unit: 'binary', maxLength: 3 }),
  );
  const text = oneof(
    array(pathPiece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`),
    array(pathPiece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    stringMatching(/^\/[./\\%25efEF]{0,12}$/),
    webUrl(),
  );
  let accepted = 0;
  assert(
    property(text, (input) => {
      const page = parseReturnPath(input);
      if (page === null) return;
      accepted += 1;
      expect(parseReturnPath(page)).toBe(page);
      for (const publicUrl of PUBLIC_URLS) {
        const { origin, href } = new URL(page, publicUrl);
        expect(origin).toBe(new URL(publicUrl).origin);
        expect(new URL(href).href).toBe(href);
      }
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
