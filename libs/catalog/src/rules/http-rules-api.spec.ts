import type { InternalResponse, InternalClient, InternalRequest } from '#libs/platform';
import { HttpRulesApi } from './http-rules-api.js';

interface RecordedCall {
  request: InternalRequest;
  answer: PromiseWithResolvers<InternalResponse>;
}

function createApi() {
  const calls: RecordedCall[] = [];
  const exchange = (request: InternalRequest): Promise<InternalResponse> => {
    const createResponse = Promise.withResolvers<InternalResponse>();
    calls.push({ request, answer: createResponse });
    return createResponse.promise;
  };
  return { calls, api: new HttpRulesApi({ exchange } as unknown as InternalClient) };
}

const createResponse = (text: string): InternalResponse => ({
  status: 200,
  headers: { 'catalog-version': `of ${text}`, 'content-type': 'text/plain; charset=utf-8' },
  content: Buffer.from(text),
});
const SCRAPERS = { agent_types: ['Scraper'] };

it('sends a separate request for each call', async () => {
  const { api, calls } = createApi();
  const first = api.robotsTxt(SCRAPERS);
  expect(calls[0]!.request).toMatchObject({ path: '/internal/robots-txts', isIdempotent: true });
  calls[0]!.answer.resolve(createResponse('one'));
  expect(await first).toEqual({
    mediaType: 'text/plain; charset=utf-8',
    catalogVersion: 'of one',
    content: Buffer.from('one'),
  });
  const second = api.robotsTxt(SCRAPERS);
  calls[1]!.answer.resolve(createResponse('two'));
  expect((await second).content.toString()).toBe('two');
});

it('shares a request only among identical concurrent calls', async () => {
  const { api, calls } = createApi();
  const same = [api.robotsTxt(SCRAPERS), api.robotsTxt({ agent_types: ['Scraper'] })];
  const others = [api.robotsTxt({ ...SCRAPERS, disallow: '/x' }), api.userAgentTokenList(SCRAPERS)];
  expect(calls.map(({ request }) => request.path)).toEqual([
    '/internal/robots-txts',
    '/internal/robots-txts',
    '/internal/user-agent-token-lists',
  ]);
  calls.forEach((call, index) => call.answer.resolve(createResponse(String(index))));
  const contents = (await Promise.all([...same, ...others])).map(({ content }) => content.toString());
  expect(contents).toEqual(['0', '0', '1', '2']);
});

it('sends a new request after a failure', async () => {
  const { api, calls } = createApi();
  const first = api.robotsTxt(SCRAPERS);
  calls[0]!.answer.reject(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  const second = api.robotsTxt(SCRAPERS);
  calls[1]!.answer.resolve(createResponse('back'));
  expect((await second).content.toString()).toBe('back');
});

it('returns a null catalog version if an older service sends none', async () => {
  const { api, calls } = createApi();
  const rules = api.robotsTxt(SCRAPERS);
  const { headers, ...rest } = createResponse('one');
  calls[0]!.answer.resolve({ ...rest, headers: { 'content-type': headers['content-type']! } });
  expect((await rules).catalogVersion).toBeNull();
});
