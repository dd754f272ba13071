import { App } from '../../../../../test/kit/app.js';
import { ChannelsRepository } from './channels.repository.js';

it.each([
  ['a private IP address', 'http://10.0.0.1/'],
  ['a public IP address', 'https://93.184.216.34/'],
  ['a plain HTTP URL', 'http://hooks.example.com/'],
  ['a private host name', 'https://hooks.internal/'],
  ['a URL with a password', 'https://user:secret@hooks.example.com/'],
])('rejects %s by default', async (_, url) => {
  const strict = await App.start({
    alertChannels: { allowPrivateAddresses: false, lookup: async () => [{ address: '127.0.0.1', family: 4 }] },
  });
  const { id } = (await strict.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alert-channels`;
  expect((await strict.api('POST', path, { kind: 'webhook', name: 'Hook', url })).status).toBe(422);
  // A name that resolves to a private address is only detected when a message is sent.
  const hook = { kind: 'webhook', name: 'Hook', url: 'https://hooks.example.com/' };
  const { id: channelId } = (await strict.api('POST', path, hook)).body;
  expect((await strict.api('POST', `${path}/${channelId}/test`, {})).body).toMatchObject({
    state: 'failed',
    error: 'The receiver is unreachable: the host has no public address, or does not accept connections.',
  });
  // Email channels need a mail server, and none is configured.
  const mail = { kind: 'email', name: 'Team', addresses: ['one@example.com'] };
  expect((await strict.api('POST', path, mail)).status).toBe(409);
  await strict.dispose();
});

it('reports the same error for a private host, an unknown host and a refused connection', async () => {
  const failed = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  const found: Record<string, () => Promise<{ address: string; family: number }[]>> = {
    'internal.example.com': async () => [{ address: '10.0.0.7', family: 4 }],
    'nowhere.example.com': failed('ENOTFOUND'),
    'closed.example.com': failed('ECONNREFUSED'),
  };
  const strict = await App.start({
    alertChannels: { allowPrivateAddresses: false, lookup: (name) => found[name]!() },
  });
  const { id } = (await strict.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alert-channels`;
  const errors: string[] = [];
  for (const host of Object.keys(found)) {
    const channel = (await strict.api('POST', path, { kind: 'webhook', name: host, url: `https://${host}/` })).body;
    errors.push((await strict.api('POST', `${path}/${channel.id}/test`, {})).body.error);
  }
  expect(errors[0]).toContain('The receiver is unreachable');
  expect(new Set(errors).size).toBe(1);
  await strict.dispose();
});

it('does not send alerts to a stored URL that the policy no longer allows, and does not reveal the URL', async () => {
  const strict = await App.start({ alertChannels: { allowPrivateAddresses: false } });
  const { id } = (await strict.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alert-channels`;
  const hook = { kind: 'slack', name: 'Hook', url: 'https://hooks.example.com/' };
  const { id: channelId } = (await strict.api('POST', path, hook)).body;
  // Simulates a channel that was created while ALERTS_ALLOW_PRIVATE was set.
  await strict.nest
    .get(ChannelsRepository)
    .change(id, channelId, { target: { url: 'http://chat.internal/hooks/the-secret' } });
  expect((await strict.api('POST', `${path}/${channelId}/test`, {})).body).toMatchObject({
    state: 'failed',
    error: 'The URL is not allowed: it must use https.',
  });
  await strict.dispose();
});
