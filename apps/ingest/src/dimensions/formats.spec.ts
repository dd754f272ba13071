import { getRequestedFormat, getResponseFormat, parseDimension, type EnrichedVisit } from '#libs/contracts';
import { UNKNOWN_AGENT } from '../../../../test/kit/unknown-agent.js';
import type { VisitContext } from './dimension.js';
import { formatDimensions } from './formats.js';

const AGENT = '5b0c4f3e-0000-5000-8000-000000000001';

function getFormats(accept: string | null, type: string | null, members: object = {}, identification: object = {}) {
  const visit = { response_status_code: 200, ...members };
  const enriched = { visit, identification: { ...UNKNOWN_AGENT, agent_id: AGENT, ...identification } };
  const context = { requestedFormat: getRequestedFormat(accept), responseFormat: getResponseFormat(type) };
  const [dimension] = formatDimensions(enriched as unknown as EnrichedVisit, context as VisitContext);
  return dimension === undefined ? null : [dimension[0], ...parseDimension(dimension[1])];
}

it('counts the requested format with the format of the response', () => {
  expect(getFormats('text/markdown, */*', 'text/html; charset=utf-8')).toEqual(['format', AGENT, 'markdown', 'html']);
  expect(getFormats(null, 'text/html')).toEqual(['format', AGENT, 'none', 'html']);
  expect(getFormats('*/*', null)).toEqual(['format', AGENT, 'any', 'none']);
});

it('ignores errors, redirects, spoofed agents, unknown visitors, and visits with neither header', () => {
  for (const status of [null, 199, 301, 304, 404, 500]) {
    expect(getFormats('*/*', 'text/html', { response_status_code: status })).toBeNull();
  }
  expect(getFormats('*/*', 'text/html', {}, { result: 'verification_failed' })).toBeNull();
  expect(getFormats('*/*', 'text/html', {}, { agent_id: null })).toBeNull();
  expect(getFormats(null, null)).toBeNull();
});
