import { CREDENTIAL_HEADERS, isCredentialName, isCredentialParameter } from '#libs/agents';

const PARAMETERS =
  'code state RelayState signature sign reset invite inviteId magic verify email_verify unsubscribe hash tokenHash confirm optOut preset hashtag verified page utm_id'.split(
    ' ',
  );

/** Names of headers and parameters, each with the gateway's verdict on whether its value is a credential. */
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
  ...'x-magic-link x-verification-code one-time-code oneTimeCode hmac device_code mfa pw x-ratelimit-reset'.split(' '),
  ...PARAMETERS,
  ' Cookie ',
  '',
].map((name) => [name, isCredentialName(name)]);

/** Names of URL parameters, each with the gateway's verdict on whether its value is a credential. */
export const CREDENTIAL_PARAMETERS: [name: string, isCredential: boolean][] = PARAMETERS.map((name) => [
  name,
  isCredentialParameter(name),
]);
