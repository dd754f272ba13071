import { client, data, setAskToConfirm } from './client.js';

afterEach(() => setAskToConfirm(null));

it('reports the status of an error response that is not JSON', async () => {
  setAskToConfirm(async () => false);
  const refusal = async () => new Response('<h1>Forbidden</h1>', { status: 403 });
  const answer = client.GET('/api/projects', { baseUrl: 'http://site.example', fetch: refusal });
  await expect(data(answer)).rejects.toMatchObject({
    status: 403,
    message: 'The server answered 403 without saying why.',
  });
});
