import { client, data, setConfirmationPrompt } from './client.js';

afterEach(() => setConfirmationPrompt(null));

it('reports the status of a non-JSON error response', async () => {
  setConfirmationPrompt(async () => false);
  const respondForbidden = async () => new Response('<h1>Forbidden</h1>', { status: 403 });
  const response = client.GET('/api/projects', { baseUrl: 'http://site.example', fetch: respondForbidden });
  await expect(data(response)).rejects.toMatchObject({
    status: 403,
    message: 'The server returned an unexpected error (status 403). Check the server logs.',
  });
});
