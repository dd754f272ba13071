/** Minimum password length in characters. The server validates passwords again. */
export const MIN_PASSWORD_LENGTH = 12;

export const validatePasswordLength = (password: string): string | null =>
  [...password].length < MIN_PASSWORD_LENGTH ? `Use at least ${MIN_PASSWORD_LENGTH} characters.` : null;

export const validateEmail = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an email address.';

export const required =
  (what: string) =>
  (value: string): string | null =>
    value.trim() === '' ? `Enter ${what}.` : null;
