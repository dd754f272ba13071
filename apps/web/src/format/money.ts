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

const getSmallestAmount = (currency: string): number =>
  10 ** -new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits!;

/** Returns true for amounts of less than a cent, or than the smallest unit of another currency. */
export const isUnderSmallestAmount = (amount: number, currency: string): boolean =>
  amount < getSmallestAmount(currency);

/** Formats an amount in major units, such as "$41.19". Amounts that would be rounded to 0 become "under $0.01". */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const smallest = getSmallestAmount(currency);
  return amount > 0 && amount < smallest / 2 ? `under ${format.format(smallest)}` : format.format(amount);
}

/** Formats a rough amount. From 10, it has no decimals, as in "$47". */
export const formatRoundedAmount = (amount: number, currency: string): string =>
  amount < 10
    ? formatAmount(amount, currency)
    : amount.toLocaleString('en-US', { style: 'currency', currency, maximumFractionDigits: 0 });

/** Formats a decimal amount as in protocols, such as "$0.01". Currencies without an ISO 4217 code keep theirs: "0.01 USDC". */
export const formatDecimal = (amount: string, currency: string): string =>
  /^[A-Z]{3}$/.test(currency) ? formatPrice(Number(amount), currency) : `${padCents(amount)} ${currency}`;

/** Pads an amount with one decimal. Others stay exact, because the smallest units of assets have none. */
const padCents = (amount: string): string => (amount.split('.')[1]?.length === 1 ? `${amount}0` : amount);

/** Formats a price, which can be much smaller than the currency's smallest coin, as in "$0.0085". */
export const formatPrice = (price: number, currency: string): string =>
  price.toLocaleString('en-US', { style: 'currency', currency, maximumFractionDigits: 6 });

/** Formats an amount with a fixed number of decimals, so that the digits of a column line up. */
export const formatAligned = (amount: number, currency: string, digits: number): string =>
  amount.toLocaleString('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** Formats a price as entered in a rule, such as "USD 0.01", as "$0.01". Returns other texts unchanged. */
export function formatPriceText(text: string): string {
  const [currency = '', amount = '', ...rest] = text.trim().split(' ');
  const isPrice = rest.length === 0 && amount !== '' && Number(amount) >= 0 && currency === currency.toUpperCase();
  return isPrice ? formatDecimal(amount, currency) : text;
}
