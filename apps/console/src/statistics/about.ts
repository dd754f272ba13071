/** Rounds to this many significant digits. */
export const about = (number: number, digits: number): number => Number(number.toPrecision(digits));
