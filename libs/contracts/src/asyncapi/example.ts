import type { EnrichedVisit } from '../enriched-visit.schema.js';
import { getTimeFromId, createVisitId } from '../visit-id.js';

/** Example batch. Its visit appears in the examples for all topics. */
export const EXAMPLE_BATCH = {
  id: '01a1fd3a-043a-7a08-9f51-6e1d5c0a4000',
  projectId: '019a8f52-7c11-7d3e-a2c4-5b8f0e6d1a93',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

const receivedAt = new Date(getTimeFromId(EXAMPLE_BATCH.id)).toISOString();

export const EXAMPLE_VISIT: EnrichedVisit = {
  id: createVisitId(EXAMPLE_BATCH.id, 0),
  project_id: EXAMPLE_BATCH.projectId,
  received_at: receivedAt,
  occurred_at: receivedAt,
  client_address: '203.0.113.7',
  visit: {
    request_path: '/articles/1?page=2',
    request_method: 'GET',
    request_headers: {
      'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      'x-forwarded-for': '203.0.113.7',
    },
    response_status_code: 200,
  },
  identification: {
    result: 'verification_failed',
    agent_id: 'd71f20a7-654a-5091-93d7-c783f37c5200',
    agent_token: 'GPTBot',
    agent_url: 'https://developers.openai.com/api/docs/bots',
    agent_type_name: 'AI Data Scraper',
    operator_name: 'OpenAI',
    method: 'ip_range',
    reason: 'address_not_listed',
    evidence: {
      user_agent_match: 'GPTBot',
      user_agent_token: 'GPTBot',
      client_address_source: 'x-forwarded-for',
      client_address_reason: 'forwarded_list',
      client_address_note: 'unconfirmed_header',
      steps: [
        {
          method: 'ip_range',
          outcome: 'fail',
          reason: 'address_not_listed',
          range: null,
          list_url: null,
          as_of: '2026-11-21T04:12:09.000Z',
        },
      ],
    },
    catalog_version: '70400379383ad564',
  },
};
