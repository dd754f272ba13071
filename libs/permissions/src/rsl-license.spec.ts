import { gzipSync } from 'node:zlib';
import { findLicenseOutcome } from './license-outcome.js';
import { MAX_LICENSE_BYTES, parseLicense } from './rsl-license.js';

const rsl = (content: string): string =>
  `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">${content}</rsl>`;
const license = (terms: string, attributes = 'url="/"'): string =>
  rsl(`<content ${attributes}><license>${terms}</license></content>`);
const outcomes = (text: string, path = '/page') => {
  const { contents, fault } = parseLicense(Buffer.from(text));
  expect(fault).toBeNull();
  return (['training', 'search', 'user'] as const).map((purpose) =>
    findLicenseOutcome(contents, { host: 'shop.example', path, purpose }),
  );
};

// The templates of rslstandard.org/guide/getting-started, and the usages of RSL 1.0, section 3.4.1.1.
it.each([
  ['<prohibits type="usage">ai-train</prohibits>', ['disallowed', null, null]],
  ['<prohibits type="usage">train-ai</prohibits>', ['disallowed', null, null]],
  ['<permits type="usage">ai-train</permits>', ['allowed', null, null]],
  [
    '<permits type="usage">search ai-input ai-index</permits><payment type="attribution"/>',
    [null, 'allowed', 'allowed'],
  ],
  [
    '<permits type="usage">ai-all</permits><payment type="crawl"><amount currency="USD">1</amount></payment>',
    ['conditional', null, 'conditional'],
  ],
  [
    '<permits type="usage">all</permits><prohibits type="usage">ai-train</prohibits>',
    ['disallowed', 'allowed', 'allowed'],
  ],
  ['<permits type="user">commercial</permits><payment type="free"/>', ['allowed', 'allowed', 'allowed']],
  ['<permits type="geo">EU</permits>', [null, null, null]],
  ['<permits><![CDATA[ search,ai-input ]]></permits>', [null, 'allowed', 'allowed']],
  ['<permits type="usage">ai-summarize</permits><x:permits xmlns:x="urn:x">search</x:permits>', [null, null, null]],
])('reads the terms %s', (terms, expected) => expect(outcomes(license(terms))).toEqual(expected));

it('requires a license if the content has a server', () =>
  expect(outcomes(license('<permits>search</permits>', 'url="/" server="https://rslcollective.org/api"'))).toEqual([
    null,
    'conditional',
    null,
  ]));

it('applies the longest path on the host, and the least restrictive of several licenses', () => {
  const text = rsl(`
    <content url="https://shop.example/"><license><prohibits>all</prohibits></license></content>
    <content url="https://other.example/"><license><permits>all</permits></license></content>
    <content url="/free/*">
      <license><permits>ai-train</permits><payment type="subscription"/></license>
      <license><permits>ai-train</permits></license>
    </content>`);
  expect(outcomes(text)).toEqual(['disallowed', 'disallowed', 'disallowed']);
  expect(outcomes(text, '/free/a')).toEqual(['allowed', null, null]);
});

it('accepts prefixes', () =>
  expect(
    outcomes(
      '<r:rsl xmlns:r="https://rslstandard.org/rsl"><r:content url="/"><r:license><r:permits>search</r:permits></r:license></r:content></r:rsl>',
    ),
  ).toEqual([null, 'allowed', null]));

const ENTITY = '<!DOCTYPE rsl [<!ENTITY x SYSTEM "file:///etc/passwd">]>';

it.each([
  ['an entity', ENTITY + license('<permits>&x;</permits>').replace(/<\?.*?\?>/, ''), /^has a document type/],
  ['an undeclared entity', license('<permits>&x;</permits>'), /^is not valid XML/],
  ['an HTML page', '<html><body/></html>', /^is not a license: expected <rsl/],
  ['a missing namespace', '<rsl><content url="/"><license/></content></rsl>', /^is not a license/],
  ['no content', rsl(''), /^contains no <content>$/],
  ['a content without a license', rsl('<content url="/"/>'), /^has a <content> without a <license>$/],
  ['a content without a URL', rsl('<content><license/></content>'), /^has a <content> without a url$/],
  ['an unclosed tag', rsl('<content url="/">'), /^is not valid XML/],
  ['an empty file', '', /^is not valid XML|^contains no/],
  ['a compressed file', gzipSync(license('')), /^is not valid UTF-8$/],
  ['deep nesting', rsl('<a>'.repeat(100)), /^has more than 16 nested elements$/],
  ['many elements', rsl('<a/>'.repeat(10_000)), /^has more than 5,000 elements$/],
  ['many contents', rsl('<content url="/"><license/></content>'.repeat(300)), /^has more than 200 <content> elements$/],
  ['a large file', ' '.repeat(MAX_LICENSE_BYTES + 1), /^is larger than 256 KiB$/],
])('rejects %s', (_name, text, fault) =>
  expect(parseLicense(Buffer.from(text))).toEqual({ contents: [], fault: expect.stringMatching(fault) }),
);

it('limits long texts and lists', () => {
  const { contents } = parseLicense(Buffer.from(license(`<permits>${'a '.repeat(10_000)}</permits>`)));
  expect(contents[0]!.licenses[0]!.permits).toHaveLength(50);
});

it.each([
  ['URLs', license('', `url="${'x'.repeat(2_047)}😀"`)],
  ['types of payment', license(`<payment type="${'x'.repeat(49)}😀"/>`)],
  ['texts', license(`<permits>${'x'.repeat(2_047)}😀</permits>`)],
])('leaves no unpaired surrogates when it truncates %s', (_name, text) => {
  const { contents, fault } = parseLicense(Buffer.from(text));
  expect([JSON.stringify(contents).includes('\\ud83d'), fault]).toEqual([false, null]);
});

it.each(['\0', '&#0;', '&#xD83D;'])('rejects the character %j, which PostgreSQL cannot store', (character) =>
  expect(parseLicense(Buffer.from(license(`<permits>${character}</permits>`))).fault).toMatch(/^is not valid XML/),
);
