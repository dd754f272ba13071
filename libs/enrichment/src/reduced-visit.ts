import { TEST_VISIT_PARAMETER, type EnrichedVisit, type UnknownVisitors, type Visit } from '#libs/contracts';

/** What identification reads beside the headers of addresses, in lower case. */
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
 * Leaves of a visit of an unknown visitor what its project keeps. What is taken away goes no further: it is in no message,
 * neither for the database nor for other consumers.
 */
export function reduce(enriched: EnrichedVisit, mode: UnknownVisitors): EnrichedVisit {
  const { visit, identification } = enriched;
  if (mode === 'kept' || identification.agent_id !== null || isTest(visit)) return enriched;
  const { reidentified, ...received } = enriched;
  const rest = {
    ...received,
    client_address: null,
    kept_as: mode,
    // The evidence of a verdict holds addresses and host names.
    ...(reidentified && { reidentified: withoutEvidence(reidentified) }),
  };
  return mode === 'reduced'
    ? { ...rest, visit: reduced(visit), identification: withoutOrigin(identification) }
    : { ...rest, visit: counted(visit), identification: { ...identification, evidence: {} } };
}

/** As the console marks test visits: a number, and the one of the redirect. */
const TEST_MARKER = new RegExp(`[?&]${TEST_VISIT_PARAMETER}=[0-9a-f]{24}-[0-9]{1,2}(?:&|$)`);

/** A report of a test visit is looked for when its headers did not arrive, too. */
const isTest = ({ request_path: path }: Visit): boolean => TEST_MARKER.test(path);

function reduced({ client_address: _address, response_headers: _headers, ...visit }: Visit): Visit {
  const headers = Object.entries(visit.request_headers).filter(([name]) => KEPT_HEADERS.has(name.toLowerCase()));
  return { ...visit, request_headers: Object.fromEntries(headers) };
}

/** A range tells much of the address. */
function withoutOrigin(identification: EnrichedVisit['identification']): EnrichedVisit['identification'] {
  if (!('address_origin' in identification.evidence)) return identification;
  const { address_origin: _origin, ...evidence } = identification.evidence;
  return { ...identification, evidence };
}

/** What is counted: the page and the status. */
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
