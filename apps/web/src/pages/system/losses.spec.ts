import { describeLosses } from './losses.js';

const made = { api_keys: 2, password_resets: 1, invitations: 3, invitations_elsewhere: 1 };
const NO_CREATIONS = { api_keys: 0, password_resets: 0, invitations: 0, invitations_elsewhere: 0 };

it('lists the API keys, invitations and password links that stop working when their creator loses rights', () => {
  expect(describeLosses({ made }, true)).toBe(
    '2 API keys, 3 open invitations and 1 password link they created stop working.',
  );
  expect(describeLosses({ made }, false)).toBe(
    '2 API keys, 1 open invitation and 1 password link they created stop working.',
  );
  expect(describeLosses({ made: { ...NO_CREATIONS, api_keys: 1 } }, false)).toBe(
    '1 API key they created stops working.',
  );
  expect(describeLosses({ made: { ...NO_CREATIONS, invitations: 2 } }, false)).toBe('');
});
