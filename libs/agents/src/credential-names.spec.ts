import { CREDENTIAL_HEADERS, isCardNumber, isCredentialName } from './credential-names.js';

it.each([
  ...CREDENTIAL_HEADERS,
  ...'x-id-token x-refresh-token session-token x-client-secret private-token x-vault-token x-forwarded-authorization'.split(
    ' ',
  ),
  ...'x-gitlab-token x-shopify-access-token X_API_KEY apiKey accessToken clientSecretValue PHPSESSID JSESSIONID'.split(
    ' ',
  ),
  ...'X-Auth-User oauth_verifier user[password] passwd pwd X-Hub-Signature-256 X-Amz-Signature sig otp stripe-signature'.split(
    ' ',
  ),
  ...'x-functions-key Ocp-Apim-Subscription-Key key mcp-session-id csrf x-forwarded-access-token saml_response'.split(
    ' ',
  ),
  ...'passcode userPwd dbPass DB_PASS dbpass otpCode otp totp smsOtp ticket code_verifier client_assertion'.split(' '),
  ...'ｐａｓｓｗｏｒｄ ｘ－ｔｏｋｅｎ ｄｂＰａｓｓＸ 𝐬𝐞𝐜𝐫𝐞𝐭'.split(' '),
  'x-api-key-id',
  ' Cookie ',
  ...'cvc CVV cvv2 pan card_number card-number cardNumber iban'.split(' '),
  ...(
    'x-magic-link magicLink x-verification-code one-time-code One-Time-Password oneTimeCode x-one-time device_code user_code ' +
    'hmac x-shopify-hmac-sha256 list-unsubscribe x-reset-code reset_link invite_url invitation-link activationCode mfa_code ' +
    'x-2fa recovery-codes backup_code x-sms-code email_code x-confirmation-code cf-turnstile-response pw creds cfid'
  ).split(' '),
  'authorauth',
  ...'author_key authority_key author-sid x-sid-author authors.keys author_token'.split(' '),
])('treats %j as a credential', (name) => expect(isCredentialName(name)).toBe(true));

it.each(
  'user-agent panel span card_number_type number cards host accept accept-language from signature Signature-Input signature-agent :authority authority author authors x-author-id sec-websocket-key idempotency-key www-authenticate x-forwarded-for x-forwarded-host forwarded x-real-ip sec-ch-ua sec-fetch-site cache-control referer location keyboard passenger request_path mcp_request_tool_name mcp_request_client_info_name acp_response_body opinion robotPath snapshot passage opinion state hash code reset x-ratelimit-reset ratelimit-reset content-hash country_code verified status'.split(
    ' ',
  ),
)('does not treat %j as a credential', (name) => expect(isCredentialName(name)).toBe(false));

it.each(['card', 'credit_card', 'creditCard', 'Debit-Card', 'payment_card', 'payment_method'])(
  'treats the number of a %s as a card number',
  (field) => expect([isCardNumber('number', field), isCardNumber('brand', field)]).toEqual([true, false]),
);

it.each(['order', 'scorecard', 'card_holder', 'address'])(
  'does not treat the number of a %s as a card number',
  (field) => expect(isCardNumber('number', field)).toBe(false),
);
