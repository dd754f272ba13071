export const about = (number: number, digits: number): number => Number(number.toPrecision(digits));
