import { REDACTED_PATHS } from '../../../test/clients/redaction-cases.js';
import { isCredentialName, isCredentialParameter } from './credential-names.js';
import { redactCredentials } from './credential-text.js';

const redact = (text: string): string =>
  redactCredentials(
    text,
    (name, isParameter) => isCredentialName(name) || (isParameter && isCredentialParameter(name)),
  );

it.each([
  ...REDACTED_PATHS,
  ['/cart?token=abc&page=2', '/cart?token=[redacted]&page=2'],
  ['/cart?a=1&API_Key=abc#access_token=xyz&b=2', '/cart?a=1&API_Key=[redacted]&b=2'],
  ['/f?Expires=1&Signature=abc', '/f?Expires=1&Signature=[redacted]'],
  ['/cb?code=abc&state=1', '/cb?code=[redacted]&state=[redacted]'],
  ...(
    'reset invite magic verify unsubscribe device_code hash hmac state reset_code resetKey invitation invite-id inviteCode ' +
    'magicLink magic_link verify_email email_verify verificationCode verification_code confirmation_token confirm ' +
    'confirmEmail activate activation_key unsub optout opt_out one_time_code oneTimeCode onetimecode oobCode user_code ' +
    'login_code auth_code recovery_code backupCode mfa_code 2fa tfa totp otp sms_code ott otc id_token_hint SAMLResponse ' +
    'RelayState SAMLart wresult client_assertion assertion client_secret refresh_token reset_password_token access_key ' +
    'AWSAccessKeyId X-Amz-Signature X-Amz-Security-Token X-Amz-Credential X-Goog-Signature sig sign hdnts hdnea jsessionid ' +
    'PHPSESSID CFID CFTOKEN connect.sid ticket nonce code_verifier apikey api-key apiKey x-api-key ApiKey creds pw psw ' +
    'g-recaptcha-response cf-turnstile-response __cf_chl_tk sso hashed content_hash token_hash user[invite] user%5Breset%5D ' +
    '%72eset m%61gic session_state auth_req_id pairing_code unlock_code passcode'
  )
    .split(' ')
    .map((name) => [`/a?page=2&${name}=abc&b=2`, `/a?page=2&${name}=[redacted]&b=2`]),
  ['/a;PHPSESSID=AB12/b', '/a;PHPSESSID=[redacted]'],
  ['/shop/(S(lit3py55t21z5v55vlm25s55))/cart.aspx?a=1', '/shop/[redacted]/cart.aspx?a=1'],
  ['/(A(x1)F(y2))/a', '/[redacted]/a'],
  ['/reset/4f3c2b1a9d8e7f60514233', '/reset/[redacted]'],
  [
    '/account/reset-password/4f3c2b1a-9d8e-7f60-5142-33aabbccddee?lang=en',
    '/account/reset-password/[redacted]?lang=en',
  ],
  ['/accounts/reset/MTIz/c3k2x1-d41d8cd98f00b204e9800998ecf8427e/', '/accounts/reset/MTIz/[redacted]/'],
  ['/email/verify/7/d41d8cd98f00b204e9800998ecf8427e?expires=1', '/email/verify/7/[redacted]?expires=1'],
  ['/magic-link/8aFz2QpLx9WmT4vKc', '/magic-link/[redacted]'],
  ['/a/password_reset/8aFz2QpLx9WmT4vKc/edit', '/a/password_reset/[redacted]/edit'],
  [
    '<https://a.example/unsubscribe/8aFz2QpLx9WmT4vKc>, <mailto:a>',
    '<https://a.example/unsubscribe/[redacted]>, <mailto:a>',
  ],
  ['/go?to=%2Finvite%2F8aFz2QpLx9WmT4vKc', '/go?to=%2Finvite%2F[redacted]'],
  ['0; url=https://a.example/?magic=abc', '0; url=https://a.example/?magic=[redacted]'],
  ['<https://a.example/?invite=abc>; rel="next"', '<https://a.example/?invite=[redacted]; rel="next"'],
  [
    '/blob?sv=2024-11-04&se=2026-12-01T00:00:00Z&sp=r&sig=ab%2Bc',
    '/blob?sv=2024-11-04&se=2026-12-01T00:00:00Z&sp=r&sig=[redacted]',
  ],
  ['/video.m3u8?hdnts=st=1~exp=2~acl=/*~hmac=abc', '/video.m3u8?hdnts=[redacted]'],
  ['verification_code: 123456 expired', 'verification_code: [redacted]'],
  ['/cart?%74oken=abc', '/cart?%74oken=[redacted]'],
  ['/cart?user%5Bpassword%5D=abc;session=1', '/cart?user%5Bpassword%5D=[redacted]'],
  ['/cart?%zz%74oken=abc', '/cart?%zz%74oken=[redacted]'],
  ['/go?to=https%3A%2F%2Fa.example%2F%3Ftoken%3Dabc', '/go?to=https%3A%2F%2Fa.example%2F%3Ftoken%3D[redacted]'],
  ['https://me:secret@a.example/x', 'https://[redacted]@a.example/x'],
  ['https://me@a.example/x', 'https://[redacted]@a.example/x'],
  ['Bearer abcdef123', 'Bearer [redacted]'],
  ['failed for bearer  abc.def-123', 'failed for bearer  [redacted]'],
  ['basic dXNlcjpwYXNz', 'basic [redacted]'],
  ['x eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.abc y', 'x [redacted] y'],
  ['/reset/eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.abc', '/reset/[redacted]'],
  ...[
    'agt_AbCdEfGhIj0123456789',
    'agk_AbCdEfGhIj0123456789',
    'agi_AbCdEfGhIj0123456789',
    'agr_AbCdEfGhIj0123456789',
    'agl_AbCdEfGhIj0123456789',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'github_pat_11ABCDEFG0123456789',
    `sk_${'live'}_4eC39HqLyjWDarjtT1zdp7dc`,
    `xox${'b'}-17653672481-19874698323-pdFZKVeTuE8sk7oOHcbrzqgy`,
    'AKIAIOSFODNN7EXAMPLE',
    'glpat-abcdefghij0123456789',
  ].map((token) => [`value ${token}, more`, 'value [redacted], more']),
  ['{"a":1,"access_token":"abc","n":{"pin" : 12}}', '{"a":1,"access_token":"[redacted]","n":{"pin" : "[redacted]"}}'],
  ['Accept: */*\nCookie: a=b; c=d\n', 'Accept: */*\nCookie: [redacted]\n'],
  ['Token token="abc"', 'Token token="[redacted]"'],
  ['Digest realm="a, b", session="abc \\" def", uri="/"', 'Digest realm="a, b", session="[redacted]", uri="/"'],
  ['link="/?a=1&token=abc", key="cut off', 'link="/?a=1&token=[redacted]", key="[redacted]"'],
  ['query "token=abc"', 'query "token=[redacted]"'],
  ['{"client_secret":"abc\\/def"}', '{"client_secret":"[redacted]"}'],
  ['{"password":"a\\"b\\\\","a":1}', '{"password":"[redacted]","a":1}'],
  [String.raw`{\"password\":\"a\\\"b\",\"a\":1}`, String.raw`{\"password\":\"[redacted]\",\"a\":1}`],
  [String.raw`{"body":"{\"pin\": 12, \"a\":1}"}`, String.raw`{"body":"{\"pin\": \"[redacted]\", \"a\":1}"}`],
  ['{"tokens":["abc",["]"]],"a":[1]}', '{"tokens":"[redacted]","a":[1]}'],
  ['{"session":{"id":"abc"},"a":1}', '{"session":"[redacted]","a":1}'],
  ['{"a":1,"tokens":["cut', '{"a":1,"tokens":"[redacted]"'],
  ['/?a=%7B%22token%22%3A%22abc%22%7D&b=1', '/?a=%7B%22token%22%3A%22[redacted]%22%7D&b=1'],
  ['/?a=token%253Dabc', '/?a=token%253D[redacted]'],
  ['/?to=%2Fb%3Fto%3D%252Fc%253Ftoken%253Dabc', '/?to=%2Fb%3Fto%3D%252Fc%253Ftoken%253D[redacted]'],
  ['https://u:p@ss@a.example/x@y', 'https://[redacted]@a.example/x@y'],
  ['https:\\/\\/u:p@a.example\\/', 'https:\\/\\/[redacted]@a.example\\/'],
  ['login failed, password: abc def', 'login failed, password: [redacted]'],
  ['error:password: abc\nmore', 'error:password: [redacted]\nmore'],
  ['theme=dark; session=abc', 'theme=dark; session=[redacted]'],
  ['/?password=a,X;Y#Z&b=2', '/?password=[redacted]&b=2'],
  ['password=a"X; theme=dark', 'password=[redacted]; theme=dark'],
  [String.raw`{\"to\":\"/?token=abc\",\"a\":1}`, String.raw`{\"to\":\"/?token=[redacted]\",\"a\":1}`],
  ["password = 'a b', next", 'password = [redacted], next'],
  ["'password' => 'a', b", "'password' => [redacted], b"],
  ['/login?next=/cb?token=abc&a=1', '/login?next=/cb?token=[redacted]&a=1'],
  ['/login?next=/cb%3Ftoken=abc&a=1', '/login?next=/cb%3Ftoken=[redacted]&a=1'],
  ['/login?next=/cb?token%3Dabc', '/login?next=/cb?token%3D[redacted]'],
  ['/login?next=%2Fcb%3Ftoken%3Dabc%26a%3D1&b=2', '/login?next=%2Fcb%3Ftoken%3D[redacted]%26a%3D1&b=2'],
  ['/cb%3Ftoken%3Dabc', '/cb%3Ftoken%3D[redacted]'],
  ['/a/b%20c/reset%3Ftoken%3Dabc', '/a/b%20c/reset%3Ftoken%3D[redacted]'],
  ['/reset/agr%5FAbCdEfGhIj0123456789', '/reset/[redacted]'],
  ['/%61gt_AbCdEfGhIj0123456789/x', '/[redacted]/x'],
  ['/?%63ode=abc', '/?%63ode=[redacted]'],
  ['login failed for password:abc def', 'login failed for password:[redacted]'],
  ["{'password':'abc'}", "{'password':[redacted]"],
  [String.raw`{"\u0074oken":"abc"}`, String.raw`{"\u0074oken":"[redacted]"}`],
  ['a ｐａｓｓｗｏｒｄ：abc', 'a password:[redacted]'],
  ['/?ｔｏｋｅｎ＝abc', '/?token=[redacted]'],
  ['/?%EF%BD%94oken=abc', '/?%EF%BD%94oken=[redacted]'],
  [
    '{"name":"Token","value":"abc"},{"name":"b","value":"c"}',
    '{"name":"Token","value":"[redacted]"},{"name":"b","value":"c"}',
  ],
  ['{"key": "token", "value": {"stringValue": "abc"}, "c": 1', '{"key": "[redacted]", "value": "[redacted]", "c": 1'],
  [
    String.raw`{\"header_name\":\"token\",\"header_value\":\"abc\"}`,
    String.raw`{\"header_name\":\"token\",\"header_value\":\"[redacted]\"}`,
  ],
  ['dpop abcdef123', 'dpop [redacted]'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIB\n', '[redacted]'],
])('redacts %j to %j', (text, expected) => {
  expect(redact(text)).toBe(expected);
  expect(redact(expected)).toBe(expected);
});

it.each([
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  '"Chromium";v="142", "Google Chrome";v="142"',
  '/articles/1?page=2&sort=key',
  '/authors/keys/tokens/sessions',
  'mailto:somebody@example.com',
  'https://a.example/@somebody',
  'the basic idea of a bearer',
  'max-age=300, public',
  'https://a.example/Wiki:Sessions; at 12:30',
  'Digest realm="a", uri="/?b=c", qop="auth"',
  '{"a":{"b":["token",1]},"c":"a: b"}',
  '/?q=100%25%20of%20%22this%22',
  '/caf%C3%A9/%E0%A4/%zz?a=%F0%9F%A6%8A',
  'ﬁne … naïve 🦊',
  '/?utm_source=a&utm_medium=b&utm_campaign=c&utm_id=d&utm_content=e&utm_term=f&gclid=g&fbclid=h&msclkid=i&_ga=j&q=k',
  '/?page=2&limit=50&sort=name&order=asc&lang=de&ref=home&category=shoes&color=red&size=42&currency=EUR&price=10',
  '/?country_code=US&zip_code=94103&status=open&postal_code=1&error_code=4&product_code=5&discount_code=6',
  '/?preset=dark&hashtag=a&statement=b&estate=c&interstate=d&timezone=e&designer=f&signal=g&verified=true',
  '/verify/how-to-verify-gptbot-in-2026',
  '/blog/reset-your-router-in-5-easy-steps',
  '/invite/friends-and-family-2026-edition',
  '/products/8aFz2QpLx9WmT4vKc',
  '/wiki/Function_(S)/a',
])('leaves %j unchanged', (text) => expect(redact(text)).toBe(text));

it('checks at most 256 names and redacts the rest of the text', () => {
  let checkedNames = 0;
  const isSecret = (name: string): boolean => {
    checkedNames += 1;
    return name === 'token';
  };
  const redact = redactCredentials(`/i?${'%=1&a=%3d&'.repeat(2_000)}last=shown`, isSecret);
  expect(checkedNames).toBe(256);
  expect(redact.startsWith('/i?%=1&a=')).toBe(true);
  expect(redact).not.toContain('shown');
  expect(redact).toMatch(/^.{1,2000}\[redacted\]$/);
});
