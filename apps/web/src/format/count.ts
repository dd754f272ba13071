const NUMBER = new Intl.NumberFormat('en');

/** Returns a number with its thousands separated: "1,399". */
export const countText = (count: number): string => NUMBER.format(count);
