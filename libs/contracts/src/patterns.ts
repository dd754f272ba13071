import { MAX_PATH_WILDCARDS, PATH_PATTERN } from './path-pattern.js';

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
/** Host name or IP address of a mail server. */
export const MAIL_HOST_PATTERN = '^[A-Za-z0-9.:_-]+$';
export const BASE64_URL_PATTERN = '^[A-Za-z0-9_-]+$';
export const FASTLY_SERVICE_PATTERN = '^[A-Za-z0-9]+$';
export const HTTP_URL_PATTERN = '^https?://';
export const METHOD_PATTERN = '^[A-Z]{1,20}$';
/** Host in lower case, with any port. */
export const HOST_PATTERN = '^[a-z0-9.:_-]{1,255}$';
/** Currency of a list price. */
export const LIST_CURRENCY_PATTERN = '^[A-Z]{3,5}$';
/** Decimal amount of a list price. */
export const LIST_AMOUNT_PATTERN = '^[0-9]{1,9}(?:\\.[0-9]{1,9})?$';
/** UUID in lower case. The format `uuid` checks the rest. */
export const LOWERCASE_UUID_PATTERN = '^[0-9a-f-]+$';

/** Problem details for values that don't match, by pattern. */
export const PATTERN_FAULTS: Record<string, string> = {
  [PATH_PATTERN]: `must contain from 1 to ${MAX_PATH_WILDCARDS} * and no spaces, such as /docs/*`,
  [EMAIL_PATTERN]: 'must be an email address, such as ada@example.com',
  [FIELD_NAME_PATTERN]: 'must be the name of an HTTP header, such as x-api-key',
  [ADDRESS_HEADER_PATTERN]: 'must be the name of an HTTP header, such as cf-connecting-ip',
  [SITE_PATH_PATTERN]: 'must be a path on the site without spaces, such as /articles',
  [DAY_PATTERN]: 'must be a day from 1900 to 2099, such as 2026-11-21',
  [VISIBLE_ASCII_PATTERN]: 'must contain only visible ASCII characters, without spaces',
  [WEBHOOK_URL_PATTERN]: 'must be an http or https URL without spaces, such as https://hooks.example.com/alerts',
  [HTTP_URL_PATTERN]: 'must be an http or https URL, such as https://example.com/pricing',
  [METHOD_PATTERN]: 'must be a request method in capital letters, such as GET',
  [LIST_CURRENCY_PATTERN]: 'must be a currency code in capital letters, such as USD or USDC',
  [LIST_AMOUNT_PATTERN]: 'must be a decimal number with up to 9 digits on each side of the point, such as 0.01',
  [HOST_PATTERN]: 'must be a host in lower case, such as www.example.com',
  [MAIL_HOST_PATTERN]: 'must be a host name or IP address, such as smtp.example.com',
  [LOWERCASE_UUID_PATTERN]: 'must be a UUID in lower case, such as 018f0000-0000-7000-8000-000000000001',
  [BASE64_URL_PATTERN]: 'must be base64url (letters, digits, - and _)',
  [FASTLY_SERVICE_PATTERN]: 'must be a Fastly service ID, such as SU1Z0isxPaozGVKXdv0eY',
};
