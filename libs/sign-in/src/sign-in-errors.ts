/** Error messages for failed sign-ins through the OpenID provider, by error code in `/sign-in?error=`. */
export const SIGN_IN_ERRORS = {
  cancelled: 'You canceled signing in with the provider. Try again, or sign in with a password.',
  email_missing: "The provider didn't share your email address. Allow it to do so, then sign in again.",
  email_not_verified:
    "The provider hasn't verified your email address. Verify it with the provider, then sign in again.",
  expired: 'Signing in took too long or was started in another browser. Try again.',
  failed: 'Signing in failed. Try again. If the problem persists, ask an administrator to check the logs.',
  not_confirmed:
    "The provider didn't ask you to sign in again or didn't report when you did. Try again. If the problem persists, ask " +
    'an administrator to include the auth_time claim in its tokens.',
  not_invited: "You don't have an account here. Ask a project owner for an invitation, then open its link first.",
  other_identity:
    'Your email address belongs to an account that signs in with another identity from the provider. ' +
    'If both identities are yours, ask an administrator to remove that account and invite you again.',
  provider_unreachable: "The provider didn't respond in time. Try again in a moment.",
  second_factor:
    'Your email address belongs to an account with two-factor authentication. To sign in to it with the provider, ' +
    'first sign in with your password, then connect the provider on the Account page within ten minutes.',
} as const;

export type SignInError = keyof typeof SIGN_IN_ERRORS;

export const isSignInError = (code: string): code is SignInError => Object.hasOwn(SIGN_IN_ERRORS, code);
