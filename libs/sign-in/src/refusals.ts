/** Messages for failed sign-ins with the OpenID provider, by the error code in `/sign-in?error=`. */
export const SIGN_IN_REFUSALS = {
  cancelled: 'You canceled the sign-in at the provider. Try again, or sign in with a password.',
  email_missing: 'The provider did not share your email address. Allow it there, and sign in again.',
  email_not_verified: 'The provider has not verified your email address. Verify it there, and sign in again.',
  expired: 'The sign-in took too long, or was started in another browser. Try again.',
  failed: 'The sign-in failed. Try again; if it fails again, ask an administrator to look at the log.',
  not_confirmed:
    'The provider did not ask you to sign in again, or does not say when you did. Try again; if it fails again, ask an ' +
    'administrator to have it send the claim auth_time.',
  not_invited: 'You do not have an account here. Ask a project owner for an invitation, and open its link first.',
  other_identity:
    'Your email address belongs to an account that signs in with another identity at the provider. ' +
    'If both are yours, ask an administrator to remove that account and to invite you again.',
  provider_unreachable: 'The provider did not answer in time. Try again in a moment.',
  second_factor:
    'Your email address belongs to an account with two-factor authentication. To sign in to it with the provider, ' +
    'sign in with your password first, then connect it on the Account page within ten minutes.',
} as const;

export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS;

export const isSignInRefusal = (code: string): code is SignInRefusal => Object.hasOwn(SIGN_IN_REFUSALS, code);
