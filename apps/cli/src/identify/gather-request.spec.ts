import { gatherRequest } from './gather-request.js';

const read = (file: string): Promise<string> => Promise.resolve(file === 'head' ? 'GET /a HTTP/1.1\nX-A: 1' : '');

it('builds a request from options and a file or curl command', async () => {
  expect(await gatherRequest({ header: ['User-Agent: x', 'user-agent: y'] }, read)).toEqual({
    headers: { 'User-Agent': ['x', 'y'] },
  });
  expect(await gatherRequest({ file: 'head', header: ['x-b: 2'], method: 'PUT', path: '/b' }, read)).toEqual({
    method: 'PUT',
    path: '/b',
    headers: { 'X-A': '1', 'x-b': '2' },
  });
  const words = ['curl', 'https://example.com', '-A', 'x'];
  const read1 = await gatherRequest({ words }, read);
  expect(read1.headers).toMatchObject({ Host: 'example.com', 'User-Agent': 'x' });
  expect(await gatherRequest({ curl: words.join(' ') }, read)).toEqual(read1);
});

it('rejects missing, conflicting and malformed input', async () => {
  await expect(gatherRequest({}, read)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('-H') });
  await expect(gatherRequest({ words: ['curl', 'a.example'], file: 'head' }, read)).rejects.toThrow('Use only one of');
  await expect(gatherRequest({ header: ['no\u001bsense'] }, read)).rejects.toThrow('Invalid header: no\\x1bsense');
});
