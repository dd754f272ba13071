/** Paths, each with its redacted form. All clients must redact them like the gateway does. */
export const REDACTED_PATHS: [path: string, redacted: string][] = [
  ['/a;jsessionid=AB12', '/a;jsessionid=[redacted]'],
  ['/a;jsessionid=AB12?page=2', '/a;jsessionid=[redacted]'],
  ['/a;v=1;PHPSESSID=AB12/b', '/a;v=1;PHPSESSID=[redacted]'],
  ['/a;v=1/b;c', '/a;v=1/b;c'],
  ['/a?%EF%BD%94oken=abc&page=2', '/a?%EF%BD%94oken=[redacted]&page=2'],
];

/** Header values, each with its redacted form. All clients must redact them alike. */
export const REDACTED_HEADER_VALUES: [value: string | string[], redacted: string | string[]][] = [
  ['https://a.example/?token=abc&page=2', 'https://a.example/?token=[redacted]&page=2'],
  ['https://a.example/a;jsessionid=AB12', 'https://a.example/a;jsessionid=[redacted]'],
  ['</a;jsessionid=AB12>; rel="next"', '</a;jsessionid=[redacted]; rel="next"'],
  [
    ['/a;jsessionid=AB12', '/b?token=abc', 'c'],
    ['/a;jsessionid=[redacted]', '/b?token=[redacted]', 'c'],
  ],
  ['GPTBot/1.2; token=abc', 'GPTBot/1.2; token=abc'],
  ['GPTBot/1.2;token=abc', 'GPTBot/1.2;token=abc'],
];

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
const WALLET = '0xfa3F54AE9C4287CA09a486dfaFaCe7d1d4095d93';
const ACCEPTED = { scheme: 'exact', network: 'eip155:8453', asset: '0xabc', amount: '10000' };

/** Headers of payments, each with its redacted form. All clients must redact them alike. */
export const REDACTED_PAYMENTS: [name: string, value: string, redacted: string][] = [
  ['Authorization', `license ${WALLET}`, 'License [redacted]'],
  ['authorization', `Payment ${WALLET}`, 'Payment [redacted]'],
  ['authorization', `Paymentx ${WALLET}`, '[redacted]'],
  [
    'PAYMENT-SIGNATURE',
    encode({ x402Version: 2, accepted: { ...ACCEPTED, payTo: WALLET }, payload: { signature: WALLET } }),
    JSON.stringify({ x402Version: 2, accepted: ACCEPTED }),
  ],
  [
    'x-payment',
    encode({
      x402Version: 1,
      scheme: 'exact',
      network: 'base',
      payload: { signature: WALLET, authorization: { from: WALLET, value: '10000' } },
    }),
    '{"x402Version":1,"scheme":"exact","network":"base","payload":{"authorization":{"value":"10000"}}}',
  ],
  ['x-payment', WALLET, '[redacted]'],
  ['x-payment', encode([WALLET]), '[redacted]'],
  ['x-payment', encode({ accepted: WALLET }), '[redacted]'],
  ['SIGN-IN-WITH-X', encode({ address: WALLET, signature: WALLET }), '[redacted]'],
  ['payment-signature', Buffer.from('['.repeat(12_000)).toString('base64'), '[redacted]'],
  ['payment-signature', 'A'.repeat(20_000), '[redacted]'],
];
