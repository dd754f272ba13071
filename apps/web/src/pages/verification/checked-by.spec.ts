import { checkedBy } from './checked-by.js';

it.each([
  ['expired', 'By its signature'],
  ['signature_agent_not_listed', 'By its signature'],
  ['directory_address_refused', 'By its signature'],
  ['address_not_listed', 'By its address'],
  ['visit_too_old', 'By its address'],
  ['host_name_not_confirmed', 'By the host name of its address'],
  ['no_host_name', 'By the host name of its address'],
  ['no_method', ''],
])('%s: %s', (reason, text) => expect(checkedBy(reason)).toBe(text));
