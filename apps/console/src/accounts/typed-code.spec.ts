import { hashTypedCode, createTypedCode } from './typed-code.js';

it('generates unique codes', () => {
  const codes = new Set(Array.from({ length: 1_000 }, createTypedCode));
  expect(codes.size).toBe(1_000);
  for (const code of codes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
});

it('ignores case, separators and look-alike characters in a typed code', () => {
  const hash = hashTypedCode('10AB-CDEF-GHJK-MNPQ');
  for (const typed of ['10abcdefghjkmnpq', ' IOAB CDEF GHJK MNPQ ', 'l0ab-cdef-ghjk-mnpq']) {
    expect(hashTypedCode(typed)).toEqual(hash);
  }
  expect(hashTypedCode('10AB-CDEF-GHJK-MNPR')).not.toEqual(hash);
});
