import { choosePort, toMailServerChange, toMailServerFields, validatePort } from './mail-server-fields.js';

const server = {
  source: 'dashboard' as const,
  host: 'smtp.example.com',
  port: 587,
  security: 'starttls' as const,
  user: 'ada',
  has_password: true,
  from: 'alerts@example.com',
};

it('keeps the stored password unless a new one is entered', () => {
  const fields = toMailServerFields(server);
  expect(toMailServerChange(fields)).toEqual({
    host: 'smtp.example.com',
    port: 587,
    security: 'starttls',
    user: 'ada',
    from: 'alerts@example.com',
  });
  expect(toMailServerChange({ ...fields, password: ' x ' })).toMatchObject({ password: ' x ' });
});

it('omits the password if no user is entered', () => {
  const change = toMailServerChange({ ...toMailServerFields(server), user: ' ', password: 'x' });
  expect(change.user).toBeNull();
  expect(change).not.toHaveProperty('password');
});

it('changes the port along with the encryption, unless another port was entered', () => {
  const fields = toMailServerFields(server);
  expect(choosePort(fields, 'tls')).toBe('465');
  expect(choosePort({ ...fields, port: '2525' }, 'tls')).toBe('2525');
});

it.each(['', '0', '65536', 'x', '1.5', '-1'])('rejects the port "%s"', (port) => {
  expect(validatePort(port)).not.toBeNull();
});
