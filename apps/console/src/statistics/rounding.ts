export const roundToDigits = (number: number, digits: number): number => Number(number.toPrecision(digits));
