/**
 * Decimal digits of currencies whose minor unit isn't a hundredth (ISO 4217, list one, 2026). `Intl` has the digits
 * that people write instead, such as none for HUF.
 */
const DIGITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const BY_CURRENCY: ReadonlyMap<string, number> = new Map(
  DIGITS.flatMap(([digits, currencies]) => currencies.split(' ').map((currency) => [currency, digits] as const)),
);

/** Returns the number of decimal digits of an amount in minor units. Most currencies have 2. */
export const minorDigits = (currency: string): number => BY_CURRENCY.get(currency) ?? 2;
