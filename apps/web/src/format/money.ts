/** Returns an amount as "€12.50". @param amount in minor units, of which `digits` are decimals. @param currency ISO 4217. */
export function moneyText(amount: number, currency: string, digits: number): string {
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return (amount / 10 ** digits).toLocaleString('en', format);
}
