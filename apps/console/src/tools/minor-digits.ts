/**
 * Digits of the minor units that are not hundredths (ISO 4217, list one of 2026). Intl's are those that people write, such as
 * none for HUF.
 */
const DIGITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const BY_CURRENCY: ReadonlyMap<string, number> = new Map(
  DIGITS.flatMap(([digits, currencies]) => currencies.split(' ').map((currency) => [currency, digits] as const)),
);

/** Returns how many decimal digits an amount in minor units has: 2 for most currencies. */
export const minorDigits = (currency: string): number => BY_CURRENCY.get(currency) ?? 2;
