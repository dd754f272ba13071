import { CREDENTIAL_HEADERS, isCredentialName, isCredentialParameter } from '#libs/agents';

const PARAMETERS =
  'code state RelayState signature sign reset invite inviteId magic verify email_verify unsubscribe hash tokenHash confirm optOut preset hashtag verified page utm_id'.split(
    ' ',
  );

/** Unicode blocks with Latin letters, digits and separators in other styles, such as full-width and mathematical ones. */
const COMPATIBILITY_BLOCKS: [first: number, last: number][] = [
  [0x80, 0x30_00],
  [0xfb_00, 0xfb_06],
  [0xfe_30, 0xff_ef],
  [0x1_d4_00, 0x1_d7_ff],
  [0x1_f1_00, 0x1_f1_ff],
];
const CREDENTIAL_WORDS =
  'token secret password session jwt magiclink verifier hmac x-xsrf-y unsubscribe key cvc2 2fa card_number otp'.split(
    ' ',
  );

/** Credential names in which one letter, digit or separator is replaced by a character that NFKC converts to it. */
const COMPATIBLE_NAMES = COMPATIBILITY_BLOCKS.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
).flatMap((character) => {
  const ascii = character.normalize('NFKC').toLowerCase();
  if (ascii === character || !/^(?:[\w -]|f+[il]?|st)$/.test(ascii)) return [];
  return CREDENTIAL_WORDS.filter((word) => word.includes(ascii)).map((word) => word.replace(ascii, character));
});

/** Header and parameter names, each with the gateway's verdict on whether its value is a credential. */
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
  ...'ｐａｓｓｗｏｒｄ ｘ－ｔｏｋｅｎ ｄｂＰａｓｓＸ 𝐬𝐞𝐜𝐫𝐞𝐭 größe naïve'.split(' '),
  ...COMPATIBLE_NAMES,
  ...PARAMETERS,
  ' Cookie ',
  '',
].map((name) => [name, isCredentialName(name)]);

/** URL parameter names, each with the gateway's verdict on whether its value is a credential. */
export const CREDENTIAL_PARAMETERS: [name: string, isCredential: boolean][] = [
  ...PARAMETERS,
  'ｃｏｄｅ',
  'ｄｂＲｅｓｅｔ',
].map((name) => [name, isCredentialParameter(name)]);
