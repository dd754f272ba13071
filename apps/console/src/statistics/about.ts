/** Rounds a number to so many digits that count: about as many. */
export const about = (number: number, digits: number): number => Number(number.toPrecision(digits));
