import { isIP } from 'node:net';

/** Name of the format: one IPv4 or IPv6 address, with a zone at most. */
export const IP_ADDRESS = 'ip-address';

/** The longest IPv6 address, and the name of an interface of Linux. */
const MAX_LENGTH = 45 + 1 + 15;

export const isIpAddress = (text: string): boolean => text.length <= MAX_LENGTH && isIP(text) !== 0;
