import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { normalizeHeaders } from '../headers.js';
import { ComponentValues, type ComponentValue } from './component-values.js';
import { parseRequestTarget } from './request-target.js';
import { buildSignatureBase } from './signature-base.js';
import { isSignatureAlgorithm } from './signature-algorithm.js';
import { isValidSignature } from './signature-check.js';
import { parseSignatureFields, type CoveredComponent, type SignatureLabel } from './signature-fields.js';

type Headers = Record<string, string>;

interface Vector {
  id: string;
  title: string;
  key: string;
  alg: string;
  response?: { status: number; headers: Headers };
  signature_input: string;
  signature: string;
  signature_base: string;
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  keys: Record<string, { public: JsonWebKey & { k?: string } }>;
  rfc9421: { 'test-request': { method: string; path: string; headers: Headers }; cases: Vector[] };
};
const { 'test-request': request, cases } = vectors.rfc9421;

/** Parses the only label, regardless of its tag. */
function parseLabel(headers: Headers): SignatureLabel {
  const tagged = /;tag="([^"]*)"/.exec(headers['signature-input']!)?.[1];
  const input = tagged === undefined ? `${headers['signature-input']};tag="t"` : headers['signature-input']!;
  const fields = parseSignatureFields({ ...headers, 'signature-input': input }, tagged ?? 't');
  if ('fault' in fields) throw new Error(fields.fault);
  const label = fields.labels[0]!;
  return tagged === undefined ? { ...label, signatureParams: label.signatureParams.replace(';tag="t"', '') } : label;
}

function createValueGetter(headers: Headers, method: string | null, path: string | null) {
  const observed = { headers: normalizeHeaders(headers), method, path, at: 0 };
  const target = parseRequestTarget(observed);
  const all = new ComponentValues(observed.headers, target);
  const { authority, path: known } = target;
  const candidate = { method: method ?? 'GET', scheme: 'https', authority, path: known };
  return (component: CoveredComponent) => all.getValue(component, candidate);
}

describe('buildSignatureBase', () => {
  it.each(cases.map((vector) => [vector.id, vector.title, vector] as const))(
    'builds the signature base in test vector %s: %s',
    (_id, _title, vector) => {
      const fields = { 'signature-input': vector.signature_input, signature: vector.signature };
      const label = parseLabel(fields);
      const getRequestValue = createValueGetter({ ...request.headers, ...fields }, request.method, request.path);
      const getResponseValue = createValueGetter({ ...vector.response?.headers, ...fields }, null, null);
      const getVectorValue = (component: CoveredComponent): ComponentValue =>
        component.name === '@status'
          ? String(vector.response!.status)
          : (vector.response === undefined ? getRequestValue : getResponseValue)(component);

      const base = buildSignatureBase(label.components!, label.signatureParams, getVectorValue);
      expect(base).toBe(vector.signature_base);

      const { public: jwk } = vectors.keys[vector.key]!;
      if (isSignatureAlgorithm(vector.alg)) {
        const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), algorithm: vector.alg };
        expect(isValidSignature(key, vector.signature_base, label.value!)).toBe(true);
        expect(isValidSignature(key, `${vector.signature_base} `, label.value!)).toBe(false);
      } else {
        const secret = Buffer.from(jwk.k!, 'base64url');
        expect(vector.alg).toBe('hmac-sha256');
        expect(createHmac('sha256', secret).update(vector.signature_base).digest()).toEqual(Buffer.from(label.value!));
      }
    },
  );

  it.each(['a\nb', 'a\r', 'caf\u00e9', '\u0000'])('rejects the value %j', (value) => {
    const component = { identifier: '"x"', name: 'x', parameters: new Map() };
    expect(buildSignatureBase([component], '()', () => value)).toEqual({ fault: 'component_unavailable' });
  });
});

describe('ComponentValues', () => {
  const path = '/a%2Fb?x=1&y=a+b&z=%C3%A9%22&d=1&d=2&q=(!)';
  const headers = {
    Host: 'Example.COM:8443',
    'X-Dict': 'a=1,  b=2;x;y="q", c=(1   2);z, d',
    'X-List': 'a,   b;q=1.50',
    'X-Text': 'some  text, "',
    'X-Euro': '\u20ac',
    'X-Two': '["a", "b"]',
    'X-Redacted': '[redacted]',
  };
  const value = (identifier: string, reportedPath: string | null = path) => {
    const label = parseLabel({ 'signature-input': `s=(${identifier});tag="t"`, signature: '' });
    return createValueGetter(headers, 'POST', reportedPath)(label.components![0]!);
  };

  it.each([
    ['"@authority"', 'example.com:8443'],
    ['"@method"', 'POST'],
    ['"@path"', '/a%2Fb'],
    ['"@query"', '?x=1&y=a+b&z=%C3%A9%22&d=1&d=2&q=(!)'],
    ['"@request-target"', path],
    ['"@target-uri"', `https://example.com:8443${path}`],
    ['"@scheme"', 'https'],
    ['"@query-param";name="x"', '1'],
    ['"@query-param";name="y"', 'a%20b'],
    ['"@query-param";name="z"', '%C3%A9%22'],
    ['"@query-param";name="q"', '%28%21%29'],
    ['"x-dict";key="a"', '1'],
    ['"x-dict";key="b"', '2;x;y="q"'],
    ['"x-dict";key="c"', '(1 2);z'],
    ['"x-dict";key="d"', '?1'],
    ['"x-dict";sf', 'a=1, b=2;x;y="q", c=(1 2);z, d'],
    ['"x-list";sf', 'a, b;q=1.5'],
    ['"x-text"', 'some  text, "'],
    ['"x-text";bs', ':c29tZSAgdGV4dCwgIg==:'],
  ])('returns the value of %s: %j', (identifier, expected) => {
    expect(value(identifier)).toBe(expected);
  });

  it.each([
    ['"@query-param";name="d"', 'component_unavailable'],
    ['"@query-param";name="none"', 'missing_component'],
    ['"@query-param"', 'component_unavailable'],
    ['"@status"', 'component_unavailable'],
    ['"@authority";req', 'component_unavailable'],
    ['"@other"', 'component_unavailable'],
    ['"x-none"', 'missing_component'],
    ['"x-dict";key="none"', 'missing_component'],
    ['"x-text";key="a"', 'component_unavailable'],
    ['"x-text";sf', 'component_unavailable'],
    ['"x-text";tr', 'component_unavailable'],
    ['"x-text";req', 'component_unavailable'],
    ['"x-dict";key=a', 'component_unavailable'],
    ['"x-dict";key="a";sf', 'component_unavailable'],
    ['"x-euro";bs', 'component_unavailable'],
    ['"x-redacted"', 'component_unavailable'],
    ['"authorization"', 'component_unavailable'],
    ['"__proto__"', 'missing_component'],
    ['"constructor"', 'missing_component'],
  ])('returns a fault for %s: %s', (identifier, fault) => {
    expect(value(identifier)).toEqual({ fault });
  });

  it('treats an empty path as the root, but does not guess a missing path or query', () => {
    expect(value('"@path"', '')).toBe('/');
    expect(value('"@query"', '/a')).toBe('?');
    expect(value('"@query-param";name="x"', '/a')).toEqual({ fault: 'query_unknown' });
    expect(value('"@path"', null)).toEqual({ fault: 'component_unavailable' });
    expect(value('"@path"', '*')).toEqual({ fault: 'component_unavailable' });
  });

  it('limits the total size of parsed structured fields', () => {
    const largeHeaders = Object.fromEntries(
      Array.from({ length: 4 }, (_, index) => [`x-${index}`, `a="${'x'.repeat(8_000)}"`]),
    );
    const all = createValueGetter(largeHeaders, 'GET', '/');
    const member = (name: string) =>
      all({ identifier: `"${name}";key="a"`, name, parameters: new Map([['key', 'a']]) });
    expect(['x-3', 'x-1', 'x-2', 'x-1'].map((name) => typeof member(name))).toEqual([
      'string',
      'string',
      'object',
      'string',
    ]);
  });
});
