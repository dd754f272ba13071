const DECIMAL = /^(\d{1,78})(?:\.(\d{1,18}))?$/;
const UNITS = /^\d{1,78}$/;
const MAX_FRACTION_DIGITS = 18;

/**
 * Parses an exact decimal amount, such as `0.010`, and returns it without leading and trailing zeros. Returns null for
 * anything else, including signs, exponents and more than 18 decimals.
 */
export function parseAmount(text: string): string | null {
  return DECIMAL.test(text) ? format(toScaled(text)) : null;
}

/**
 * Converts an integer number of units, each 10^-digits, to a decimal amount. Returns null if it isn't an integer.
 *
 * @param digits Number of decimal digits of the unit, 0–18.
 */
export function fromUnits(units: string, digits: number): string | null {
  if (!UNITS.test(units)) return null;
  return format(BigInt(units) * 10n ** BigInt(MAX_FRACTION_DIGITS - digits));
}

/** Adds two exact decimal amounts. */
export const addAmounts = (one: string, other: string): string => format(toScaled(one) + toScaled(other));

function toScaled(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(MAX_FRACTION_DIGITS, '0'));
}

function format(scaled: bigint): string {
  const digits = String(scaled).padStart(MAX_FRACTION_DIGITS + 1, '0');
  const fraction = digits.slice(-MAX_FRACTION_DIGITS);
  const end = fraction.length - countTrailingZeros(fraction);
  return digits.slice(0, -MAX_FRACTION_DIGITS) + (end === 0 ? '' : `.${fraction.slice(0, end)}`);
}

function countTrailingZeros(text: string): number {
  let count = 0;
  while (count < text.length && text[text.length - 1 - count] === '0') count += 1;
  return count;
}
