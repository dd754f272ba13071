import type { TimelineVisit } from '#libs/contracts';
import { CSV_HEADER, toCsvLine } from './visit-csv.js';

const visit = (fields: object, headers: object = {}): TimelineVisit =>
  ({
    id: 'i',
    received_at: 'r',
    occurred_at: 'o',
    client_address: '192.0.2.1',
    visit: { request_path: '/', request_method: 'GET', request_headers: headers, ...fields },
    identification: { result: 'verified', agent_token: 'GPTBot', agent_type_name: 'Fetcher', operator_name: 'A, B' },
    client_network: { prefix: '192.0.2.0/24', as_number: 64_496, operator_name: '=Example', country_code: 'DE' },
  }) as unknown as TimelineVisit;

describe('toCsvLine', () => {
  it('writes one cell per header column', () => {
    const line = toCsvLine(
      visit(
        {
          response_status_code: 200,
          mcp_request_tool_name: 'search',
          response_size_in_bytes: 4096,
          response_size_type: 'sent',
          response_cache: 'hit',
        },
        { 'User-Agent': '=cmd', REFERER: ['https://a', 'https://b'] },
      ),
    );
    expect(line).toBe(
      `i,o,r,192.0.2.1,verified,GPTBot,Fetcher,"A, B",,,GET,/,200,,,'=cmd,"https://a, https://b",,search,192.0.2.0/24,64496,'=Example,DE,4096,sent,hit\r\n`,
    );
    expect(CSV_HEADER.split(',')).toHaveLength(26);
  });

  it('preserves the column order', () => {
    expect(CSV_HEADER).toBe(
      'id,occurred_at,received_at,client_address,result,agent_token,agent_type_name,operator_name,' +
        'verification_method,reason,request_method,request_path,response_status_code,' +
        'response_duration_in_milliseconds,host,user_agent,referer,mcp_request_method,mcp_request_tool_name,' +
        'client_network_prefix,client_network_as_number,client_network_operator_name,client_network_country_code,' +
        'response_size_in_bytes,response_size_type,response_cache\r\n',
    );
  });
});
