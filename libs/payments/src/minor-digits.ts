/**
 * Decimal digits for currencies whose minor unit isn't a hundredth, or which `Intl` doesn't list (ISO 4217, list one,
 * 2026). The digits in `Intl` can't be used, because they are those that people usually write, such as 0 for HUF.
 */
const DIGITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [2, 'VED'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const DIGITS_BY_CURRENCY: ReadonlyMap<string, number> = new Map(
  DIGITS.flatMap(([digits, currencies]) => currencies.split(' ').map((currency) => [currency, digits] as const)),
);

const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...DIGITS_BY_CURRENCY.keys()]);

/** Returns true for ISO 4217 codes in upper case. */
export const isCurrency = (code: string): boolean => CURRENCIES.has(code);

/** Returns the number of decimal digits in a currency's minor unit. Most currencies have 2. */
export const getMinorDigits = (currency: string): number => DIGITS_BY_CURRENCY.get(currency) ?? 2;
