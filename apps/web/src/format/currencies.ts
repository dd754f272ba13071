const NAMES = new Intl.DisplayNames('en', { type: 'currency' });

/** Lists the ISO 4217 codes that the browser supports, and the project's code even if the browser doesn't support it. */
export const listCurrencies = (code: string): string[] => [
  ...new Set([...Intl.supportedValuesOf('currency'), code].toSorted()),
];

/** Returns a currency's code and name, such as "USD · US Dollar". */
export function formatCurrencyName(code: string): string {
  const name = NAMES.of(code) ?? code;
  return name === code ? code : `${code} · ${name}`;
}
