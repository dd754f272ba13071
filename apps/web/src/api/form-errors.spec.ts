import { ApiError } from './client.js';
import { formErrors } from './form-errors.js';

const validationError = (errors: { pointer: string; detail: string }[]) =>
  new ApiError(422, 'The request body is invalid.', errors);

it('turns validation errors in fields and lines into sentences', () => {
  const error = validationError([
    { pointer: '/name', detail: 'is required' },
    { pointer: '/host_names/1', detail: 'must be a host name' },
    { pointer: '/trusted_proxies/ranges/0', detail: 'must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32' },
    { pointer: '/verification/ip_list_urls/2/format', detail: 'must be one of: text, json' },
  ]);
  expect(formErrors(error, ['name', 'host_names', 'ranges', 'ip_list_urls'])).toEqual({
    byField: {
      name: 'This field is required.',
      host_names: 'Line 2 must be a host name.',
      ranges: 'Line 1 must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32.',
      ip_list_urls: 'Line 3 must be one of: text, json.',
    },
    rest: null,
  });
});

it('returns only the first error per field, and ends it with a single period', () => {
  const error = validationError([
    { pointer: '/ranges/3', detail: 'is too wide' },
    { pointer: '/ranges/5', detail: 'is too wide' },
    { pointer: '/password', detail: 'is common. Choose another one.' },
  ]);
  expect(formErrors(error, ['ranges', 'password']).byField).toEqual({
    ranges: 'Line 4 is too wide.',
    password: 'This field is common. Choose another one.',
  });
});

it('returns errors that match no field as form errors', () => {
  const errorWithoutField = validationError([{ pointer: '/sources', detail: 'is required' }]);
  for (const error of [
    errorWithoutField,
    validationError([{ pointer: '', detail: 'must be object' }]),
    validationError([]),
    new Error('x'),
  ]) {
    expect(formErrors(error, ['name'])).toEqual({ byField: {}, rest: error });
  }
});
