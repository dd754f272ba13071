/** Minimum length of passwords in forms, in characters. The server checks passwords again. */
export const MIN_PASSWORD_LENGTH = 12;

export const lengthFault = (password: string): string | null =>
  [...password].length < MIN_PASSWORD_LENGTH ? `Use at least ${MIN_PASSWORD_LENGTH} characters.` : null;

export const emailFault = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an e-mail address.';

export const required =
  (what: string) =>
  (value: string): string | null =>
    value.trim() === '' ? `Enter ${what}.` : null;
