import { toOidcSettings } from './oidc-settings.js';

const SETTINGS = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'agent-traffic',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_NAME: 'Example Login',
  OIDC_ADMIN_EMAILS: [],
  OIDC_SIGN_UP: false,
  OIDC_TRUST_EMAILS: false,
  OIDC_ONLY_DOMAINS: ['Corp.Example', '@eu.corp.example'],
};

it('normalizes email domains', () => {
  expect(toOidcSettings(SETTINGS)!.onlyDomains).toEqual(['corp.example', 'eu.corp.example']);
});

it('rejects OIDC_ONLY_DOMAINS without a provider', () => {
  const none = { ...SETTINGS, OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined };
  expect(() => toOidcSettings(none)).toThrow('OIDC_ONLY_DOMAINS requires an OpenID provider. Set OIDC_ISSUER as well.');
  expect(toOidcSettings({ ...none, OIDC_ONLY_DOMAINS: [] })).toBeNull();
});
