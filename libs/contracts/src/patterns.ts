/** Email address. Stricter than RFC 5321, so the account library accepts every matching address. */
export const EMAIL_PATTERN =
  "^(?:[A-Za-z0-9_+'-]+\\.)*[A-Za-z0-9_+'-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$";
/** HTTP field name (RFC 9110, section 5.1). */
export const FIELD_NAME_PATTERN = "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$";
export const ADDRESS_HEADER_PATTERN = '^[A-Za-z0-9-]*$';
export const SITE_PATH_PATTERN = '^/(?:[\\x21-\\x2e\\x30-\\x5b\\x5d-\\x7e][\\x21-\\x7e]*)?$';
export const DAY_PATTERN = '^(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$';
/** Header value or secret without spaces. */
export const VISIBLE_ASCII_PATTERN = '^[\\x21-\\x7e]+$';
export const WEBHOOK_URL_PATTERN = '^https?://\\S+$';
export const BASE64_URL_PATTERN = '^[A-Za-z0-9_-]+$';
export const FASTLY_SERVICE_PATTERN = '^[A-Za-z0-9]+$';

/** Problem details for values that don't match, by pattern. */
export const PATTERN_FAULTS: Record<string, string> = {
  [EMAIL_PATTERN]: 'must be an email address, such as ada@example.com',
  [FIELD_NAME_PATTERN]: 'must be the name of an HTTP header, such as x-api-key',
  [ADDRESS_HEADER_PATTERN]: 'must be the name of an HTTP header, such as cf-connecting-ip',
  [SITE_PATH_PATTERN]: 'must be a path on the site without spaces, such as /articles',
  [DAY_PATTERN]: 'must be a day from 1900 to 2099, such as 2026-11-21',
  [VISIBLE_ASCII_PATTERN]: 'must contain only visible ASCII characters, without spaces',
  [WEBHOOK_URL_PATTERN]: 'must be an http or https URL without spaces, such as https://hooks.example.com/alerts',
  [BASE64_URL_PATTERN]: 'must be base64url (letters, digits, - and _)',
  [FASTLY_SERVICE_PATTERN]: 'must be a Fastly service ID, such as SU1Z0isxPaozGVKXdv0eY',
};
