/** Shortest password that the forms take, in characters; the server has the last word. */
export const LEAST_PASSWORD = 12;

export const passwordFault = (password: string): string | null =>
  [...password].length < LEAST_PASSWORD ? `Take at least ${LEAST_PASSWORD} characters.` : null;

export const emailFault = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an e-mail address.';

export const required =
  (what: string) =>
  (value: string): string | null =>
    value.trim() === '' ? `Enter ${what}.` : null;
