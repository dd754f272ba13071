import type { InternalAnswer, InternalClient, InternalRequest } from '#libs/platform';
import { HttpRulesApi } from './http-rules-api.js';

interface Call {
  request: InternalRequest;
  answer: PromiseWithResolvers<InternalAnswer>;
}

function open() {
  const calls: Call[] = [];
  const exchange = (request: InternalRequest): Promise<InternalAnswer> => {
    const answer = Promise.withResolvers<InternalAnswer>();
    calls.push({ request, answer });
    return answer.promise;
  };
  return { calls, api: new HttpRulesApi({ exchange } as unknown as InternalClient) };
}

const answer = (text: string): InternalAnswer => ({
  status: 200,
  headers: { 'catalog-version': `of ${text}`, 'content-type': 'text/plain; charset=utf-8' },
  content: Buffer.from(text),
});
const SCRAPERS = { agent_types: ['Scraper'] };

it('sends a request for each call', async () => {
  const { api, calls } = open();
  const first = api.robotsTxt(SCRAPERS);
  expect(calls[0]!.request).toMatchObject({ path: '/internal/robots-txts', isIdempotent: true });
  calls[0]!.answer.resolve(answer('one'));
  expect(await first).toEqual({
    mediaType: 'text/plain; charset=utf-8',
    catalogVersion: 'of one',
    content: Buffer.from('one'),
  });
  const second = api.robotsTxt(SCRAPERS);
  calls[1]!.answer.resolve(answer('two'));
  expect((await second).content.toString()).toBe('two');
});

it('shares one request only among identical concurrent calls', async () => {
  const { api, calls } = open();
  const same = [api.robotsTxt(SCRAPERS), api.robotsTxt({ agent_types: ['Scraper'] })];
  const others = [api.robotsTxt({ ...SCRAPERS, disallow: '/x' }), api.userAgentTokenList(SCRAPERS)];
  expect(calls.map(({ request }) => request.path)).toEqual([
    '/internal/robots-txts',
    '/internal/robots-txts',
    '/internal/user-agent-token-lists',
  ]);
  calls.forEach((call, index) => call.answer.resolve(answer(String(index))));
  const contents = (await Promise.all([...same, ...others])).map(({ content }) => content.toString());
  expect(contents).toEqual(['0', '0', '1', '2']);
});

it('retries on the next call after a failure', async () => {
  const { api, calls } = open();
  const first = api.robotsTxt(SCRAPERS);
  calls[0]!.answer.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const second = api.robotsTxt(SCRAPERS);
  calls[1]!.answer.resolve(answer('back'));
  expect((await second).content.toString()).toBe('back');
});

it('returns null as the version if an older service sends none', async () => {
  const { api, calls } = open();
  const rules = api.robotsTxt(SCRAPERS);
  const { headers, ...rest } = answer('one');
  calls[0]!.answer.resolve({ ...rest, headers: { 'content-type': headers['content-type']! } });
  expect((await rules).catalogVersion).toBeNull();
});
