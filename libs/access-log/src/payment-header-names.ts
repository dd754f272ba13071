/** Payment headers of requests, without `authorization`, which usually contains other credentials. */
export const PAYMENT_REQUEST_HEADERS = ['crawler-exact-price', 'crawler-max-price', 'payment-signature', 'x-payment'];

/** Payment headers of responses. */
export const PAYMENT_RESPONSE_HEADERS = [
  'crawler-price',
  'crawler-charged',
  'crawler-error',
  'payment-required',
  'x-payment-required',
  'payment-response',
  'x-payment-response',
  'payment-receipt',
  'www-authenticate',
  'location',
];
