import { CREDENTIAL_HEADERS, isCredentialName } from '#libs/agents';

/** Names of headers and parameters, and whether their values are credentials, as the gateway judges them. */
export const CREDENTIAL_NAMES: [name: string, isCredential: boolean][] = [
  ...CREDENTIAL_HEADERS,
  ...'x-id-token session-token X_API_KEY apiKey clientSecretValue PHPSESSID user[password] pwd sig otp otpValue key'.split(
    ' ',
  ),
  ...'mcp-session-id csrf saml_response dbPass totp smsOtp ticket code_verifier cvc card_number iban authorauth'.split(
    ' ',
  ),
  ...'author_key authors.keys x-sid-author oauth_verifier stripe-signature x-functions-key'.split(' '),
  ...'user-agent panel span number cards host accept from signature Signature-Input :authority author authors'.split(
    ' ',
  ),
  ...'x-author-id idempotency-key www-authenticate x-forwarded-for referer keyboard passenger opinion passage'.split(
    ' ',
  ),
  ' Cookie ',
  '',
].map((name) => [name, isCredentialName(name)]);
