import { loadCommonPasswords } from './common-passwords.js';
import { getContextWords, findPasswordFault } from './password-fault.js';

const context = { email: 'ada.byronking@analytical.example', name: 'Ada King', url: 'https://visits.babbage.example/' };

it.each([
  ['aaaaaaaaaaaa', 'repeats'],
  ['121212121212', 'repeats'],
  ['abcdefghijkl', 'counts'],
  ['lkjhgfdsamnbvcxz', 'counts'],
  ['098765432109', 'counts'],
  ['aaaaaaaaaaab', 'repeats'],
  ['           x', 'repeats'],
  ['111111111112', 'repeats'],
  ['x7Gk2aaaaaaa', 'repeats'],
  ['x7G\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b', 'repeats'],
  ['a-b-c-d-e-f-g-h', 'counts'],
  ['abbaabbababba', 'too few different'],
  ['pass-word-1234', 'common'],
  ['p a s s w o r d', 'common'],
  ['p\u200ba\u00adssword1234', 'common'],
  ['раѕѕԝоrԁ1234', 'common'],
  ['pässwörd1234', 'common'],
  ['5unsh1ne-2026', 'common'],
  ['we1c0me-2026', 'common'],
  ['password1234', 'common'],
  ['PASSWORD1234', 'common'],
  ['P@ssw0rd!2026', 'common'],
  ['***dragon1999***', 'common'],
  ['letmeinletmein', 'common'],
  ['iloveyou12345', 'common'],
  ['ｐａｓｓｗｏｒｄ１２３４', 'common'],
  ['agenttraffic2026', 'the name of this service'],
  ['Agent-Traffic-1', 'the name of this service'],
  ['byronking-1815', 'your name'],
  ['AdaKing-ByronK!', 'your name'],
  ['4d4k1ng!4d4k1ng', 'your name'],
  ['babbage-visits', 'the name of this service'],
])('findPasswordFault rejects %s', async (password, reason) => {
  expect(findPasswordFault(password, await loadCommonPasswords(), context)).toContain(reason);
});

it.each([
  'correct horse battery staple',
  'x7Gk2mQp9LrT',
  'traffic jam at the old mill',
  'byronking under seven oaks',
  'пароль от старого сада',
  '8c1f-0e7d-55aa',
  'абв где жзи клм',
  '3.1415 and then pie',
  '🦊🐻🦉🐢🐙🦋🌵🍄🌊🔥🍎🎻',
])('findPasswordFault accepts %s', async (password) => {
  expect(findPasswordFault(password, await loadCommonPasswords(), context)).toBeNull();
});

it.each(['4d4l0v3l4c3!', 'lоvеlаcе-аdа', 'Adá.Lövelace1815'])(
  'findPasswordFault rejects %s for Ada Lovelace',
  async (password) => {
    expect(findPasswordFault(password, await loadCommonPasswords(), { name: 'Ada Lovelace' })).toContain('your name');
  },
);

it('findPasswordFault works without context', async () => {
  expect(findPasswordFault('byronking-1815', await loadCommonPasswords())).toBeNull();
  expect(getContextWords({ email: 'no@x', url: 'no address' })).toEqual(['traffic', 'agent']);
});
