/**
 * Formats an amount of money, such as "€12.50".
 *
 * @param amount Amount in minor units, such as cents.
 * @param currency ISO 4217 code.
 * @param digits Number of decimal places in the currency.
 */
export function formatMoney(amount: number, currency: string, digits: number): string {
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return (amount / 10 ** digits).toLocaleString('en', format);
}
