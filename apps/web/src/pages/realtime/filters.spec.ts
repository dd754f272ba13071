import type { Visit } from '../../api/client.js';
import { isFiltered, matches, readFilters, timelineQuery } from './filters.js';

const visit = {
  visit: { request_path: '/shop/1?x=2', request_method: 'GET', request_headers: {}, response_status_code: 404 },
  identification: {
    result: 'verified',
    agent_id: '11111111-1111-5111-8111-111111111111',
    agent_token: 'GPTBot',
    agent_type_name: 'AI Data Scraper',
    operator_name: 'OpenAI',
  },
} as unknown as Visit;

describe('filters', () => {
  it('come from the address, as far as they are ones', () => {
    expect(readFilters({ status: 404, result: 'verified', mcp: true, path: '/x', visit: 'v', other: 1 })).toEqual({
      status: '404',
      result: 'verified',
      mcp: true,
      path: '/x',
      visit: 'v',
    });
    expect(readFilters({ status: 'abc', result: 'sure', mcp: 'no', path: '', agent: { a: 1 } })).toEqual({});
  });

  it('of a past range come with both its ends', () => {
    const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    expect(readFilters({ ...range, address: '192.0.2.0/24', page: '/' })).toEqual({
      ...range,
      address: '192.0.2.0/24',
      page: '/',
    });
    expect(readFilters({ from: range.from, address: '192.0.2.0/24' })).toEqual({});
    expect(isFiltered(range)).toBe(false);
  });

  it('of an open visit alone filter nothing', () => {
    expect(isFiltered({ visit: 'v' })).toBe(false);
    expect(timelineQuery({ mcp: true, agent: 'GPTBot' })).toEqual({ kind: ['mcp'], agent: ['GPTBot'] });
  });

  it.each([
    [{}, true],
    [{ agent: 'gptbot' }, true],
    [{ agent: '11111111-1111-5111-8111-111111111111' }, true],
    [{ agent: 'GPT' }, false],
    [{ type: 'AI Data Scraper', operator: 'OpenAI', result: 'verified' as const }, true],
    [{ operator: 'Anthropic' }, false],
    [{ result: 'unknown_agent' as const }, false],
    [{ path: '/shop' }, true],
    [{ path: 'shop' }, false],
    [{ page: '/shop/1' }, true],
    [{ page: '/shop' }, false],
    [{ status: '404' }, true],
    [{ status: '4xx' }, true],
    [{ status: '5XX' }, false],
    [{ mcp: true as const }, false],
  ])('%j: %s, as the list has it', (filters, fits) => expect(matches(visit, filters)).toBe(fits));

  it('find MCP calls by what they carry', () => {
    const call = { ...visit, visit: { ...visit.visit, mcp_request_method: 'tools/call' } };
    expect(matches(call, { mcp: true })).toBe(true);
    expect(matches({ ...visit, visit: { ...visit.visit, mcp_request_method: null } }, { mcp: true })).toBe(false);
  });
});
