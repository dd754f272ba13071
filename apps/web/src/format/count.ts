const NUMBER = new Intl.NumberFormat('en');

/** Returns a number with its thousands separated: "1,399". */
export const countText = (count: number): string => NUMBER.format(count);

const MILLION = 1e6;

/** Returns a rounded number as people say it: "about 1.2 million", "about 340,000". */
export const aboutText = (count: number): string =>
  `about ${count >= MILLION ? `${NUMBER.format(count / MILLION)} million` : countText(count)}`;
