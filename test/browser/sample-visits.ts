import { randomBytes } from 'node:crypto';

const AGENTS = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', '66.249.66.1'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', '203.0.113.99'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    '203.0.113.7',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    '198.51.100.23',
  ],
  ['CCBot/2.0 (https://commoncrawl.org/faq/)', '198.51.100.77'],
] as const;
const PATHS = [
  '/',
  '/articles/how-agents-find-a-page?page=2',
  '/shop/items/4711',
  '/robots.txt',
  '/api/search?q=traffic',
];

/** Returns visits by different agents, one second apart and ending now. Every seventh visit is an MCP call. */
export const sampleVisits = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => {
    const [userAgent, address] = AGENTS[index % AGENTS.length]!;
    return {
      request_path: PATHS[index % PATHS.length],
      request_method: index % 7 === 6 ? 'POST' : 'GET',
      request_headers: {
        'User-Agent': userAgent,
        'X-Forwarded-For': address,
        Cookie: `session=${randomBytes(4).toString('hex')}`,
        Accept: 'text/html,application/xhtml+xml',
        ...(index % 3 === 0 && { Referer: 'https://www.example.org/links' }),
      },
      response_status_code: [200, 200, 404, 200, 503][index % 5],
      response_headers: { 'content-type': 'text/html; charset=utf-8' },
      response_duration_in_milliseconds: 3.2 + index,
      created: new Date(Date.now() - (count - index) * 1_000).toISOString(),
      ...(index % 7 === 6 && {
        mcp_request_method: 'tools/call',
        mcp_request_tool_name: 'search_products',
        mcp_request_client_info_name: 'Example Client',
      }),
    };
  });
