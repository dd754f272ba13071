/** Account page sections by URL fragment, with labels and search keywords. */
export const ACCOUNT_SECTIONS = {
  profile: { label: 'Profile', keywords: 'name e-mail email address account' },
  password: { label: 'Password', keywords: 'change password account' },
  'second-factor': {
    label: 'Two-factor authentication',
    keywords: '2fa mfa totp authenticator app second factor recovery codes account',
  },
  passkeys: { label: 'Passkeys', keywords: 'webauthn fingerprint face pin security key sign in account' },
  sessions: { label: 'Sessions', keywords: 'signed in devices browsers sign out account' },
  reports: { label: 'Reports', keywords: 'e-mail email mail subscribe unsubscribe week monday account' },
  'api-keys': { label: 'API keys', keywords: 'create revoke personal key token program account' },
} as const;
