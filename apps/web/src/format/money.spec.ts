import { formatAmount, formatDecimal, formatMoney, formatPrice, formatRoundedAmount } from './money.js';

it.each([
  [123_450, 'EUR', 2, '€1,234.50'],
  [900, 'JPY', 0, '¥900'],
  [1_500, 'KWD', 3, 'KWD 1.500'],
  [1_500, 'HUF', 2, 'HUF 15.00'],
  [0, 'USD', 2, '$0.00'],
])('formats %d minor units of %s with %d digits as %s', (amount, currency, digits, text) => {
  expect(formatMoney(amount, currency, digits).replace('\u00a0', ' ')).toBe(text);
});

it.each([
  [41.19, 'USD', '$41.19'],
  [1_234.5, 'EUR', '€1,234.50'],
  [1_234.5, 'JPY', '¥1,235'],
  [0, 'USD', '$0.00'],
  [0.004, 'USD', 'under $0.01'],
  [0.3, 'JPY', 'under ¥1'],
])('formats an amount of %d %s as %s', (amount, currency, text) => {
  expect(formatAmount(amount, currency)).toBe(text);
});

it.each([
  [47.4, '$47'],
  [9.944, '$9.94'],
  [1_234.5, '$1,235'],
  [0.001, 'under $0.01'],
])('rounds %d US dollars to %s', (amount, text) => {
  expect(formatRoundedAmount(amount, 'USD')).toBe(text);
});

it.each([
  ['0.01', 'USD', '$0.01'],
  ['0.0005', 'USD', '$0.0005'],
  ['0.02', 'USDC', '0.02 USDC'],
])('formats the decimal %s %s as %s', (amount, currency, text) => {
  expect(formatDecimal(amount, currency)).toBe(text);
});

it.each([
  [0.09, 'USD', '$0.09'],
  [2.5, 'USD', '$2.50'],
  [0.0085, 'USD', '$0.0085'],
  [12, 'JPY', '¥12'],
  [0.5, 'JPY', '¥0.5'],
])('formats a price of %d %s as %s', (price, currency, text) => {
  expect(formatPrice(price, currency)).toBe(text);
});
