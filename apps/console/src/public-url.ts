/** Injection token: the address under which this instance is reached, without a slash at its end. */
export const PUBLIC_URL = Symbol('public URL');
