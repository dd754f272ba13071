import { commonPasswords } from './common-passwords.js';
import { contextWords, passwordFault } from './password-fault.js';

const context = { email: 'ada.byronking@analytical.example', name: 'Ada King', url: 'https://visits.babbage.example/' };

it.each([
  ['aaaaaaaaaaaa', 'repeats'],
  ['121212121212', 'repeats'],
  ['abcdefghijkl', 'counts'],
  ['lkjhgfdsamnbvcxz', 'counts'],
  ['098765432109', 'counts'],
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
  ['babbage-visits', 'the name of this service'],
])('refuses %s', async (password, reason) => {
  expect(passwordFault(password, await commonPasswords(), context)).toContain(reason);
});

it.each([
  'correct horse battery staple',
  'x7Gk2mQp9LrT',
  'traffic jam at the old mill',
  'byronking under seven oaks',
  'пароль от старого сада',
  '8c1f-0e7d-55aa',
  '🦊🐻🦉🐢🐙🦋🌵🍄🌊🔥🍎🎻',
])('takes %s', async (password) => {
  expect(passwordFault(password, await commonPasswords(), context)).toBeNull();
});

it('needs no context', async () => {
  expect(passwordFault('byronking-1815', await commonPasswords())).toBeNull();
  expect(contextWords({ email: 'no@x', url: 'no address' })).toEqual(['traffic', 'agent']);
});
