import { TEST_VISIT_PARAMETER, type EnrichedVisit, type UnknownVisitors, type Visit } from '#libs/contracts';

/** Lowercase names of the headers needed for identification, excluding those that contain addresses. */
const RETAINED_HEADERS = new Set([
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
 * Removes data that the project has chosen not to store about unknown visitors. Visits by agents and test visits are
 * returned unchanged. Removed data is never published, so neither the database nor any other consumer receives it.
 */
export function reduceVisit(enriched: EnrichedVisit, mode: UnknownVisitors): EnrichedVisit {
  const { visit, identification } = enriched;
  if (mode === 'kept' || identification.agent_id !== null || isTestVisit(visit)) return enriched;
  const { reidentified, ...received } = enriched;
  const rest = {
    ...received,
    client_address: null,
    kept_as: mode,
    // The evidence contains addresses and host names.
    ...(reidentified && { reidentified: removeEvidence(reidentified) }),
  };
  return mode === 'reduced'
    ? { ...rest, visit: removePrivateData(visit), identification: removeAddressOrigin(identification) }
    : { ...rest, visit: toCountedVisit(visit), identification: { ...identification, evidence: {} } };
}

/** Marker that the console adds to test visits: a random ID and the number of redirects followed. */
const TEST_MARKER = new RegExp(`[?&]${TEST_VISIT_PARAMETER}=[0-9a-f]{24}-[0-9]{1,2}(?:&|$)`);

/**
 * Returns the random ID of a test visit, or null. Test visits are recognized by path, because sites may not report the
 * headers.
 */
export function getTestMarker({ request_path: path }: Pick<Visit, 'request_path'>): string | null {
  const [parameter] = TEST_MARKER.exec(path) ?? [];
  return parameter?.split('=')[1]!.split('-')[0] ?? null;
}

const isTestVisit = (visit: Visit): boolean => getTestMarker(visit) !== null;

function removePrivateData({ client_address: _address, response_headers: _headers, ...visit }: Visit): Visit {
  const headers = Object.entries(visit.request_headers).filter(([name]) => RETAINED_HEADERS.has(name.toLowerCase()));
  return { ...visit, request_headers: Object.fromEntries(headers) };
}

/** Removes the address range, because it reveals most of the address. */
function removeAddressOrigin(identification: EnrichedVisit['identification']): EnrichedVisit['identification'] {
  if (!('address_origin' in identification.evidence)) return identification;
  const { address_origin: _origin, ...evidence } = identification.evidence;
  return { ...identification, evidence };
}

/** Retains only the method, the status and the path without its query. */
const toCountedVisit = ({ request_path: path, request_method, response_status_code: status }: Visit): Visit => ({
  request_path: path.split('?', 1)[0]!,
  request_method,
  request_headers: {},
  ...(status != null && { response_status_code: status }),
});

const removeEvidence = ({
  earlier,
  ...reidentified
}: NonNullable<EnrichedVisit['reidentified']>): EnrichedVisit['reidentified'] => ({
  ...reidentified,
  earlier: { ...earlier, identification: { ...earlier.identification, evidence: {} } },
});
