import { validateSettings } from './project-settings.js';

it.each(['https://ada:secret@shop.example/', 'https://ada@shop.example', 'http://:secret@shop.example'])(
  'rejects a site address with credentials: %s',
  (address) => {
    const detail = 'must not contain a user name or password: remove everything up to the @';
    expect(() => validateSettings({ site_address: address })).toThrow(
      expect.objectContaining({
        statusCode: 422,
        message: `The request body is invalid: /site_address ${detail}.`,
        errors: [{ pointer: '/site_address', detail }],
      }),
    );
  },
);

it.each(['https://shop.example/@ada:x', 'http://shop.example:8080', null])('accepts the site address %s', (address) => {
  expect(validateSettings({ site_address: address })).toEqual({ site_address: address });
});

it('rejects an unknown currency', () => {
  expect(() => validateSettings({ currency: 'usd' })).toThrow(
    expect.objectContaining({
      errors: [{ pointer: '/currency', detail: 'must be an ISO 4217 currency code, such as USD' }],
    }),
  );
  expect(validateSettings({ currency: 'JPY' })).toEqual({ currency: 'JPY' });
});
