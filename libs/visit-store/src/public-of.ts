/** Public members of a class, for a second implementation. */
export type PublicOf<T> = { [K in keyof T]: T[K] };
