/**
 * Decimal digits for currencies whose minor unit isn't a hundredth (ISO 4217, list one, 2026). `Intl` can't be used,
 * because it returns the digits that people usually write, such as 0 for HUF.
 */
const DIGITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const DIGITS_BY_CURRENCY: ReadonlyMap<string, number> = new Map(
  DIGITS.flatMap(([digits, currencies]) => currencies.split(' ').map((currency) => [currency, digits] as const)),
);

/** Returns the number of decimal digits in a currency's minor unit. Most currencies have 2. */
export const getMinorDigits = (currency: string): number => DIGITS_BY_CURRENCY.get(currency) ?? 2;
