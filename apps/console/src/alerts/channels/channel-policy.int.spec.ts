import { App } from '../../../../../test/kit/app.js';
import { ChannelsRepository } from './channels.repository.js';

it.each([
  ['a private address', 'http://10.0.0.1/'],
  ['an address', 'https://93.184.216.34/'],
  ['http', 'http://hooks.example.com/'],
  ['a name of a private network', 'https://hooks.internal/'],
  ['a password', 'https://user:secret@hooks.example.com/'],
])('sends nothing to %s, unless the operator says so', async (_, url) => {
  const strict = await App.start({
    alertChannels: { allowPrivateAddresses: false, lookup: async () => [{ address: '127.0.0.1', family: 4 }] },
  });
  const { id } = (await strict.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alert-channels`;
  expect((await strict.api('POST', path, { kind: 'webhook', name: 'Hook', url })).status).toBe(422);
  // A name that leads to one is found out when it is sent to.
  const hook = { kind: 'webhook', name: 'Hook', url: 'https://hooks.example.com/' };
  const { id: channelId } = (await strict.api('POST', path, hook)).body;
  expect((await strict.api('POST', `${path}/${channelId}/test`, {})).body).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('leads to a private address'),
  });
  // There is no mail server either.
  const mail = { kind: 'email', name: 'Team', addresses: ['one@example.com'] };
  expect((await strict.api('POST', path, mail)).status).toBe(409);
  await strict.dispose();
});

it('repeats no URL that it refuses by now: it is a secret', async () => {
  const strict = await App.start({ alertChannels: { allowPrivateAddresses: false } });
  const { id } = (await strict.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alert-channels`;
  const hook = { kind: 'slack', name: 'Hook', url: 'https://hooks.example.com/' };
  const { id: channelId } = (await strict.api('POST', path, hook)).body;
  // As with ALERTS_ALLOW_PRIVATE, which is no longer set.
  await strict.nest
    .get(ChannelsRepository)
    .change(id, channelId, { target: { url: 'http://chat.internal/hooks/the-secret' } });
  expect((await strict.api('POST', `${path}/${channelId}/test`, {})).body).toMatchObject({
    state: 'failed',
    error: 'Nothing is sent there: it is not https.',
  });
  await strict.dispose();
});
