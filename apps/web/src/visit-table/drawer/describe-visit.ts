import { describeReason, describeResult } from '#libs/agents/vocabulary';
import type { IpRangeStep, ReverseDnsStep } from '#libs/contracts';
import type { Visit } from '../../api/client.js';
import { getVisitorName } from '../../format/program-name.js';
import { formatTime } from '../../format/time.js';
import { getHeader } from '../get-header.js';

/** Returns a sentence about who made a visit, whether that was verified, and why or why not. */
export function describeVisit(item: Visit, timeZone: string): string {
  const { result, agent_token: token, reason } = item.identification;
  if (token === null) return describeUnknown(item);
  switch (result) {
    case 'verified':
      return `This is ${token}: ${describeProof(item, timeZone)}.`;
    case 'verification_failed':
      return `Claims to be ${token}, but ${describeFailure(item)}`;
    case 'not_verifiable':
      return `Claims to be ${token}, but ${describeDoubt(item, timeZone)}`;
    default:
      return `${describeResult(result).meaning} ${reason === null ? '' : describeReason(reason)}`.trim();
  }
}

const AUTOMATION_CLAUSES: Readonly<Record<string, string>> = {
  likely: 'which is probably automated',
  unclear: 'with one sign of automation that people’s browsers can also have',
  unlikely: 'with no signs of automation',
};

function describeUnknown({ visit, automation }: Visit): string {
  const userAgent = getHeader(visit, 'user-agent') ?? '';
  const name = getVisitorName(userAgent);
  const visitor = name === '' ? 'A visitor without a user agent' : name === userAgent ? 'An unknown visitor' : name;
  const clause = AUTOMATION_CLAUSES[automation?.verdict ?? ''];
  return clause === undefined ? `${visitor}. It matches no agent in the catalog.` : `${visitor}, ${clause}.`;
}

const getOwner = ({ identification: { operator_name: operator } }: Visit): string =>
  operator === null ? 'its operator’s' : `${operator}’s`;

const WEEK_MS = 7 * 86_400_000;

/** Returns true if a list of ranges was over 7 days old when the visit was made, so it couldn't rule out an address. */
export const isListOld = ({ occurred_at: at }: Visit, { as_of: fetched }: Partial<IpRangeStep>): boolean =>
  typeof fetched === 'string' && Date.parse(at) - Date.parse(fetched) > WEEK_MS;

/** Returns the date of the list that confirmed the visit, if it's old. */
function describeListDate(item: Visit, timeZone: string): string {
  const step = findStep<IpRangeStep>(item);
  return isListOld(item, step) ? ` as of ${formatTime(step.as_of!, timeZone, { dateStyle: 'medium' })}` : '';
}

/** Returns the step that decided on the result. */
const findStep = <T>({ identification: { method, evidence } }: Visit): Partial<T> =>
  (evidence.steps?.find((step) => step.method === method) ?? {}) as Partial<T>;

function describeProof(item: Visit, timeZone: string): string {
  const { client_address: address, identification } = item;
  switch (identification.method) {
    case 'http_message_signature':
      return `the request is signed with one of ${getOwner(item)} keys`;
    case 'ip_range':
      return `${address} is in ${getOwner(item)} published ranges${describeListDate(item, timeZone)}`;
    case 'reverse_dns': {
      const { confirmed_host_name: host } = findStep<ReverseDnsStep>(item);
      return `the host name of ${address}${host ? `, ${host},` : ''} is ${getOwner(item)} and resolves back to it`;
    }
    default:
      return 'its identity is confirmed';
  }
}

function describeFailure(item: Visit): string {
  const { client_address: address, identification } = item;
  const isNotOwned = `its address, ${address}, isn’t ${getOwner(item)}`;
  switch (identification.reason) {
    case 'address_not_listed':
      return `${isNotOwned}: it’s not in the published ranges.`;
    case 'no_host_name':
      return `${isNotOwned}: it has no host name.`;
    case 'host_name_not_listed': {
      const [host] = findStep<ReverseDnsStep>(item).host_names ?? [];
      return host === undefined ? `${isNotOwned}.` : `${isNotOwned}: its host name is ${host}.`;
    }
    case 'host_name_not_confirmed':
      return `${isNotOwned}: its host name doesn’t resolve back to it.`;
    case 'expired':
      return 'its signature had expired.';
    case 'key_expired':
      return 'the key of its signature had expired.';
    case null:
    case 'ok':
      return 'failed verification.';
    default:
      return `failed verification. ${describeReason(identification.reason)}`;
  }
}

function describeDoubt(item: Visit, timeZone: string): string {
  const { client_address: address, identification } = item;
  switch (identification.reason) {
    case 'no_method':
      return 'the catalog contains no way to verify it.';
    case 'no_client_address':
      return 'its address is unknown, so it couldn’t be checked.';
    case 'address_not_public':
      return `its address, ${address}, isn’t public, so it couldn’t be checked.`;
    case 'list_too_old': {
      const step = identification.evidence.steps?.find(({ method }) => method === 'ip_range') as
        IpRangeStep | undefined;
      const since = step?.as_of
        ? `from ${formatTime(step.as_of, timeZone, { dateStyle: 'medium' })}`
        : 'over 7 days old';
      return `we can’t tell: ${address} isn’t in ${getOwner(item)} published ranges, but our copy of them is ${since}.`;
    }
    case null:
    case 'ok':
      return 'we couldn’t confirm it or rule it out.';
    default:
      return `we couldn’t confirm it or rule it out. ${describeReason(identification.reason)}`;
  }
}
