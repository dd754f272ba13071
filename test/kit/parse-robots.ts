import robotsParser from 'robots-parser';

/** Third-party robots.txt parser. Its types declare a `default` export that the CommonJS module doesn't have. */
export const parseRobots = robotsParser as unknown as typeof robotsParser.default;
