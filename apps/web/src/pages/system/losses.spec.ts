import { lossesText } from './losses.js';

const made = { api_keys: 2, password_resets: 1, invitations: 3, invitations_elsewhere: 1 };
const nothing = { api_keys: 0, password_resets: 0, invitations: 0, invitations_elsewhere: 0 };

it('lists the keys, links and invitations that stop working', () => {
  expect(lossesText({ made }, true)).toBe(
    '2 API keys, 3 open invitations and 1 password link that they made stop working.',
  );
  expect(lossesText({ made }, false)).toBe(
    '2 API keys, 1 open invitation and 1 password link that they made stop working.',
  );
  expect(lossesText({ made: { ...nothing, api_keys: 1 } }, false)).toBe('1 API key that they made stops working.');
  expect(lossesText({ made: { ...nothing, invitations: 2 } }, false)).toBe('');
});
