import { TEST_VISIT_PARAMETER, type EnrichedVisit, type UnknownVisitors, type Visit } from '#libs/contracts';

/** Lowercase names of headers that identification reads, except those with addresses. */
const KEPT_HEADERS = new Set([
  ':authority',
  ':method',
  ':path',
  ':scheme',
  'host',
  'signature',
  'signature-agent',
  'signature-input',
  'user-agent',
]);

/**
 * Removes an unknown visitor's data that the project has chosen not to store. Visits by agents and test visits are left
 * unchanged. Removed data isn't published, so it reaches neither the database nor any other consumer.
 */
export function reduce(enriched: EnrichedVisit, mode: UnknownVisitors): EnrichedVisit {
  const { visit, identification } = enriched;
  if (mode === 'kept' || identification.agent_id !== null || isTest(visit)) return enriched;
  const { reidentified, ...received } = enriched;
  const rest = {
    ...received,
    client_address: null,
    kept_as: mode,
    // The evidence contains addresses and host names.
    ...(reidentified && { reidentified: withoutEvidence(reidentified) }),
  };
  return mode === 'reduced'
    ? { ...rest, visit: reduced(visit), identification: withoutOrigin(identification) }
    : { ...rest, visit: counted(visit), identification: { ...identification, evidence: {} } };
}

/** Marker that the console adds to test visits: a random ID and the number of the redirect. */
const TEST_MARKER = new RegExp(`[?&]${TEST_VISIT_PARAMETER}=[0-9a-f]{24}-[0-9]{1,2}(?:&|$)`);

/** Recognizes test visits by their path, because sites may leave out the headers. */
const isTest = ({ request_path: path }: Visit): boolean => TEST_MARKER.test(path);

function reduced({ client_address: _address, response_headers: _headers, ...visit }: Visit): Visit {
  const headers = Object.entries(visit.request_headers).filter(([name]) => KEPT_HEADERS.has(name.toLowerCase()));
  return { ...visit, request_headers: Object.fromEntries(headers) };
}

/** Removes the address range, because it reveals much of the address. */
function withoutOrigin(identification: EnrichedVisit['identification']): EnrichedVisit['identification'] {
  if (!('address_origin' in identification.evidence)) return identification;
  const { address_origin: _origin, ...evidence } = identification.evidence;
  return { ...identification, evidence };
}

/** Keeps only the path without its query, the method and the status. */
const counted = ({ request_path: path, request_method, response_status_code: status }: Visit): Visit => ({
  request_path: path.split('?', 1)[0]!,
  request_method,
  request_headers: {},
  ...(status != null && { response_status_code: status }),
});

const withoutEvidence = ({
  earlier,
  ...reidentified
}: NonNullable<EnrichedVisit['reidentified']>): EnrichedVisit['reidentified'] => ({
  ...reidentified,
  earlier: { ...earlier, identification: { ...earlier.identification, evidence: {} } },
});
