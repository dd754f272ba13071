import { formatMoney } from './money.js';

it.each([
  [123_450, 'EUR', 2, '€1,234.50'],
  [900, 'JPY', 0, '¥900'],
  [1_500, 'KWD', 3, 'KWD 1.500'],
  [1_500, 'HUF', 2, 'HUF 15.00'],
  [0, 'USD', 2, '$0.00'],
])('formats %d minor units of %s with %d digits as %s', (amount, currency, digits, text) => {
  expect(formatMoney(amount, currency, digits).replace('\u00a0', ' ')).toBe(text);
});
