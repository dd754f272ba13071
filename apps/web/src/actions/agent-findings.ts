import { describeAutomationSign, describeReason, describeVisits, getVerdictLabel } from '#libs/agents/vocabulary';
import type { ComplianceAgent } from '../api/compliance.js';
import type { Visit } from '../api/client.js';
import type { PaymentAgent } from '../api/payments.js';
import type { AgentRow, Spoof, VisitingAgent } from '../api/statistics.js';
import type { UnlistedGroup } from '../api/unlisted-user-agents.js';
import { AGENT_RESULTS, countVerdicts } from '../charts/verdict-series.js';
import { formatCount, formatVisitCount } from '../format/count.js';
import { formatNetwork } from '../format/network.js';
import { listLink } from '../range/list-link.js';
import { describeCauses } from '../range/change-causes.js';
import type { Range } from '../range/range.js';
import { getHeader } from '../visit-table/get-header.js';
import { toUntrusted, type UntrustedResult, type Finding, type FindingLink } from './finding.js';

interface FindingContext {
  range: Range;
  timeZone: string;
  visits: FindingLink;
}

interface VisitContext {
  projectId: string;
  timeZone: string;
  url: string;
}

/** Agent in a list or on its own page. Lists have no causes. */
type AgentTotals = Omit<AgentRow, 'series'> & Partial<Pick<VisitingAgent, 'change_causes'>>;

const HALF_DAY_MS = 12 * 3_600_000;

/** Finding about all visits by an agent. */
export function toAgentFinding(agent: AgentTotals, context: FindingContext): Finding {
  const name = agent.agent_token ?? agent.agent_id;
  const counts = countVerdicts(agent);
  const verdicts = AGENT_RESULTS.filter((result) => counts[result] > 0).map(
    (result) => `${formatCount(counts[result])} ${describeVisits(result)}`,
  );
  return {
    title: `${name} made ${formatCount(agent.visits)} visits; ${formatCount(agent.previous_visits)} before`,
    facts: [
      ['Agent', [name, agent.operator_name && `by ${agent.operator_name}`].filter(Boolean).join(' ')],
      ['Type', agent.agent_type_name ?? ''],
      ['Verdicts', verdicts.join(', ')],
      ['Why', describeCauses(agent.change_causes ?? null) ?? ''],
    ],
    agent: { id: agent.agent_id, token: agent.agent_token, type: agent.agent_type_name, operator: agent.operator_name },
    alertKind: 'spike',
    ...context,
  };
}

const CLAIMS: Record<UntrustedResult, string> = {
  verification_failed: 'pretended to be',
  not_verifiable: 'couldn’t be verified as',
};

/** Finding about visits that claim to be an agent but weren't verified. */
export function toSpoofFinding(spoof: Spoof, result: UntrustedResult, context: FindingContext): Finding {
  const { agent_id: id, agent_token: token, networks, network_count: count, reason } = spoof;
  const prefixes = networks.map(({ prefix, visits }) => `${prefix} (${formatCount(visits)})`);
  const others = count > networks.length ? `and ${formatCount(count - networks.length)} more` : '';
  return {
    title: `${formatVisitCount(spoof.visits)} ${CLAIMS[result]} ${token ?? 'a deleted agent'}`,
    facts: [
      ['Claimed agent', [token ?? id, spoof.operator_name && `by ${spoof.operator_name}`].filter(Boolean).join(' ')],
      ['Actual network', [formatNetwork(spoof.client_network), prefixes.join(', '), others].filter(Boolean).join(' ')],
      ['Reverse DNS', spoof.host_names.join(', ')],
      ['Evidence', reason === null ? '' : describeReason(reason)],
      ['Paths', spoof.paths.join(', ')],
    ],
    ...(id !== null && {
      agent: { id, token, type: spoof.agent_type_name, operator: spoof.operator_name },
      alertKind: result === 'verification_failed' ? ('spoofing' as const) : ('spike' as const),
    }),
    result,
    ...(count === 1 && networks.length === 1 && { network: networks[0]!.prefix }),
    ...context,
  };
}

/** Finding about an agent that ignored robots.txt, or that is blocked although robots.txt allows its visits. */
export function toComplianceFinding(agent: ComplianceAgent, context: FindingContext): Finding {
  const name = agent.agent_token ?? agent.agent_id;
  const { disallowed, allowed_forbidden: conflicts } = agent;
  const ignored = `${name} ignored robots.txt in ${formatVisitCount(disallowed)}`;
  const refused = `${name} was blocked in ${formatVisitCount(conflicts)} that robots.txt allows`;
  return {
    title: disallowed > 0 ? ignored : conflicts > 0 ? refused : `${name} followed robots.txt`,
    facts: [
      ['Agent', [name, agent.operator_name && `by ${agent.operator_name}`].filter(Boolean).join(' ')],
      ['Type', agent.agent_type_name ?? ''],
      ['Disallowed', formatCount(disallowed)],
      ['Of these, served', formatCount(agent.disallowed_served)],
      ['Of these, blocked', formatCount(agent.disallowed_forbidden)],
      ['Allowed, but blocked', formatCount(conflicts)],
      ['Last robots.txt fetch', agent.last_robots_fetch_at ?? 'not seen'],
    ],
    agent: { id: agent.agent_id, token: agent.agent_token, type: agent.agent_type_name, operator: agent.operator_name },
    alertKind: 'disallowed',
    ...context,
  };
}

/** Finding about an agent that was asked to pay. */
export function toPaymentFinding(agent: PaymentAgent & { agent_id: string }, context: FindingContext): Finding {
  const { agent_id: id, agent_token: token, is_spoofed: isSpoofed } = agent;
  const name = token ?? id;
  return {
    title: `${name} walked away from ${formatCount(agent.walked_away)} of ${formatCount(agent.asked)} requests to pay`,
    facts: [
      ['Agent', [name, agent.operator_name && `by ${agent.operator_name}`].filter(Boolean).join(' ')],
      ['Type', agent.agent_type_name ?? ''],
      ['Paid', formatCount(agent.paid)],
      ['Declined', formatCount(agent.failed)],
    ],
    agent: { id, token, type: agent.agent_type_name, operator: agent.operator_name },
    alertKind: isSpoofed ? 'spoofing' : 'spike',
    ...(isSpoofed && { result: 'verification_failed' as const }),
    ...context,
  };
}

/** Finding about a user agent that matches no agent in the catalog. */
export function toUnlistedFinding(group: UnlistedGroup, context: FindingContext): Finding {
  return {
    title: `Unknown bot ${group.user_agent_group} made ${formatVisitCount(group.visits)}`,
    facts: [
      ['User agent', group.user_agent_group],
      ['Signs', group.signs.map((sign) => describeAutomationSign(sign).label).join(', ')],
      ['Networks', group.networks.map(({ prefix }) => prefix).join(', ')],
      ['Paths', group.paths.join(', ')],
    ],
    userAgentGroup: group.user_agent_group,
    ...(group.networks.length === 1 && { network: group.networks[0]!.prefix }),
    ...context,
  };
}

/**
 * Finding about a single visit.
 *
 * @param url Address of the visit's page.
 */
export function toVisitFinding(item: Visit, { projectId, timeZone, url }: VisitContext): Finding {
  const { visit, identification, client_address: address } = item;
  const {
    agent_id: id,
    agent_token: token,
    agent_type_name: type,
    operator_name: operator,
    result,
    reason,
  } = identification;
  const isSpoofed = result === 'verification_failed';
  const time = Date.parse(item.occurred_at);
  // Covers the visits around this one, so the link shows what else the visitor did.
  const range = {
    from: new Date(time - HALF_DAY_MS).toISOString(),
    to: new Date(time + HALF_DAY_MS).toISOString(),
  };
  return {
    title: `${visit.request_method} ${visit.request_path} by ${token ?? 'an unknown visitor'}`,
    facts: [
      ['Status', String(visit.response_status_code ?? '')],
      ['Verdict', getVerdictLabel(result)],
      ['Evidence', reason === null || reason === 'ok' ? '' : describeReason(reason)],
      ['Client address', address ?? ''],
      ['User agent', getHeader(visit, 'user-agent') ?? ''],
      ['Visit', url],
    ],
    range,
    timeZone,
    visits: listLink(
      projectId,
      range,
    )({
      ...(id !== null && { agent: token ?? id }),
      ...(address != null && { address }),
    }),
    ...(id !== null && {
      agent: { id, token, type, operator },
      alertKind: isSpoofed ? ('spoofing' as const) : ('spike' as const),
    }),
    ...(address != null && { network: address }),
    ...(id === null && item.automation?.user_agent_group && { userAgentGroup: item.automation.user_agent_group }),
    ...toUntrusted(result),
  };
}
