/** Injection token: the address under which this instance is reached. */
export const PUBLIC_URL = Symbol('public URL');
