import robotsParser from 'robots-parser';

/** A public parser of robots.txt. Its types promise a default export that the module, which is CommonJS, does not have. */
export const parseRobots = robotsParser as unknown as typeof robotsParser.default;
